package io.holdfast.client.acks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.MessageState;
import io.holdfast.client.acks.AckVerdict.Status;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** {@code ack} and {@code ackMessage}: sent at once, and every failure told. */
class ExplicitAckTest extends AckFixture {
  /** Lets a handler that acks nothing take messages of a shared queue. */
  private List<QueueMessage> take(String... payloads) {
    makeShared(QUEUE);
    client.subscribeAsync(
        this::note, TOPIC, SubscribeOptions.DEFAULTS.lease(Duration.ofMinutes(1)));
    push(payloads);
    eventuallyHandled(payloads);
    return messages;
  }

  private static AckException failureOf(Runnable ack) {
    return catchThrowableOfType(AckException.class, ack::run);
  }

  @Test
  void shouldAckATopicAndABookmarkAtOnce() {
    // given
    QueueMessage message = take("a").get(0);
    client.setAckBatchSize(50);
    // when
    AckResult result = client.ack(TOPIC, message.bookmark());
    // then
    assertThat(result.allApplied()).isTrue();
    assertThat(result.verdicts())
        .containsExactly(new AckVerdict(message.bookmark(), Status.ACKED, null, "acked"));
    assertThat(result.topic()).isEqualTo(TOPIC);
    assertThat(result.subId()).isEmpty();
    assertThat(broker.sent()).hasSize(1);
    assertThat(ackedCount()).isEqualTo(1);
  }

  @Test
  void shouldTakeTheSubscriptionWithIt() {
    QueueMessage message = take("a").get(0);

    AckResult result = client.ack(message.topic(), message.bookmark(), message.subId());

    assertThat(result.subId()).isEqualTo("sub-1");
    assertThat(result.allApplied()).isTrue();
  }

  @Test
  void shouldSendBookmarksJoinedByCommasAsOneRequest() {
    // given
    List<QueueMessage> taken = take("a", "b", "c");
    // when
    AckResult result = client.ack(TOPIC, taken.get(2).bookmark() + "," + taken.get(0).bookmark());
    // then
    assertThat(statuses(result)).containsExactly(Status.ACKED, Status.ACKED);
    assertThat(broker.sent()).hasSize(1);
    assertThat(broker.sent().get(0).request().atomic()).isFalse();
    assertThat(counts().inFlight()).isEqualTo(1);
  }

  @Test
  void shouldFindTopicAndBookmarkInAMessage() {
    QueueMessage message = take("a").get(0);

    AckResult result = client.ackMessage(message);

    assertThat(result.bookmarks()).containsExactly(message.bookmark());
    assertThat(result.subId()).isEqualTo("sub-1");
    assertThat(ackedCount()).isEqualTo(1);
  }

  @Test
  void shouldAckFromTheHandler() {
    makeShared(QUEUE);
    client.subscribeAsync(
        message -> {
          note(message);
          client.ackMessage(message);
        },
        TOPIC);

    push("a", "b");

    eventuallyAcked(2);
  }

  @Test
  void shouldAckWhatAnotherClientHasReceived() {
    QueueMessage message = take("a").get(0);

    try (AckClient other = AckClient.on(broker, config.name("other"))) {
      assertThat(other.ack(TOPIC, message.bookmark()).allApplied()).isTrue();
    }

    assertThat(ackedCount()).isEqualTo(1);
  }

  @Test
  void shouldRefuseAMessageWithoutTopicOrBookmark() {
    QueueMessage message = take("a").get(0);
    QueueMessage noTopic =
        new QueueMessage("", message.bookmark(), 1, message.subId(), message.delivery());
    QueueMessage noBookmark =
        new QueueMessage(message.topic(), "", 1, message.subId(), message.delivery());

    assertThatThrownBy(() -> client.ackMessage(noTopic))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected one with a topic and a bookmark, but the topic is empty");
    assertThatThrownBy(() -> client.ackMessage(noBookmark))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("but the bookmark is empty");
    assertThat(broker.sent()).isEmpty();
  }

