package io.holdfast.client.consume;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.client.ClientFixture;
import io.holdfast.client.produce.Outgoing;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The batch that is fetched while the one before is handled. */
class PrefetchTest extends ClientFixture {
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  /** So long that none ends while a test moves time on faster than a busy machine keeps up. */
  private static final Duration LEASE = Duration.ofMinutes(10);

  private final List<String> handled = new CopyOnWriteArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @AfterEach
  void letGo() {
    goOn.countDown();
  }

  private ConsumerSetup<BatchHandler> batches(int size) {
    return holdfast.queue(QUEUE).batch(size).leaseTime(LEASE).prefetch(true);
  }

  private ConsumerSetup<MessageHandler> each(int size) {
    return batches(size).each();
  }

  private void pushAll(int count) {
    push(texts(1, count));
  }

  private static String[] texts(int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(String::valueOf).toArray(String[]::new);
  }

  /** The first batch is of a pop that waits; the one that begins with 3 has another behind it. */
  private void holdAtThree(HeldMessage message) throws InterruptedException {
    if (message.text().equals("3") && message.attempt() == 1) {
      begun.countDown();
      goOn.await();
    }
    handled.add(message.text());
  }

  private void awaitInFlight(long count) {
    eventually(() -> assertThat(counts().inFlight()).isEqualTo(count));
  }

  private void eventuallyHandled(String... texts) {
    eventually(() -> assertThat(handled).containsExactly(texts));
  }

  private List<PopRequest> joins() {
    return lossy.pops.stream().filter(pop -> pop.joinLease() != null).toList();
  }

