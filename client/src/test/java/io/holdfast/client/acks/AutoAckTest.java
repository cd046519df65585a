package io.holdfast.client.acks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.MessageState;
import io.holdfast.client.acks.AckVerdict.Status;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Auto-ack: what is acked, in which batches, and when they are sent. */
class AutoAckTest extends AckFixture {
  @Test
  void shouldBeOffUntilItIsTurnedOn() {
    assertThat(client.autoAck()).isFalse();
    assertThat(client.ackBatchSize()).isEqualTo(1);
    assertThat(client.ackTimeout()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void shouldChainItsControls() {
    assertThat(client.setAutoAck(true).setAckBatchSize(50).setAckTimeout(Duration.ofMillis(500)))
        .isSameAs(client);

    assertThat(client.autoAck()).isTrue();
    assertThat(client.ackBatchSize()).isEqualTo(50);
    assertThat(client.ackTimeout()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void shouldAckNothingWhileItIsOff() {
    // given
    makeShared(QUEUE);
    client.subscribeAsync(this::note, TOPIC);
    // when
    push("a", "b");
    eventuallyHandled("a", "b");
    advanceMs(5_000);
    // then
    assertThat(client.flushAcks()).isEmpty();
    assertThat(broker.sent()).isEmpty();
    assertThat(counts().inFlight()).isEqualTo(2);
  }

  @Test
  void shouldAckEachMessageByItselfWithABatchSizeOfOne() {
    client.setAutoAck(true);
    client.subscribeAsync(this::note, TOPIC);

    push("a", "b", "c");

    eventuallyAcked(3);
    assertThat(handled).containsExactly("a", "b", "c");
    eventually(() -> assertThat(broker.acks()).hasSize(3));
    eventually(() -> assertThat(heard.settled).hasSize(3).allMatch(AckResult::allApplied));
  }

  @Test
  void shouldSendOneRequestWhenABatchIsFull() {
    // given
    makeShared(QUEUE);
    client.setAutoAck(true).setAckBatchSize(3);
    String subId = client.subscribeAsync(this::note, TOPIC, SubscribeOptions.DEFAULTS.batch(1));
    // when
    push("1", "2", "3", "4", "5", "6", "7");
    // then
    eventually(() -> assertThat(handled).hasSize(7));
    eventually(() -> assertThat(heard.settled).hasSize(2));
    assertThat(broker.sent()).hasSize(2).allMatch(sent -> !sent.request().atomic());
    assertThat(broker.sent().get(0).nanos()).isZero();
    assertThat(bookmarks(broker.sent().get(0))).isEqualTo(bookmarksOf(0, 3));
    assertThat(bookmarks(broker.sent().get(1))).isEqualTo(bookmarksOf(3, 6));
    assertThat(ackedCount()).isEqualTo(6);
    AckResult first = heard.settled.get(0);
    assertThat(first.topic()).isEqualTo(TOPIC);
    assertThat(first.subId()).isEqualTo(subId);
    assertThat(statuses(first)).containsExactly(Status.ACKED, Status.ACKED, Status.ACKED);
    assertThat(String.join(",", first.bookmarks())).isEqualTo(bookmarksOf(0, 3));
  }

  private String bookmarksOf(int from, int to) {
    return String.join(
        ",", messages.subList(from, to).stream().map(QueueMessage::bookmark).toList());
  }

  @Test
  void shouldSendABatchWhenItsFirstAckHasWaitedForTheTimeout() {
    // given
    makeShared(QUEUE);
    client.setAutoAck(true).setAckBatchSize(50).setAckTimeout(Duration.ofMillis(500));
    client.subscribeAsync(this::note, TOPIC);
    push("a");
    awaitBuffered("a");
    // when: later ones do not put it off
    advanceMs(400);
    push("b");
    awaitBuffered("a", "b");
    advanceMs(99);
    advanceMs(1);
    // then
    eventuallyAcked(2);
    assertThat(broker.acks()).hasSize(1);
    assertThat(broker.acks().get(0).nanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
    eventually(() -> assertThat(heard.settled).hasSize(1));
  }

  /** Waits until the worker polls again after these: then their acks are buffered. */
  private void awaitBuffered(String... payloads) {
    eventually(
        () -> {
          assertThat(handled).containsExactly(payloads);
          assertThat(engine.stats().orThrow().parkedPops()).isEqualTo(1);
        });
  }

  @Test
  void shouldSendBatchesOnDemand() {
    // given
    makeShared(QUEUE);
    client.setAutoAck(true).setAckBatchSize(50);
    client.subscribeAsync(this::note, TOPIC);
    push("a", "b");
    awaitBuffered("a", "b");
    assertThat(broker.sent()).isEmpty();
    // when
    List<AckResult> results = client.flushAcks();
    // then
    assertThat(results).hasSize(1);
    assertThat(statuses(results.get(0))).containsExactly(Status.ACKED, Status.ACKED);
    assertThat(String.join(",", results.get(0).bookmarks())).isEqualTo(bookmarksOf(0, 2));
    assertThat(broker.sent()).hasSize(1);
    assertThat(heard.settled).as("told to whoever asked, not to the listener").isEmpty();
    assertThat(client.flushAcks()).isEmpty();
  }

  @Test
  void shouldKeepABatchForEachTopicAndSubscription() {
    // given
    makeShared(QUEUE);
    makeShared("bills");
    client.setAutoAck(true).setAckBatchSize(2);
    String orders = client.subscribeAsync(this::note, TOPIC);
    String bills = client.subscribeAsync(this::note, "queue://bills");
    // when
    push("order");
    pushTo("bills", "bill");
    eventually(
        () -> {
          assertThat(handled).containsExactlyInAnyOrder("order", "bill");
          assertThat(engine.stats().orThrow().parkedPops()).isEqualTo(2);
        });
    // then
    assertThat(broker.sent()).isEmpty();
    assertThat(client.flushAcks())
        .extracting(AckResult::topic, AckResult::subId)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(TOPIC, orders),
            org.assertj.core.groups.Tuple.tuple("queue://bills", bills));
    assertThat(broker.sent()).hasSize(2);
  }

  @Test
  void shouldSendABatchOnceAllOfAnOrderedLeaseIsHandled() {
    // given
    client.setAutoAck(true).setAckBatchSize(50);
    push("a", "b", "c");
    // when
    client.subscribeAsync(this::note, TOPIC);
    // then: no time has passed
    eventuallyAcked(3);
    push("d");
    eventuallyAcked(4);
    assertThat(handled).containsExactly("a", "b", "c", "d");
    assertThat(broker.acks()).hasSize(2).allMatch(sent -> sent.nanos() == 0);
    assertThat(bookmarks(broker.acks().get(0))).isEqualTo(bookmarksOf(0, 3));
  }

  @Test
  void shouldNotSendABatchBeforeAllOfAnOrderedLeaseIsHandled() throws InterruptedException {
    // given
    CountDownLatch atLast = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    client.setAutoAck(true).setAckBatchSize(50);
    push("a", "b", "last");
    client.subscribeAsync(
        message -> {
          note(message);
          if (text(message).equals("last")) {
            atLast.countDown();
            goOn.await();
          }
        },
        TOPIC);
    // when
    awaitLatch(atLast);
    assertThat(broker.sent()).isEmpty();
    goOn.countDown();
    // then
    eventuallyAcked(3);
    assertThat(broker.sent()).hasSize(1);
  }

  @Test
  void shouldNackWithTheErrorAtOnceWhenTheHandlerThrows() {
    // given
    client.setAutoAck(true).setAckBatchSize(50);
    client.subscribeAsync(
        message -> {
          note(message);
          if (handled.size() == 1) {
            throw new IllegalStateException("no stock");
          }
        },
        TOPIC);
    // when
    UUID id = push("a").get(0);
    // then
    eventually(() -> assertThat(stateOf(id)).isEqualTo(MessageState.RETURNED));
    Attempt attempt = view(id).attempts().get(0);
    assertThat(attempt.cause()).isEqualTo(Attempt.Cause.NACKED);
    assertThat(attempt.error()).isEqualTo("java.lang.IllegalStateException: no stock");
    assertThat(attempt.worker()).isEqualTo("test/sub-1");
    eventually(() -> assertThat(heard.settled).hasSize(1));
    assertThat(statuses(heard.settled.get(0))).containsExactly(Status.NACKED);
    assertThat(heard.errors).hasSize(1);
    // and it is retried
    advanceMs(1_000);
    eventuallyAcked(1);
    assertThat(handled).containsExactly("a", "a");
  }

  @Test
  void shouldNotRunPastAFailedMessageOfAnOrderedPartition() {
    // given
    Set<String> failed = ConcurrentHashMap.newKeySet();
    client.setAutoAck(true).setAckBatchSize(50);
    List<UUID> ids = push("a", "b", "c", "d");
    // when
    client.subscribeAsync(
        message -> {
          note(message);
          if (text(message).equals("b") && failed.add("b")) {
            throw new IllegalStateException("not now");
          }
        },
        TOPIC);
    // then
    eventually(() -> assertThat(stateOf(ids.get(0))).isEqualTo(MessageState.SETTLED));
    assertThat(handled).containsExactly("a", "b");
    eventually(
        () ->
            assertThat(broker.sent())
                .extracting(CutBroker.Sent::outcomes)
                .containsExactly(
                    List.of(Outcome.NACK, Outcome.RELEASE, Outcome.RELEASE), List.of(Outcome.ACK)));
    assertThat(view(ids.get(2)).failures()).isZero();
    advanceMs(1_000);
    eventuallyAcked(4);
    assertThat(handled).containsExactly("a", "b", "b", "c", "d");
  }

  @Test
  void shouldRunPastAFailedMessageOfASharedQueue() {
    makeShared(QUEUE);
    client.setAutoAck(true);
    client.subscribeAsync(
        message -> {
          note(message);
          if (text(message).equals("b")) {
            throw new AssertionError("an error, too, is a failure");
          }
        },
        TOPIC,
        SubscribeOptions.DEFAULTS.batch(3));

    push("a", "b", "c");

    eventuallyAcked(2);
    assertThat(handled).containsExactly("a", "b", "c");
  }

  @Test
  void shouldNeverAckWhatWasSettledAtDelivery() {
    // given
    client.setAutoAck(true);
    client.subscribeAsync(
        message -> {
          note(message);
          if (text(message).equals("b")) {
            throw new IllegalStateException("nothing to nack");
          }
        },
        TOPIC,
        SubscribeOptions.DEFAULTS.settleAtDelivery(true));
    // when
    push("a", "b");
    eventuallyHandled("a", "b");
    // then
    assertThat(client.flushAcks()).isEmpty();
    assertThat(broker.sent()).isEmpty();
    assertThat(messages).noneMatch(QueueMessage::isAckable);
    assertThat(messages).allMatch(message -> message.bookmark().isEmpty());
    assertThat(messages).allMatch(message -> message.leasePeriod().isEmpty());
    assertThat(messages).extracting(QueueMessage::topic).containsOnly(TOPIC);
    assertThat(counts().inFlight()).isZero();
  }

  @Test
  void shouldAckOnlyMessagesWithTopicBookmarkAndLease() {
    client.subscribeAsync(this::note, TOPIC);
    push("a");
    eventuallyHandled("a");
    QueueMessage whole = messages.get(0);

    assertThat(whole.isAckable()).isTrue();
    assertThat(whole.leasePeriod())
        .contains(java.time.Instant.ofEpochMilli(clock.wallMs() + 300_000));
    assertThat(with(whole, "", whole.bookmark(), whole.leaseUntilMs()).isAckable()).isFalse();
    assertThat(with(whole, whole.topic(), "", whole.leaseUntilMs()).isAckable()).isFalse();
    assertThat(with(whole, whole.topic(), whole.bookmark(), 0).isAckable()).isFalse();
  }

  private static QueueMessage with(
      QueueMessage message, String topic, String bookmark, long until) {
    return new QueueMessage(topic, bookmark, until, message.subId(), message.delivery());
  }

  @Test
  void shouldNotAckAgainWhatTheHandlerHasAcked() {
    // given
    makeShared(QUEUE);
    client.setAutoAck(true).setAckBatchSize(2);
    client.subscribeAsync(
        message -> {
          note(message);
          if (text(message).equals("mine")) {
            client.ackMessage(message);
          }
        },
        TOPIC);
    // when
    push("mine", "a", "b");
    // then
    eventuallyAcked(3);
    eventually(() -> assertThat(heard.settled).hasSize(1));
    assertThat(String.join(",", heard.settled.get(0).bookmarks())).isEqualTo(bookmarksOf(1, 3));
    assertThat(heard.settled.get(0).allApplied()).isTrue();
  }

  @Test
  void shouldNotSendWhatWasAckedWhileItWaited() {
    // given
    makeShared(QUEUE);
    client.setAutoAck(true).setAckBatchSize(50);
    client.subscribeAsync(this::note, TOPIC);
    push("a", "b");
    awaitBuffered("a", "b");
    // when
    client.ackMessage(messages.get(0));
    // then
    assertThat(client.flushAcks().get(0).bookmarks()).containsExactly(messages.get(1).bookmark());
  }

  @Test
  void shouldFollowItsSwitchFromMessageToMessage() {
    // given
    makeShared(QUEUE);
    client.subscribeAsync(this::note, TOPIC);
    push("by hand");
    awaitBuffered("by hand");
    // when
    client.setAutoAck(true);
    push("by itself");
    // then
    eventuallyAcked(1);
    assertThat(bookmarks(broker.sent().get(0))).isEqualTo(messages.get(1).bookmark());
    client.setAutoAck(false);
    push("by hand again");
    eventually(() -> assertThat(counts().inFlight()).isEqualTo(2));
  }

  @Test
  void shouldSendAtOnceWhatALowerBatchSizeMakesFull() {
    makeShared(QUEUE);
    client.setAutoAck(true).setAckBatchSize(50);
    client.subscribeAsync(this::note, TOPIC);
    push("a", "b");
    awaitBuffered("a", "b");

    client.setAckBatchSize(2);

    eventuallyAcked(2);
    assertThat(broker.acks()).hasSize(1);
  }

  @Test
  void shouldTakeAsManyMessagesAsAnAckBatchUnlessToldOtherwise() {
    client.setAutoAck(true).setAckBatchSize(2);
    push("a", "b", "c");

    client.subscribeAsync(this::note, TOPIC);

    eventuallyAcked(3);
    assertThat(messages.get(0).delivery().leaseId())
        .isEqualTo(messages.get(1).delivery().leaseId())
        .isNotEqualTo(messages.get(2).delivery().leaseId());
  }
}
