package io.holdfast.client.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.client.ClientFixture;
import io.holdfast.client.LossyBroker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a consumer takes, in which order, how it settles it, and when it ends. */
class ConsumerTest extends ClientFixture {
  private final List<String> handled = new CopyOnWriteArrayList<>();

  private ConsumerSetup<MessageHandler> each(int batch) {
    return holdfast.queue(QUEUE).batch(batch).each();
  }

  private void eventuallyHandled(String... texts) {
    eventually(() -> assertThat(handled).containsExactly(texts));
  }

  @Test
  void shouldHandleAndAckInOrder() {
    // given
    push("1", "2", "3", "4", "5");
    // when
    try (Consumer consumer = each(2).consume(message -> handled.add(message.text()))) {
      // then
      eventuallyHandled("1", "2", "3", "4", "5");
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(5));
      assertThat(consumer.counts().delivered()).isEqualTo(5);
      assertNothingIsLeft();
    }
  }

  @Test
  void shouldHandleWhatAPopTookWhoseAnswerGotLost() {
    // given an ordered partition, which the lease of the lost answer locks
    push("1", "2", "3");
    lossy.loseAnswers(2);
    // when less time passes than that lease lasts
    long begunMs = clock.wallMs();
    try (Consumer consumer = each(2).consume(message -> handled.add(message.text()))) {
      advanceUntil(
          Duration.ofMillis(100), () -> assertThat(handled).containsExactly("1", "2", "3"));
      // then
      assertThat(clock.wallMs() - begunMs).isLessThan(300_000);
      assertThat(consumer.counts().delivered()).isEqualTo(3);
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(3));
    }
  }

  @Test
  void shouldHandItBatchesUnlessEachIsAsked() {
    push("1", "2", "3");
    List<List<String>> batches = new CopyOnWriteArrayList<>();

    try (Consumer consumer =
        holdfast
            .queue(QUEUE)
            .batch(2)
            .consume(messages -> batches.add(messages.stream().map(HeldMessage::text).toList()))) {
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(3));
    }

    assertThat(batches).containsExactly(List.of("1", "2"), List.of("3"));
  }

  @Test
  void shouldSettleAHandledBatchWithTheNextPopInOneStep() {
    push("1", "2", "3", "4");

    try (Consumer consumer = each(2).consume(message -> handled.add(message.text()))) {
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(4));
    }

    assertThat(lossy.settles).isEmpty();
    List<List<Settle>> riding =
        lossy.pops.stream().map(PopRequest::settles).filter(all -> !all.isEmpty()).toList();
    assertThat(riding).hasSize(2).allMatch(settles -> settles.size() == 1);
    assertThat(riding.get(0).get(0).target()).isInstanceOf(Settle.Target.WholeLease.class);
  }

  @Test
  void shouldNackWithTheErrorAndRetry() {
    push("bad");

    try (Consumer consumer =
        each(1)
            .consume(
                message -> {
                  handled.add(message.attempt() + "/" + message.failures());
                  if (message.attempt() == 1) {
                    throw new IllegalStateException("not today");
                  }
                })) {
      eventually(() -> assertThat(consumer.counts().nacked()).isEqualTo(1));
      advanceUntil(
          Duration.ofMillis(500), () -> assertThat(consumer.counts().acked()).isEqualTo(1));
      assertThat(consumer.counts().handlerFailures()).isEqualTo(1);
    }

    assertThat(handled).containsExactly("1/0", "2/1");
  }

  @Test
  void shouldBuryAMessageThatAlwaysFailsWithItsError() {
    configure(QueueOption.RETRY_LIMIT, 0);
    push("bad");

    try (Consumer consumer =
        each(1)
            .consume(
                message -> {
                  throw new IllegalStateException("never");
                })) {
      eventually(() -> assertThat(consumer.counts().dead()).isEqualTo(1));
    }

    assertThat(
            broker
                .deadLetters(new DeadLettersRequest(DeadLetterFilter.queue(QUEUE), null, 10))
                .orThrow()
                .items())
        .singleElement()
        .satisfies(letter -> assertThat(letter.error()).contains("never"));
  }

  @Test
  void shouldNotRunPastAFailedMessageOfAnOrderedPartition() {
    // given
    push("1", "2", "3", "4");
    // when
    try (Consumer consumer =
        each(4)
            .consume(
                message -> {
                  handled.add(message.text());
                  if (message.text().equals("2") && message.attempt() == 1) {
                    throw new IllegalStateException("first try");
                  }
                })) {
      eventually(() -> assertThat(consumer.counts().released()).isEqualTo(2));
      // then
      assertThat(handled).containsExactly("1", "2");
      advanceUntil(
          Duration.ofMillis(500), () -> assertThat(consumer.counts().acked()).isEqualTo(4));
      assertThat(handled).containsExactly("1", "2", "2", "3", "4");
      assertThat(consumer.counts().nacked()).isEqualTo(1);
    }
  }

  @Test
  void shouldGoOnWithOtherPartitionsBehindAFailedMessage() {
    // given
    holdfast.queue(QUEUE).partition("a").push("a1");
    holdfast.queue(QUEUE).partition("a").push("a2");
    holdfast.queue(QUEUE).partition("b").push("b1");
    holdfast.queue(QUEUE).partition("b").push("b2");
    // when
    try (Consumer consumer =
        each(10)
            .partitions(2)
            .consume(
                message -> {
                  handled.add(message.text());
                  if (message.text().equals("a1")) {
                    throw new IllegalStateException("no");
                  }
                })) {
      // then
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(2));
      assertThat(handled).containsExactlyInAnyOrder("a1", "b1", "b2");
      eventually(() -> assertThat(consumer.counts().released()).isEqualTo(1));
    }
  }

  @Test
  void shouldRunPastAFailedMessageOfASharedQueue() {
    configure(QueueOption.DELIVERY, "shared");
    push("1", "2", "3");

    try (Consumer consumer =
        each(3)
            .consume(
                message -> {
                  handled.add(message.text());
                  if (message.text().equals("1")) {
                    throw new IllegalStateException("no");
                  }
                })) {
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(2));
    }

    assertThat(handled).containsExactly("1", "2", "3");
  }

  @Test
  void shouldNackEveryMessageOfABatchThatFailed() {
    configure(QueueOption.RETRY_LIMIT, 0);
    push("1", "2", "3");

    try (Consumer consumer =
        holdfast
            .queue(QUEUE)
            .batch(3)
            .consume(
                messages -> {
                  messages.get(0).ack();
                  throw new IllegalStateException("the rest failed");
                })) {
      eventually(() -> assertThat(consumer.counts().dead()).isEqualTo(2));
      assertThat(consumer.counts().acked()).isEqualTo(1);
    }
  }

  @Test
  void shouldLeaveAcksByHandToTheApplication() {
    // given
    push("1", "2", "3");
    List<HeldMessage> kept = new CopyOnWriteArrayList<>();
    // when
    try (Consumer consumer = each(3).ackByHand().consume(kept::add)) {
      eventually(() -> assertThat(kept).hasSize(3));
      // then
      assertThat(counts().inFlight()).isEqualTo(3);
      kept.get(0).ack();
      kept.get(1).nack("no", Duration.ofHours(1));
      kept.get(2).kill("never");
      assertThat(consumer.counts())
          .returns(1L, ConsumerCounts::acked)
          .returns(2L, ConsumerCounts::nacked)
          .returns(1L, ConsumerCounts::dead);
      assertNothingIsLeft();
    }
  }

  @Test
  void shouldLeaveAloneWhatTheHandlerSettledItself() {
    push("1", "2");

    try (Consumer consumer =
        each(2)
            .consume(
                message -> {
                  if (message.text().equals("1")) {
                    message.kill("poison");
                  }
                })) {
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
      assertThat(consumer.counts().dead()).isEqualTo(1);
      assertThat(consumer.counts().refused()).isZero();
    }
  }

  @Test
  void shouldCallBackForSuccessAndError() {
    // given
    push("good", "bad");
    // when
    try (Consumer consumer =
        each(2)
            .ackByHand()
            .onSuccess(
                message -> {
                  handled.add("success " + message.text());
                  message.ack();
                })
            .onError(
                (message, error) -> {
                  handled.add("error " + message.text() + " " + error.getMessage());
                  message.kill(error.getMessage());
                })
            .consume(
                message -> {
                  if (message.text().equals("bad")) {
                    throw new IllegalStateException("spoilt");
                  }
                })) {
      // then
      eventuallyHandled("success good", "error bad spoilt");
      eventually(() -> assertThat(consumer.counts().dead()).isEqualTo(1));
      assertThat(consumer.counts().acked()).isEqualTo(1);
    }
  }

  @Test
  void shouldTakeAThrowingOnSuccessAsAFailure() {
    push("1");

    try (Consumer consumer =
        each(1)
            .onSuccess(
                message -> {
                  throw new IllegalStateException("could not be recorded");
                })
            .consume(message -> handled.add(message.text()))) {
      eventually(() -> assertThat(consumer.counts().nacked()).isEqualTo(1));
      assertThat(consumer.counts().acked()).isZero();
    }
  }

  @Test
  void shouldAckAtDeliveryBeforeTheHandlerRuns() {
    // given
    push("1", "2");
    List<Long> inFlight = new CopyOnWriteArrayList<>();
    // when
    try (Consumer consumer =
        each(2)
            .ackAtDelivery()
            .consume(
                message -> {
                  inFlight.add(counts().inFlight());
                  assertThatThrownBy(message::ack).isInstanceOf(IllegalStateException.class);
                  handled.add(message.text());
                  throw new IllegalStateException("lost");
                })) {
      // then
      eventuallyHandled("1", "2");
      eventually(() -> assertThat(consumer.counts().handlerFailures()).isEqualTo(2));
      assertThat(inFlight).containsOnly(0L);
      assertThat(consumer.counts().nacked()).isZero();
    }
    assertThat(counts().returned()).isZero();
  }

  @Test
  void shouldEndAtItsLimitWithItsAcksSent() throws Exception {
    push("1", "2", "3", "4", "5", "6", "7");

    try (Consumer consumer =
        each(2).concurrency(3).limit(5).consume(message -> handled.add(message.text()))) {
      consumer.join();

      assertThat(consumer.isRunning()).isFalse();
      assertThat(handled).hasSize(5);
      assertThat(consumer.counts().acked()).isEqualTo(5);
      assertNothingIsLeft();
    }
  }

  @Test
  void shouldHandleAllOfItsLimitThoughOthersHaveNothingLeftToTake() throws Exception {
    // given
    holdfast.queue("limited").push("1");
    holdfast.queue("limited").push("2");
    // when
    try (Consumer consumer =
        holdfast
            .queue("limited")
            .batch(2)
            .each()
            .concurrency(2)
            .limit(2)
            .consume(
                message -> {
                  eventually(() -> assertThat(workersOf("limited")).isEqualTo(1));
                  handled.add(message.text());
                })) {
      consumer.join();
      // then
      assertThat(handled).containsExactly("1", "2");
      assertThat(consumer.counts().acked()).isEqualTo(2);
    }
  }

  private static long workersOf(String queue) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("holdfast-consume-" + queue))
        .count();
  }

  @Test
  void shouldEndWhenNothingCameForItsIdleTime() {
    push("1");

    try (Consumer consumer =
        each(1)
            .concurrency(2)
            .idle(Duration.ofSeconds(10))
            .consume(message -> handled.add(message.text()))) {
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
      clock.advance(Duration.ofSeconds(9));
      push("2");
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(2));
      clock.advance(Duration.ofSeconds(9));
      assertThat(consumer.isRunning()).isTrue();

      advanceUntil(Duration.ofSeconds(1), () -> assertThat(consumer.isRunning()).isFalse());
    }
    assertThat(handled).containsExactly("1", "2");
  }

  @Test
  void shouldNotTakeAnUnreachableBrokerForAnIdleOne() {
    lossy.cut();

    try (Consumer consumer =
        each(1).idle(Duration.ofSeconds(5)).consume(message -> handled.add(message.text()))) {
      advanceUntil(
          Duration.ofSeconds(11), () -> assertThat(consumer.counts().retries()).isGreaterThan(5));
      assertThat(consumer.isRunning()).isTrue();
      push(lossy, "1");

      advanceUntil(Duration.ofSeconds(1), () -> assertThat(handled).containsExactly("1"));
    }
  }

  private void push(LossyBroker line, String text) {
    line.heal();
    push(text);
  }

  @Test
  void shouldHandleAsManyAtATimeAsItHasWorkers() throws Exception {
    // given
    IntStream.range(0, 3).forEach(i -> holdfast.queue(QUEUE).partition("p" + i).push("m" + i));
    CyclicBarrier allAtOnce = new CyclicBarrier(4);
    // when
    try (Consumer consumer = each(1).concurrency(3).consume(message -> allAtOnce.await())) {
      allAtOnce.await();
      // then
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(3));
    }
  }

  @Test
  void shouldHandleEveryMessageOnceWithManyWorkers() {
    // given
    int messages = 300;
    Set<String> expected = ConcurrentHashMap.newKeySet();
    List<String> order = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      holdfast.queue(QUEUE).partition("p" + i % 5).push("" + i);
      expected.add("" + i);
    }
    // when
    try (Consumer consumer =
        each(7).concurrency(4).consume(message -> handled.add(message.text()))) {
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(messages));
    }
    // then
    assertThat(handled).containsExactlyInAnyOrderElementsOf(expected);
    for (int partition = 0; partition < 5; partition++) {
      int of = partition;
      order.clear();
      handled.stream().filter(text -> Integer.parseInt(text) % 5 == of).forEach(order::add);
      assertThat(order).isSortedAccordingTo((a, b) -> Integer.parseInt(a) - Integer.parseInt(b));
    }
  }

  @Test
  void shouldBeginWhereItsGroupIsToldTo() {
    push("old");
    clock.advance(Duration.ofMinutes(1));
    Instant later = Instant.ofEpochMilli(clock.wallMs());
    push("new");

    try (Consumer all = each(1).group("all").consume(m -> handled.add("all " + m.text()));
        Consumer from =
            each(1)
                .group("from")
                .subscriptionFrom(later)
                .consume(m -> handled.add("from " + m.text()));
        Consumer fresh =
            each(1)
                .group("fresh")
                .subscriptionMode(StartFrom.NEW)
                .consume(m -> handled.add("fresh " + m.text()))) {
      eventually(() -> assertThat(handled).hasSize(3));
      assertThat(handled).containsExactlyInAnyOrder("all old", "all new", "from new");
      eventually(() -> assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(3));
      push("newest");
      eventually(() -> assertThat(handled).contains("all newest", "from newest", "fresh newest"));
      assertThat(fresh.counts().delivered()).isEqualTo(1);
      assertThat(all.counts().delivered() + from.counts().delivered()).isEqualTo(5);
    }
  }

  @Test
  void shouldTakeOnlyFromItsPartition() {
    holdfast.queue(QUEUE).partition("a").push("a1");
    holdfast.queue(QUEUE).partition("b").push("b1");

    try (Consumer consumer =
        holdfast
            .queue(QUEUE)
            .partition("b")
            .each()
            .worker("me")
            .consume(message -> handled.add(message.text()))) {
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
    }

    assertThat(handled).containsExactly("b1");
  }

  @Test
  void shouldNotLetAcksOfALongBatchWaitForItsEnd() throws Exception {
    // given
    push("1", "2", "3");
    CountDownLatch second = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    // when
    try (Consumer consumer =
        each(3)
            .consume(
                message -> {
                  if (message.text().equals("1")) {
                    clock.advance(Duration.ofSeconds(2));
                  } else {
                    second.countDown();
                    goOn.await();
                  }
                })) {
      second.await();
      // then
      assertThat(consumer.counts().acked()).isEqualTo(1);
      goOn.countDown();
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(3));
    }
  }

  @Test
  void shouldSkipAMessageThatWasCancelledBeforeItsTurn() throws Exception {
    // given
    push("1", "2", "3");
    // when
    try (Consumer consumer =
        each(3)
            .leaseTime(Duration.ofSeconds(30))
            .consume(
                message -> {
                  if (message.text().equals("1")) {
                    broker.cancel(new CancelRequest(MessageRef.id(idOf(message, 1)))).orThrow();
                    message.extendLease(Duration.ofSeconds(30));
                  }
                  handled.add(message.text());
                })) {
      // then
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(2));
    }
    assertThat(handled).containsExactly("1", "3");
  }

  /** The id of the message so far behind another in its partition. */
  private UUID idOf(HeldMessage message, int behind) {
    return broker
        .browse(BrowseRequest.queue(message.queue()))
        .orThrow()
        .items()
        .get(behind)
        .message()
        .id();
  }

  @Test
  void shouldRefuseSettingsThatMakeNoSense() {
    assertThatThrownBy(() -> holdfast.queue(QUEUE).batch(0)).hasMessageContaining("batch");
    assertThatThrownBy(() -> holdfast.queue(QUEUE).concurrency(0)).hasMessageContaining("concur");
    assertThatThrownBy(() -> holdfast.queue(QUEUE).limit(0)).hasMessageContaining("limit");
    assertThatThrownBy(() -> holdfast.queue(QUEUE).group("")).hasMessageContaining("group");
    assertThatThrownBy(() -> holdfast.queue(QUEUE).idle(Duration.ZERO))
        .hasMessageContaining("idle");
    assertThatThrownBy(() -> holdfast.queue(QUEUE).renewLease(Duration.ZERO))
        .hasMessageContaining("renewLease");
  }

  @Test
  void shouldSendTheAcksOfAPopThatIsRefused() {
    // given
    push("1");
    // when every pop after the first is refused
    try (Consumer consumer = holdfast.queue(QUEUE).each().consume(message -> lossy.refusePops())) {
      // then
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
      assertThat(leases()).isZero();
      lossy.heal();
    }
  }
}