  @Test
  void shouldSayWhatItExpectedInsteadOfAnUnknownTopicOrBookmark() {
    QueueMessage message = take("a").get(0);

    for (String topic : List.of("", "orders", "queue://", "topic://orders")) {
      assertThatThrownBy(() -> client.ack(topic, message.bookmark()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "topic: expected queue:// and the name of a queue, but got \"" + topic + "\"");
    }
    assertThatThrownBy(() -> client.ack(TOPIC, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("bookmark: expected partition.lane.seq@lease");
    assertThatThrownBy(() -> client.ack(TOPIC, message.bookmark() + ",nonsense"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("but got \"nonsense\"");
    assertThatThrownBy(() -> client.ack(TOPIC, message.bookmark(), "sub-1", "sub-2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("subId: expected one at most, but got 2");
    assertThat(broker.sent()).isEmpty();
  }

  @Test
  void shouldRefuseTheTopicOfAnotherSubscription() {
    QueueMessage message = take("a").get(0);

    assertThatThrownBy(() -> client.ack("queue://bills", message.bookmark()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "topic: expected queue://orders, the topic of subscription sub-1, but got"
                + " \"queue://bills\"");
    assertThatThrownBy(() -> client.ack("queue://bills", "1.0.1@unheld", "sub-1"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(broker.sent()).isEmpty();
  }

  @Test
  void shouldTellWhichWereNotAppliedAndWhy() {
    // given
    List<QueueMessage> taken = take("late", "in time");
    advanceMs(60_000);
    eventually(() -> assertThat(taken).hasSizeGreaterThan(2));
    QueueMessage late = taken.get(0);
    QueueMessage again = taken.get(2);
    // when
    AckException failure =
        failureOf(() -> client.ack(TOPIC, late.bookmark() + "," + again.bookmark()));
    // then
    assertThat(failure)
        .hasMessageStartingWith("1 of 2 acks were not applied: queue://orders " + late.bookmark())
        .hasMessageContaining("STALE_LEASE: expected a live lease")
        .hasNoCause();
    assertThat(failure.notApplied())
        .singleElement()
        .satisfies(
            verdict -> {
              assertThat(verdict.bookmark()).isEqualTo(late.bookmark());
              assertThat(verdict.status()).isEqualTo(Status.REFUSED);
              assertThat(verdict.code()).isEqualTo(ErrorCode.STALE_LEASE);
            });
    assertThat(statuses(failure.results().get(0))).containsExactly(Status.REFUSED, Status.ACKED);
    assertThat(ackedCount()).isEqualTo(1);
  }

  @Test
  void shouldTellOfALeaseNobodyKnows() {
    AckException failure = failureOf(() -> client.ack(TOPIC, "1.0.1@AAAAAAAAAAA"));

    assertThat(failure.notApplied().get(0).code()).isEqualTo(ErrorCode.STALE_LEASE);
  }

  @Test
  void shouldThrowWhenTheBrokerCannotBeReached() {
    // given
    QueueMessage message = take("a").get(0);
    broker.failSettles(1);
    // when
    AckException failure = failureOf(() -> client.ackMessage(message));
    // then
    assertThat(failure).hasCauseInstanceOf(UnreachableException.class);
    assertThat(failure.notApplied().get(0).status()).isEqualTo(Status.UNSENT);
    assertThat(failure.notApplied().get(0).reason()).contains("the line is cut on purpose");
    // and nothing is sent later: it is the caller's
    assertThat(client.flushAcks()).isEmpty();
    assertThat(client.ackMessage(message).allApplied()).isTrue();
  }

  @Test
  void shouldThrowWhenTheBrokerRefuses() {
    QueueMessage message = take("a").get(0);
    broker.refuse(ErrorCode.OVERLOADED);

    AckException failure = failureOf(() -> client.ackMessage(message));

    assertThat(failure).hasCauseInstanceOf(RefusedException.class);
    assertThat(failure.notApplied().get(0).status()).isEqualTo(Status.UNSENT);
    assertThat(failure.notApplied().get(0).code()).isEqualTo(ErrorCode.OVERLOADED);
  }

  @Test
  void shouldTellADoubtAndTakeARepeatForDone() {
    // given
    QueueMessage message = take("a").get(0);
    broker.loseAnswers(1);
    // when
    AckException failure = failureOf(() -> client.ackMessage(message));
    AckResult repeat = client.ackMessage(message);
    // then
    assertThat(failure.notApplied().get(0).status()).isEqualTo(Status.IN_DOUBT);
    assertThat(statuses(repeat)).containsExactly(Status.REPEATED);
    assertThat(repeat.allApplied()).isTrue();
    assertThat(ackedCount()).isEqualTo(1);
  }

  @Test
  void shouldRefuseToAckWhatWasNackedBefore() {
    // given
    QueueMessage message = take("a").get(0);
    client.nackMessage(message, "broken");
    // when
    AckException failure = failureOf(() -> client.ackMessage(message));
    // then: to call that done would be a lie
    assertThat(failure.notApplied().get(0).status()).isEqualTo(Status.REFUSED);
    assertThat(failure.notApplied().get(0).code()).isEqualTo(ErrorCode.ALREADY_SETTLED);
    assertThat(ackedCount()).isZero();
  }

  @Test
  void shouldNotTakeANackInDoubtForAnAck() {
    // given
    QueueMessage message = take("a").get(0);
    broker.loseAnswers(1);
    // when
    AckException doubt = failureOf(() -> client.nackMessage(message, "broken"));
    AckException failure = failureOf(() -> client.ackMessage(message));
    // then
    assertThat(doubt.notApplied().get(0).status()).isEqualTo(Status.IN_DOUBT);
    assertThat(failure.notApplied().get(0).status()).isEqualTo(Status.REFUSED);
    assertThat(failure.notApplied().get(0).code()).isEqualTo(ErrorCode.ALREADY_SETTLED);
  }

  @Test
  void shouldNackWithAnErrorAtOnce() {
    // given
    QueueMessage message = take("a").get(0);
    UUID id = message.message().id();
    // when
    AckResult result = client.nackMessage(message, "broken");
    // then
    assertThat(statuses(result)).containsExactly(Status.NACKED);
    assertThat(stateOf(id)).isEqualTo(MessageState.RETURNED);
    Attempt attempt = view(id).attempts().get(0);
    assertThat(attempt.error()).isEqualTo("broken");
  }

  @Test
  void shouldGiveBackWhatIsBehindAMessageThatTheHandlerNacks() {
    // given
    push("a", "b", "c");
    // when
    client.subscribeAsync(
        message -> {
          note(message);
          if (handled.size() == 1) {
            client.nackMessage(message, "not now");
          } else {
            client.ackMessage(message);
          }
        },
        TOPIC,
        SubscribeOptions.DEFAULTS.batch(3));
    // then
    eventually(() -> assertThat(heard.settled).hasSize(1));
    assertThat(statuses(heard.settled.get(0))).containsExactly(Status.RELEASED, Status.RELEASED);
    assertThat(handled).containsExactly("a");
    assertThat(counts().inFlight()).isZero();
    passUntil(() -> ackedCount() == 3);
    assertThat(handled).containsExactly("a", "a", "b", "c");
  }

  @Test
  void shouldLeaveLeasedWhatAHandlerThrewAtWhileAutoAckIsOff() {
    makeShared(QUEUE);
    client.subscribeAsync(
        message -> {
          throw new IllegalStateException("thrown on purpose");
        },
        TOPIC);

    push("a");

    eventually(() -> assertThat(heard.errors).hasSize(1));
    assertThat(broker.sent()).isEmpty();
    assertThat(counts().inFlight()).isEqualTo(1);
  }

  @Test
  void shouldDoNothingOnceItIsClosed() {
    client.close();

    assertThatThrownBy(() -> client.ack(TOPIC, "1.0.1@AAAAAAAAAAA"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("expected an open client, but it is closed");
    assertThatThrownBy(client::flushAcks).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> client.subscribeAsync(this::note, TOPIC))
        .isInstanceOf(IllegalStateException.class);
  }
}
