package io.holdfast.client.acks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.MessageState;
import io.holdfast.client.acks.AckVerdict.Status;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What becomes of acks and subscriptions when the broker cannot be reached. */
class AckRecoveryTest extends AckFixture {
  private void subscribeShared() {
    makeShared(QUEUE);
    client.setAutoAck(true).setAckBatchSize(50).setAckTimeout(Duration.ofMinutes(1));
    client.subscribeAsync(this::note, TOPIC);
  }

  private void awaitBuffered(String... payloads) {
    eventually(
        () -> {
          assertThat(handled).containsExactly(payloads);
          assertThat(engine.stats().orThrow().parkedPops()).isEqualTo(1);
        });
  }

  private String handledBookmarks() {
    return messages.stream().map(QueueMessage::bookmark).collect(Collectors.joining(","));
  }

  @Test
  void shouldThrowFromAFlushThatFailsAndTryAgainAtTheNext() {
    // given
    subscribeShared();
    push("a", "b");
    awaitBuffered("a", "b");
    broker.failSettles(1);
    // when
    AckException failure = catchThrowableOfType(AckException.class, client::flushAcks);
    // then
    assertThat(failure).hasCauseInstanceOf(UnreachableException.class);
    assertThat(failure.notApplied()).extracting(AckVerdict::status).containsOnly(Status.UNSENT);
    assertThat(failure.notApplied()).hasSize(2);
    assertThat(statuses(client.flushAcks().get(0))).containsExactly(Status.ACKED, Status.ACKED);
    assertThat(bookmarks(broker.sent().get(0))).isEqualTo(handledBookmarks());
  }

  @Test
  void shouldTryAllBatchesAlthoughOneFails() {
    // given
    subscribeShared();
    makeShared("bills");
    client.subscribeAsync(this::note, "queue://bills");
    push("order");
    pushTo("bills", "bill");
    eventually(
        () -> {
          assertThat(handled).hasSize(2);
          assertThat(engine.stats().orThrow().parkedPops()).isEqualTo(2);
        });
    broker.failSettles(1);
    // when
    AckException failure = catchThrowableOfType(AckException.class, client::flushAcks);
    // then
    assertThat(failure.results()).hasSize(2);
    assertThat(failure.notApplied()).hasSize(1);
    assertThat(ackedCount()).isEqualTo(1);
    assertThat(client.flushAcks()).hasSize(1);
    assertThat(ackedCount()).isEqualTo(2);
  }

  @Test
  void shouldTellABatchThatFailedByItselfAndTryItAgainAfterTheTimeout() {
    // given
    subscribeShared();
    client.setAckTimeout(Duration.ofMillis(500));
    push("a");
    awaitBuffered("a");
    broker.failSettles(1);
    // when
    advanceMs(500);
    // then
    eventually(() -> assertThat(heard.settled).hasSize(1));
    assertThat(statuses(heard.settled.get(0))).containsExactly(Status.UNSENT);
    assertThat(heard.settled.get(0).failure()).isInstanceOf(UnreachableException.class);
    assertThat(ackedCount()).isZero();
    advanceMs(500);
    eventually(() -> assertThat(heard.settled).hasSize(2));
    assertThat(statuses(heard.settled.get(1))).containsExactly(Status.ACKED);
  }

  @Test
  void shouldTakeARepeatedFlushForDone() {
    subscribeShared();
    push("a");
    awaitBuffered("a");
    broker.loseAnswers(1);

    AckException failure = catchThrowableOfType(AckException.class, client::flushAcks);

    assertThat(failure.notApplied()).extracting(AckVerdict::status).containsOnly(Status.IN_DOUBT);
    assertThat(statuses(client.flushAcks().get(0))).containsExactly(Status.REPEATED);
    assertThat(ackedCount()).isEqualTo(1);
  }

  @Test
  void shouldTellALateAckThatWasRefused() {
    makeShared(QUEUE);
    client.setAutoAck(true).setAckBatchSize(50).setAckTimeout(Duration.ofSeconds(30));
    client.subscribeAsync(
        this::note, TOPIC, SubscribeOptions.DEFAULTS.lease(Duration.ofSeconds(10)));
    push("a");
    awaitBuffered("a");

    advanceMs(10_000);
    eventually(() -> assertThat(handled).containsExactly("a", "a"));
    AckException failure = catchThrowableOfType(AckException.class, client::flushAcks);

    assertThat(failure.notApplied())
        .extracting(AckVerdict::code)
        .containsExactly(ErrorCode.STALE_LEASE);
    assertThat(failure.notApplied().get(0).bookmark()).isEqualTo(messages.get(0).bookmark());
  }