  @Test
  void shouldFetchTheNextBatchIntoTheSameLease() throws Exception {
    // given
    pushAll(10);
    // when
    try (Consumer consumer = each(2).consume(this::holdAtThree)) {
      begun.await();
      awaitInFlight(4);
      // then
      assertThat(leases()).isEqualTo(1);
      assertThat(handled).containsExactly("1", "2");
      goOn.countDown();
      eventuallyHandled(texts(1, 10));
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(10));
      assertThat(consumer.counts().delivered()).isEqualTo(10);
      assertNothingIsLeft();
    }
  }

  @Test
  void shouldCarryTheAcksOfTheBatchBefore() {
    pushAll(8);

    try (Consumer consumer = each(2).consume(message -> handled.add(message.text()))) {
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(8));
    }

    assertThat(lossy.settles).isEmpty();
    List<PopRequest> carrying = joins().stream().filter(pop -> !pop.settles().isEmpty()).toList();
    // Of 3 and 4 with the pop behind 5 and 6, and so on; a whole lease would be too much.
    assertThat(carrying)
        .hasSize(2)
        .allSatisfy(
            pop ->
                assertThat(pop.settles())
                    .hasSize(2)
                    .allMatch(settle -> settle.target() instanceof Settle.Target.Held));
  }

  @Test
  void shouldHoldOneBatchMoreAtMost() {
    pushAll(60);
    AtomicLong most = new AtomicLong();

    try (Consumer consumer =
        each(3)
            .consume(
                message -> {
                  most.accumulateAndGet(counts().inFlight(), Math::max);
                  handled.add(message.text());
                })) {
      eventuallyHandled(texts(1, 60));
      assertThat(consumer.counts().delivered()).isEqualTo(60);
    }

    assertThat(most.get()).isEqualTo(6);
  }

  @Test
  void shouldNotJoinALeaseForEver() {
    pushAll(100);

    try (Consumer consumer = each(1).consume(message -> handled.add(message.text()))) {
      eventuallyHandled(texts(1, 100));
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(100));
    }

    Map<String, Long> perLease =
        joins().stream()
            .collect(Collectors.groupingBy(PopRequest::joinLease, Collectors.counting()));
    assertThat(perLease).hasSizeGreaterThan(5);
    assertThat(perLease.values()).allMatch(count -> count <= HeldLease.JOINS_MAX);
  }

  @Test
  void shouldNotAskInVainIfThereIsLittle() {
    push("1");
    try (Consumer consumer = each(2).consume(message -> handled.add(message.text()))) {
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
      push("2");
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(2));
    }

    assertThat(joins()).isEmpty();
  }

  static List<UnaryOperator<ConsumerSetup<BatchHandler>>> withoutPrefetch() {
    return List.of(
        setup -> setup.prefetch(false),
        ConsumerSetup::withoutRenewal,
        ConsumerSetup::ackByHand,
        ConsumerSetup::ackAtDelivery);
  }

  @ParameterizedTest
  @MethodSource("withoutPrefetch")
  void shouldNotFetchAheadWhereItIsNotSafeOrNotWanted(
      UnaryOperator<ConsumerSetup<BatchHandler>> change) {
    pushAll(10);
    AtomicLong most = new AtomicLong();
    AtomicLong seen = new AtomicLong();

    try (Consumer consumer =
        change
            .apply(batches(2))
            .each()
            .consume(
                message -> {
                  // Those that came and were not handled are this one and one behind it at most.
                  long delivered = broker.stats().orThrow().totals().delivered();
                  most.accumulateAndGet(delivered - seen.getAndIncrement(), Math::max);
                  handled.add(message.text());
                  if (!message.leaseId().isEmpty()) {
                    message.ack();
                  }
                })) {
      eventuallyHandled(texts(1, 10));
      assertThat(consumer.counts().delivered()).isEqualTo(10);
    }

    assertThat(joins()).isEmpty();
    assertThat(most.get()).isEqualTo(2);
  }

  @Test
  void shouldKeepToItsLimit() throws Exception {
    pushAll(10);

    try (Consumer consumer = each(2).limit(5).consume(message -> handled.add(message.text()))) {
      consumer.join();
      assertThat(consumer.counts().acked()).isEqualTo(5);
      assertThat(consumer.counts().delivered()).isEqualTo(5);
    }

    assertThat(handled).containsExactly(texts(1, 5));
    assertThat(joins()).isNotEmpty();
    assertThat(counts().waiting()).isEqualTo(5);
    assertThat(counts().inFlight() + counts().returned()).isZero();
  }

  @Test
  void shouldEndWhenIdle() throws Exception {
    pushAll(6);
    try (Consumer consumer =
        each(2).idle(Duration.ofSeconds(5)).consume(message -> handled.add(message.text()))) {
      eventuallyHandled(texts(1, 6));
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(6));

      advanceUntil(Duration.ofSeconds(1), () -> assertThat(consumer.isRunning()).isFalse());

      assertThat(consumer.counts().acked()).isEqualTo(6);
    }
  }

  // A failure in the batch before

  /** Fails once, when the next batch is here. */
  private void failAtThree(HeldMessage message) {
    if (message.text().equals("3") && message.attempt() == 1) {
      awaitInFlight(4);
      throw new IllegalStateException("not today");
    }
    handled.add(message.text() + "/" + message.failures());
  }

  private void untilAcked(Consumer consumer, int count) {
    advanceUntil(
        Duration.ofMillis(200), () -> assertThat(consumer.counts().acked()).isEqualTo(count));
  }

  @Test
  void shouldNotRunPastAFailedMessageOfTheBatchBefore() {
    // given
    pushAll(8);
    // when
    try (Consumer consumer = each(2).consume(this::failAtThree)) {
      untilAcked(consumer, 8);
      // then
      assertThat(handled).containsExactly("1/0", "2/0", "3/1", "4/0", "5/0", "6/0", "7/0", "8/0");
      assertThat(consumer.counts())
          .returns(1L, ConsumerCounts::nacked)
          .returns(3L, ConsumerCounts::released)
          .returns(0L, ConsumerCounts::refused);
      assertNothingIsLeft();
    }
  }

  @Test
  void shouldCountWhatWentBackUnseenAsNotTaken() throws Exception {
    pushAll(8);

    try (Consumer consumer = each(2).limit(8).consume(this::failAtThree)) {
      // 1 to 4, of which two do not get done; 5 and 6 were not begun.
      advanceUntil(Duration.ofMillis(200), () -> assertThat(consumer.isRunning()).isFalse());
    }

    assertThat(handled).containsExactly("1/0", "2/0", "3/1", "4/0", "5/0", "6/0");
  }

  static List<MessageHandler> waysToGiveBack() {
    return List.of(
        message -> message.nack("not today"),
        message -> message.release(Duration.ofSeconds(1)),
        message -> {
          throw new IllegalStateException("not today");
        });
  }

  @ParameterizedTest
  @MethodSource("waysToGiveBack")
  void shouldNotRunPastWhatTheHandlerItselfGaveBack(MessageHandler giveBack) {
    // given
    pushAll(8);
    // when
    try (Consumer consumer =
        batches(2)
            .consume(
                messages -> {
                  HeldMessage first = messages.get(0);
                  if (first.text().equals("3") && first.attempt() == 1) {
                    awaitInFlight(4);
                    giveBack.handle(first);
                    handled.add(messages.get(1).text());
                  } else {
                    messages.forEach(message -> handled.add(message.text()));
                  }
                })) {
      untilAcked(consumer, 8);
    }
    // then
    assertThat(handled.indexOf("5")).isGreaterThan(handled.indexOf("3"));
    assertThat(handled.stream().filter(text -> !text.equals("4")).toList())
        .containsExactly("1", "2", "3", "5", "6", "7", "8");
  }

  @Test
  void shouldGoOnBehindWhatIsDead() {
    pushAll(8);

    try (Consumer consumer =
        each(2)
            .consume(
                message -> {
                  if (message.text().equals("3")) {
                    awaitInFlight(4);
                    message.kill("never");
                  }
                  handled.add(message.text());
                })) {
      eventuallyHandled(texts(1, 8));
      assertThat(consumer.counts().released()).isZero();
    }
  }

  private void pushToBoth(int... numbers) {
    for (int number : numbers) {
      holdfast.queue(QUEUE).partition("a").push(Outgoing.text("a" + number));
      holdfast.queue(QUEUE).partition("b").push(Outgoing.text("b" + number));
    }
  }

  /** Sees to it that each batch is of both partitions, and fails in the second. */
  private void failInOneOfTwo(HeldMessage message) {
    if (handled.isEmpty()) {
      pushToBoth(3, 4);
    }
    if (handled.size() == 4 && begun.getCount() > 0) {
      begun.countDown();
      pushToBoth(5);
      lossy.heal();
      awaitInFlight(6);
    }
    if (message.text().equals("a3") && message.attempt() == 1) {
      throw new IllegalStateException("not today");
    }
    handled.add(message.text());
  }

  private List<String> handledOf(String partition) {
    return handled.stream().filter(text -> text.startsWith(partition)).toList();
  }

  @Test
  void shouldGoOnInPartitionsInWhichNothingFailed() {
    // given
    lossy.holdJoins();
    pushToBoth(1, 2);
    // when
    try (Consumer consumer = batches(4).partitions(2).each().consume(this::failInOneOfTwo)) {
      // then
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(7));
      assertThat(handledOf("a")).containsExactly("a1", "a2");
      assertThat(handledOf("b")).containsExactly("b1", "b2", "b3", "b4", "b5");
      untilAcked(consumer, 10);
      assertThat(handledOf("a")).containsExactly("a1", "a2", "a3", "a4", "a5");
      assertThat(consumer.counts().released()).isEqualTo(2);
    }
  }

  @Test
  void shouldRunPastAFailedMessageIfTheQueueSkips() {
    configure(QueueOption.ON_FAILURE, "skip");
    pushAll(8);

    try (Consumer consumer = each(2).consume(this::failAtThree)) {
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(7));
      assertThat(handled).doesNotContain("3/1").contains("5/0", "8/0");
      assertThat(consumer.counts().released()).isZero();
      untilAcked(consumer, 8);
    }
  }

  // Shared delivery

  @Test
  void shouldNotKeepMessagesFromOthersUnlessAsked() {
    configure(QueueOption.DELIVERY, "shared");
    pushAll(20);
    AtomicLong most = new AtomicLong();

    try (Consumer consumer =
        holdfast
            .queue(QUEUE)
            .batch(2)
            .each()
            .consume(
                message -> {
                  most.accumulateAndGet(counts().inFlight(), Math::max);
                  handled.add(message.text());
                })) {
      eventuallyHandled(texts(1, 20));
      assertThat(consumer.counts().delivered()).isEqualTo(20);
    }

    assertThat(most.get()).isEqualTo(2);
  }

  @Test
  void shouldTakeASecondLeaseIfDeliveryIsShared() throws Exception {
    // given
    configure(QueueOption.DELIVERY, "shared");
    pushAll(10);
    // when
    try (Consumer consumer = each(2).consume(this::holdAtThree)) {
      begun.await();
      awaitInFlight(4);
      // then
      assertThat(leases()).isEqualTo(2);
      clock.advance(LEASE.dividedBy(3));
      eventually(
          () ->
              assertThat(lossy.extensions.stream().map(request -> request.leaseId()).distinct())
                  .hasSize(2));
      goOn.countDown();
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(10));
      assertThat(joins()).isEmpty();
      assertNothingIsLeft();
    }
  }

  // The default

  /** Holds the third batch, behind two that took so long each. */
  private Consumer consumeByDefault(Duration handler) {
    return holdfast
        .queue(QUEUE)
        .batch(2)
        .leaseTime(LEASE)
        .consume(
            batch -> {
              clock.advance(handler);
              if (batch.get(0).text().equals("5")) {
                begun.countDown();
                goOn.await();
              }
              batch.forEach(message -> handled.add(message.text()));
            });
  }

  @Test
  void shouldFetchAheadByDefaultIfDeliveryIsShared() throws Exception {
    configure(QueueOption.DELIVERY, "shared");
    pushAll(10);
    try (Consumer consumer = consumeByDefault(Duration.ofMillis(5))) {
      begun.await();
      awaitInFlight(4);
      goOn.countDown();
      eventuallyHandled(texts(1, 10));
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(10));
    }
  }

  @Test
  void shouldNotFetchAheadByDefaultForAHandlerThatTakesLong() throws Exception {
    configure(QueueOption.DELIVERY, "shared");
    pushAll(10);
    try (Consumer consumer = consumeByDefault(FetchAhead.HANDLER_MAX.plusMillis(1))) {
      begun.await();
      assertThat(counts().inFlight()).isEqualTo(2);
      goOn.countDown();
      eventuallyHandled(texts(1, 10));
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(10));
    }
  }

  @Test
  void shouldNotFetchAheadByDefaultIfDeliveryIsOrdered() throws Exception {
    pushAll(10);
    try (Consumer consumer = consumeByDefault(Duration.ofMillis(5))) {
      begun.await();
      assertThat(counts().inFlight()).isEqualTo(2);
      goOn.countDown();
      eventuallyHandled(texts(1, 10));
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(10));
      assertThat(joins()).isEmpty();
    }
  }

  // Leases

  @Test
  void shouldRenewWhatWaits() throws Exception {
    pushAll(6);
    try (Consumer consumer = each(2).consume(this::holdAtThree)) {
      begun.await();
      awaitInFlight(4);

      for (int i = 1; i <= 12; i++) {
        clock.advance(LEASE.dividedBy(3));
        int renewals = i;
        eventually(() -> assertThat(lossy.extensions).hasSizeGreaterThanOrEqualTo(renewals));
      }
      goOn.countDown();

      eventuallyHandled(texts(1, 6));
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(6));
      assertThat(consumer.counts().leasesLost()).isZero();
      // One lease, one renewal at a time.
      assertThat(lossy.extensions).hasSizeLessThan(20);
    }
  }

  @Test
  void shouldLoseWhatWaitsWithTheLease() throws Exception {
    // given
    pushAll(8);
    Set<String> attempts = Collections.newSetFromMap(new ConcurrentHashMap<>());
    CompletableFuture<Integer> lost = new CompletableFuture<>();
    ConsumerListener listener =
        new ConsumerListener() {
          @Override
          public void leaseLost(ConsumerId consumer, String leaseId, int messages) {
            lost.complete(messages);
          }
        };
    try (Consumer consumer =
        each(2)
            .listener(listener)
            .consume(
                message -> {
                  holdAtThree(message);
                  attempts.add(message.text() + "/" + message.attempt());
                })) {
      begun.await();
      eventually(() -> assertThat(consumer.counts().delivered()).isEqualTo(6));
      // when
      lossy.cut();
      clock.advance(LEASE.plusSeconds(1));
      assertThat(lost.get()).isEqualTo(4);
      lossy.heal();
      // then
      untilAcked(consumer, 8);
      assertThat(handled).containsExactly(texts(1, 8));
      assertThat(attempts).contains("3/2", "4/2", "5/2", "6/2").doesNotContain("5/1", "6/1");
    }
  }

  @Test
  void shouldKeepTheOrderIfTheAnswerWithTheNextBatchGotLost() {
    // given
    pushAll(8);
    Map<String, Integer> attempts = new ConcurrentHashMap<>();
    lossy.loseAnswersToJoins(1);
    // when
    try (Consumer consumer =
        each(2)
            .consume(
                message -> {
                  attempts.put(message.text(), message.attempt());
                  handled.add(message.text());
                })) {
      untilAcked(consumer, 8);
      assertThat(consumer.counts().retries()).isEqualTo(1);
      assertThat(consumer.counts().refused()).isZero();
      assertNothingIsLeft();
    }
    // then: 5 and 6 were in the lease though nobody knew, and came again before 7.
    assertThat(handled).containsExactly(texts(1, 8));
    assertThat(attempts).containsEntry("4", 1).containsEntry("5", 2).containsEntry("7", 1);
  }

  @Test
  void shouldGoOnIfTheLeaseToJoinIsOver() {
    pushAll(8);
    lossy.holdJoins();

    try (Consumer consumer =
        batches(2)
            .consume(
                messages -> {
                  // Settled by hand: its lease is over before the next pop can join it.
                  messages.forEach(HeldMessage::ack);
                  messages.forEach(message -> handled.add(message.text()));
                  if (messages.get(0).text().equals("3")) {
                    lossy.heal();
                  }
                })) {
      eventuallyHandled(texts(1, 8));
      assertThat(consumer.counts().retries()).isZero();
      assertNothingIsLeft();
    }
  }

  // Stop

  @Test
  void shouldGiveBackWhatItFetchedWhenItStops() throws Exception {
    // given
    pushAll(8);
    Consumer consumer = each(2).consume(this::holdAtThree);
    begun.await();
    eventually(() -> assertThat(consumer.counts().delivered()).isEqualTo(6));
    // when
    CompletableFuture<Boolean> stopped =
        CompletableFuture.supplyAsync(() -> consumer.stop(DEADLINE), Thread::startVirtualThread);
    eventually(() -> assertThat(consumer.isEnding()).isTrue());
    goOn.countDown();
    // then
    assertThat(stopped.get()).isTrue();
    assertThat(handled).containsExactly("1", "2", "3");
    assertThat(consumer.counts())
        .returns(3L, ConsumerCounts::acked)
        .returns(3L, ConsumerCounts::released)
        .returns(0L, ConsumerCounts::nacked);
    assertThat(leases()).isZero();
    assertThat(holdfast.queue(QUEUE).batch(10).pop())
        .extracting(HeldMessage::text)
        .containsExactly("4", "5", "6", "7", "8");
  }

  /** A handler that nothing gets out of its wait. */
  private void neverMind(HeldMessage message) {
    if (message.text().equals("3")) {
      begun.countDown();
      while (goOn.getCount() > 0) {
        try {
          goOn.await();
        } catch (InterruptedException ignored) {
          // As some libraries do.
        }
      }
    }
  }

  private static void stopAtTheDeadline(Consumer consumer, Runnable advance) throws Exception {
    CompletableFuture<Boolean> stopped =
        CompletableFuture.supplyAsync(() -> consumer.stop(DEADLINE), Thread::startVirtualThread);
    eventually(() -> assertThat(consumer.isEnding()).isTrue());
    advance.run();
    assertThat(stopped.get()).isFalse();
  }

  @Test
  void shouldGiveBackWhatItFetchedThoughTheHandlerDoesNotReturn() throws Exception {
    pushAll(8);
    Consumer consumer = each(2).consume(this::neverMind);
    begun.await();
    eventually(() -> assertThat(consumer.counts().delivered()).isEqualTo(6));

    stopAtTheDeadline(consumer, () -> clock.advance(DEADLINE));

    assertNothingIsLeft();
    assertThat(counts().returned()).isEqualTo(4);
    eventually(() -> assertThat(consumer.counts().released()).isEqualTo(4));
  }

  @Test
  void shouldGiveBackWhatComesAfterTheDeadline() throws Exception {
    // given
    pushAll(8);
    lossy.holdJoins();
    Consumer consumer = each(2).consume(this::neverMind);
    begun.await();
    eventually(() -> assertThat(joins()).hasSize(1));
    // The lease lives on although the stop gives back what is known: something else is in it.
    String lease = joins().get(0).joinLease();
    assertThat(broker.pop(PopRequest.queue(QUEUE).joinLease(lease)).orThrow().messages())
        .hasSize(1);
    // when
    stopAtTheDeadline(consumer, () -> clock.advance(DEADLINE));
    eventually(() -> assertThat(counts().returned()).isEqualTo(2));
    lossy.heal();
    // then
    eventually(() -> assertThat(consumer.counts().delivered()).isEqualTo(6));
    awaitInFlight(1);
    // The broker has given them back a moment before the consumer counts it.
    eventually(
        () ->
            assertThat(consumer.counts().delivered() - consumer.counts().acked())
                .isEqualTo(consumer.counts().released()));
  }
}