  @Test
  void shouldClearAndReportBatchesWhenItIsDisconnected() {
    // given
    subscribeShared();
    push("a", "b");
    awaitBuffered("a", "b");
    // when
    disconnect();
    // then
    AckResult cleared = heard.cleared.get(0);
    assertThat(heard.events).containsExactly("disconnected sub-1");
    assertThat(cleared.topic()).isEqualTo(TOPIC);
    assertThat(cleared.subId()).isEqualTo("sub-1");
    assertThat(statuses(cleared)).containsExactly(Status.CLEARED, Status.CLEARED);
    assertThat(String.join(",", cleared.bookmarks())).isEqualTo(handledBookmarks());
    assertThat(cleared.failure()).isInstanceOf(UnreachableException.class);
    assertThat(client.flushAcks()).isEmpty();
    assertThat(broker.sent()).isEmpty();
  }

  @Test
  void shouldNotBeDisconnectedBeforeTheLimit() {
    // given
    subscribeShared();
    push("a");
    awaitBuffered("a");
    int before = broker.polls();
    // when: the poll that waits fails, and one more
    broker.cut();
    passUntil(() -> broker.polls() == before + RECONNECT_LIMIT - 2);
    broker.mend();
    push("b");
    passUntil(() -> handled.size() == 2);
    // then
    assertThat(heard.events).isEmpty();
    assertThat(statuses(client.flushAcks().get(0))).contains(Status.ACKED);
  }

  @Test
  void shouldGoOnByItselfWithItsSettingsWhenTheBrokerIsBack() {
    // given
    subscribeShared();
    push("a", "b");
    awaitBuffered("a", "b");
    disconnect();
    push("c");
    // when
    reconnect();
    // then: what was cleared is given back, and delivered again
    eventually(() -> assertThat(handled).contains("c").hasSize(5));
    assertThat(handled.subList(2, 5)).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(heard.events).containsExactly("disconnected sub-1", "reconnected sub-1");
    // and the settings hold
    assertThat(client.autoAck()).isTrue();
    assertThat(client.ackBatchSize()).isEqualTo(50);
    assertThat(client.ackTimeout()).isEqualTo(Duration.ofMinutes(1));
    eventually(() -> assertThat(engine.stats().orThrow().parkedPops()).isEqualTo(1));
    assertThat(broker.acks()).isEmpty();
    // and acks are flushed explicitly
    assertThat(client.flushAcks().get(0).verdicts()).hasSize(3);
    assertThat(ackedCount()).isEqualTo(3);
  }

  @Test
  void shouldLetTheListenerAckWhatWasCleared() {
    // given
    subscribeShared();
    push("a", "b");
    awaitBuffered("a", "b");
    heard.atReconnect =
        subId -> client.ack(TOPIC, String.join(",", heard.cleared.get(0).bookmarks()), subId);
    disconnect();
    // when
    reconnect();
    // then
    assertThat(ackedCount()).isEqualTo(2);
    push("c");
    eventually(() -> assertThat(handled).containsExactly("a", "b", "c"));
    assertThat(counts().returned()).isZero();
  }

  @Test
  void shouldKeepTryingForAsLongAsItTakes() {
    subscribeShared();
    push("a");
    awaitBuffered("a");
    disconnect();

    passUntil(() -> clock.nanos() > Duration.ofSeconds(20).toNanos());
    reconnect();

    eventually(() -> assertThat(handled).containsExactly("a", "a"));
    assertThat(heard.events).containsExactly("disconnected sub-1", "reconnected sub-1");
  }

  @Test
  void shouldTakeAClosedBrokerForADisconnect() {
    for (ErrorCode code : List.of(ErrorCode.CLOSED, ErrorCode.SHARD_STOPPED)) {
      heard.events.clear();
      String subId = client.subscribeAsync(this::note, TOPIC);

      broker.refuse(code);
      passUntil(() -> heard.events.size() == 1);
      broker.mend();
      passUntil(() -> heard.events.size() == 2);

      assertThat(heard.events).containsExactly("disconnected " + subId, "reconnected " + subId);
      client.unsubscribe(subId);
    }
  }

  @Test
  void shouldNotTakeAnOverloadedBrokerForADisconnect() {
    // given
    subscribeShared();
    push("a");
    awaitBuffered("a");
    // when
    int before = broker.polls();
    broker.refuse(ErrorCode.OVERLOADED);
    passUntil(() -> broker.polls() > before + 2 * RECONNECT_LIMIT);
    broker.mend();
    // then
    push("b");
    passUntil(() -> handled.contains("b"));
    awaitBuffered("a", "b");
    assertThat(heard.events).isEmpty();
    assertThat(client.flushAcks().get(0).verdicts()).hasSize(2);
  }

  @Test
  void shouldTellAPollThatIsRefusedForGoodAndTryAgainAtTheLongestPauses() {
    // given
    subscribeShared();
    eventually(() -> assertThat(engine.stats().orThrow().parkedPops()).isEqualTo(1));
    // when
    broker.refuse(ErrorCode.LIMIT);
    passUntil(() -> heard.failedPolls.size() >= 3);
    // then
    assertThat(heard.failedPolls)
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.LIMIT)));
    assertThat(heard.pauses).containsOnly(config.backoffMax());
    assertThat(heard.events).isEmpty();
    // when somebody has seen to it
    broker.mend();
    push("a");
    // then
    passUntil(() -> handled.contains("a"));
  }

  @Test
  void shouldTellAPollThatFindsNobodyAndWaitLongerEachTime() {
    // given
    subscribeShared();
    eventually(() -> assertThat(engine.stats().orThrow().parkedPops()).isEqualTo(1));
    // when
    broker.cut();
    passUntil(() -> heard.failedPolls.size() >= 6);
    // then
    assertThat(heard.failedPolls).allMatch(UnreachableException.class::isInstance);
    assertThat(heard.pauses.get(0)).isLessThanOrEqualTo(config.backoffMin());
    assertThat(heard.pauses.get(5)).isGreaterThanOrEqualTo(config.backoffMax().dividedBy(2));
  }

  @Test
  void shouldKeepWhatAHandlerHasTakenOverADisconnect() {
    // given
    makeShared(QUEUE);
    client.subscribeAsync(this::note, TOPIC);
    push("a");
    awaitBuffered("a");
    // when
    disconnect();
    reconnect();
    push("b");
    eventuallyHandled("a", "b");
    // then
    assertThat(heard.cleared.get(0).verdicts()).isEmpty();
    assertThat(client.ackMessage(messages.get(0)).allApplied()).isTrue();
  }

  @Test
  void shouldSendANackThatDidNotGetThroughBeforeItPollsAgain() {
    // given
    client.setAutoAck(true);
    broker.failSettles(1);
    client.subscribeAsync(
        message -> {
          note(message);
          if (handled.size() == 1) {
            throw new IllegalStateException("no stock");
          }
        },
        TOPIC,
        SubscribeOptions.DEFAULTS.batch(2));
    // when
    List<UUID> ids = push("a", "b");
    // then
    eventually(() -> assertThat(stateOf(ids.get(0))).isEqualTo(MessageState.RETURNED));
    assertThat(handled).as("not run past the failed one").containsExactly("a");
    Attempt attempt = view(ids.get(0)).attempts().get(0);
    assertThat(attempt.error()).isEqualTo("java.lang.IllegalStateException: no stock");
    assertThat(broker.sent().get(0).outcomes()).containsExactly(Outcome.NACK, Outcome.RELEASE);
    assertThat(statuses(heard.settled.get(0))).containsExactly(Status.UNSENT, Status.UNSENT);
    passUntil(() -> ackedCount() == 2);
    assertThat(handled).containsExactly("a", "a", "b");
  }

  @Test
  void shouldGoOnWhenAnOrderedLeaseCouldNotBeSettledAtOnce() {
    // given
    client.setAutoAck(true).setAckBatchSize(50).setAckTimeout(Duration.ofMillis(500));
    broker.failSettles(1);
    client.subscribeAsync(this::note, TOPIC);
    // when
    push("a");
    eventuallyHandled("a");
    push("b");
    passUntil(() -> ackedCount() == 2);
    // then
    assertThat(handled).containsExactly("a", "b");
  }

  @Test
  void shouldClearAndReportBatchesAndGiveBackMessagesWhenItIsClosed() {
    // given
    subscribeShared();
    List<UUID> ids = push("a", "b");
    awaitBuffered("a", "b");
    // when
    client.close();
    // then
    assertThat(heard.events).containsExactly("disconnected sub-1");
    assertThat(statuses(heard.cleared.get(0))).containsExactly(Status.CLEARED, Status.CLEARED);
    assertThat(heard.cleared.get(0).failure()).isNull();
    assertThat(broker.sent()).hasSize(1);
    assertThat(broker.sent().get(0).outcomes()).containsExactly(Outcome.RELEASE, Outcome.RELEASE);
    assertThat(stateOf(ids.get(0))).isEqualTo(MessageState.RETURNED);
    assertThat(view(ids.get(0)).failures()).isZero();
  }

  @Test
  void shouldCloseAtOnceWhileItIsDisconnected() {
    subscribeShared();
    push("a");
    awaitBuffered("a");
    disconnect();

    client.close();

    assertThat(heard.events).as("told once").containsExactly("disconnected sub-1");
  }

  @Test
  void shouldGoOnAfterAListenerThrew() {
    subscribeShared();
    push("a");
    awaitBuffered("a");
    heard.atReconnect =
        subId -> {
          throw new IllegalStateException("thrown on purpose");
        };
    disconnect();

    broker.mend();
    passUntil(() -> handled.size() == 2);

    assertThat(handled).containsExactly("a", "a");
  }
}
