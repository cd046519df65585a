package io.holdfast.client.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.api.UnreachableException;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.client.produce.BufferOptions;
import io.holdfast.client.produce.Outgoing;
import io.holdfast.client.produce.PushBuffer;
import io.holdfast.client.remote.OverHttpFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Producing and consuming over a network that fails. */
@Tag("slow")
class ConsumeOverHttpTest extends OverHttpFixture {
  private static final int ROUNDS = 6;
  private static final int PARTITIONS = 4;
  private static final Duration LEASE = Duration.ofSeconds(1);

  private final Map<String, CompletableFuture<PushedMessage>> pushed = new ConcurrentHashMap<>();
  private final Set<String> handled = ConcurrentHashMap.newKeySet();
  private final Set<String> deliveries = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> newest = new ConcurrentHashMap<>();
  private final List<String> wrong = new CopyOnWriteArrayList<>();
  private final AtomicInteger told = new AtomicInteger();

  /** How many messages the producer may be ahead of the consumers, so that they can catch up. */
  private final Semaphore unhandled = new Semaphore(500);

  private final ConsumerListener listener =
      new ConsumerListener() {
        @Override
        public void retrying(ConsumerId consumer, RuntimeException cause, Duration after) {
          told.incrementAndGet();
        }
      };

  /** Each delivery once; a message that was not seen before is the next of its partition. */
  private void handle(HeldMessage message) {
    String text = message.text();
    if (!deliveries.add(text + " attempt " + message.attempt())) {
      wrong.add(message + " was handled twice");
    }
    int number = Integer.parseInt(text.substring(text.indexOf('-') + 1));
    newest.merge(
        message.partition(),
        number,
        (last, next) -> {
          if (next > last + 1) {
            wrong.add(text + " came after " + last);
          }
          return Math.max(last, next);
        });
    if (handled.add(text)) {
      unhandled.release();
    }
  }

  private void push(PushBuffer buffer, int i) {
    String partition = "p" + i % PARTITIONS;
    String text = partition + "-" + i / PARTITIONS;
    pushed.put(text, buffer.push(partition, Outgoing.text(text)));
  }

  private PushBuffer buffer() {
    return holdfast.queue(QUEUE).buffer(BufferOptions.of(20, Duration.ofMillis(5)).capacity(200));
  }

  private ConsumerSetup<MessageHandler> consumer() {
    return holdfast.queue(QUEUE).batch(10).leaseTime(LEASE).listener(listener).each();
  }

  private void assertAllWasHandled() {
    pushed.forEach((text, future) -> assertThat(future).as(text).isCompleted());
    eventually(() -> assertThat(handled.size()).isEqualTo(pushed.size()));
    eventually(() -> assertAllIsSettled(QUEUE));
    assertThat(handled).isEqualTo(pushed.keySet());
    assertThat(wrong).isEmpty();
    assertThat(engine.stats().orThrow().totals().pushed()).isEqualTo(pushed.size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLoseNothingWhileTheNetworkIsCutAgainAndAgain(boolean prefetch) throws Exception {
    // given
    AtomicBoolean producing = new AtomicBoolean(true);
    try (PushBuffer buffer = buffer();
        Consumer consumer =
            consumer().prefetch(prefetch).concurrency(PARTITIONS).consume(this::handle)) {
      Thread producer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; producing.get(); i++) {
                      unhandled.acquireUninterruptibly();
                      push(buffer, i);
                    }
                  });
      // when
      for (int round = 0; round < ROUNDS; round++) {
        int before = handled.size();
        int toldBefore = told.get();
        eventually(() -> assertThat(handled.size()).isGreaterThan(before + 50));
        cut();
        eventually(() -> assertThat(told).hasValueGreaterThan(toldBefore));
        restore();
      }
      producing.set(false);
      producer.join();
      buffer.flush();
      // then
      assertAllWasHandled();
      eventually(() -> assertThat(consumer.counts().retries()).isEqualTo(told.get()));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLoseAndDoubleNothingIfAnswersAreLost(boolean prefetch) {
    // given
    int messages = 400;
    try (PushBuffer buffer = buffer();
        Consumer consumer =
            consumer()
                .leaseTime(Duration.ofSeconds(3))
                .prefetch(prefetch)
                .concurrency(2)
                .consume(this::handle)) {
      // when
      for (int i = 0; i < messages; i++) {
        if (i % 100 == 50) {
          relay.loseAnswers("push", 1);
          relay.loseAnswers("pop", 1);
        }
        push(buffer, i);
        if (i % 100 == 99) {
          eventually(() -> assertThat(relay.answersToLose()).isZero());
        }
      }
      buffer.flush();
      // then
      assertAllWasHandled();
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(messages));
      assertThat(consumer.counts().refused()).isZero();
    }
  }

  @Test
  void shouldCountASettleAsDoneIfItsAnswerIsLost() throws Exception {
    // given
    for (int i = 0; i < 10; i++) {
      holdfast.queue(QUEUE).push("m-" + i);
    }
    relay.loseAnswers("settle", 1);
    // when
    try (Consumer consumer =
        holdfast.queue(QUEUE).batch(10).limit(10).each().consume(this::handle)) {
      consumer.join();
      // then
      assertThat(relay.answersToLose()).isZero();
      assertThat(consumer.counts().acked()).isEqualTo(10);
      assertThat(consumer.counts().unsent()).isZero();
      assertAllIsSettled(QUEUE);
    }
  }

  @Test
  void shouldCountAReleaseAsDoneIfItsAnswerIsLost() throws Exception {
    // given
    for (int i = 0; i < 3; i++) {
      holdfast.queue(QUEUE).push("m-" + i);
    }
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Consumer consumer =
        holdfast
            .queue(QUEUE)
            .batch(3)
            .each()
            .consume(
                message -> {
                  entered.countDown();
                  goOn.await();
                });
    entered.await();
    relay.loseAnswers("settle", 1);
    // when
    CompletableFuture<Boolean> stopped =
        CompletableFuture.supplyAsync(
            () -> consumer.stop(Duration.ofSeconds(30)), Thread::startVirtualThread);
    eventually(() -> assertThat(consumer.isEnding()).isTrue());
    goOn.countDown();
    // then
    assertThat(stopped.get()).isTrue();
    assertThat(relay.answersToLose()).isZero();
    assertThat(consumer.counts().acked()).isEqualTo(1);
    assertThat(consumer.counts().released()).isEqualTo(2);
    assertThat(consumer.counts().refused()).isZero();
  }

  @Test
  void shouldCountAnAckByHandAsDoneIfItsAnswerIsLost() throws Exception {
    // given
    holdfast.queue(QUEUE).push("m-0");
    CompletableFuture<List<SettleVerdict.Status>> verdicts = new CompletableFuture<>();
    relay.loseAnswers("settle", 1);
    // when
    try (Consumer consumer =
        holdfast
            .queue(QUEUE)
            .ackByHand()
            .each()
            .consume(
                message ->
                    verdicts.complete(List.of(message.ack().status(), message.ack().status())))) {
      // then
      assertThat(verdicts.get()).containsOnly(SettleVerdict.Status.ALREADY_SETTLED);
      assertThat(relay.answersToLose()).isZero();
      assertThat(consumer.counts().acked()).as("once, not for the repeat").isEqualTo(1);
      assertThat(acked()).isEqualTo(1);
    }
  }

  @Test
  void shouldStopAtOnceWhileItsPopsAreParked() {
    // given
    Consumer consumer = consumer().concurrency(3).consume(this::handle);
    eventually(() -> assertThat(parked()).isEqualTo(3));
    // when
    promptly(() -> assertThat(consumer.stop(Duration.ofSeconds(60))).isTrue());
    // then
    eventually(() -> assertThat(parked()).isZero());
    holdfast.queue(QUEUE).push("m-0");
    assertThat(engine.pop(PopRequest.queue(QUEUE)).orThrow().messages()).hasSize(1);
  }

  @Test
  void shouldStopAtOnceWhileTheNetworkIsCut() {
    // given
    Consumer consumer = consumer().consume(this::handle);
    eventually(() -> assertThat(parked()).isEqualTo(1));
    cut();
    eventually(() -> assertThat(told).hasPositiveValue());
    // when
    promptly(() -> assertThat(consumer.stop(Duration.ofSeconds(60))).isTrue());
    // then
    assertThat(consumer.isRunning()).isFalse();
  }

  @Test
  void shouldRenewALeaseWhileItsMessageIsHandled() throws Exception {
    // given
    holdfast.queue(QUEUE).push("m-0");
    CompletableFuture<HeldMessage> taken = new CompletableFuture<>();
    CountDownLatch goOn = new CountDownLatch(1);
    try (Consumer consumer =
        consumer()
            .leaseTime(Duration.ofSeconds(3))
            .consume(
                message -> {
                  taken.complete(message);
                  goOn.await();
                })) {
      long untilMs = untilMs(taken.get());
      // when
      eventually(
          () -> assertThat(untilMs(taken.join())).isGreaterThan(untilMs + 2 * LEASE.toMillis()));
      goOn.countDown();
      // then
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
      assertThat(consumer.counts().leasesLost()).isZero();
      assertThat(consumer.counts().delivered()).isEqualTo(1);
    }
  }

  private long untilMs(HeldMessage message) {
    return engine.lease(message.leaseId()).orThrow().untilMs();
  }

  @Test
  void shouldTellTheHandlerThatItsLeaseWasEndedByTheServer() throws Exception {
    // given
    holdfast.queue(QUEUE).push("m-0");
    CompletableFuture<HeldMessage> taken = new CompletableFuture<>();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    try (Consumer consumer =
        consumer()
            .leaseTime(Duration.ofSeconds(3))
            .consume(
                message -> {
                  if (taken.complete(message)) {
                    waitForInterrupt(interrupted);
                  }
                })) {
      taken.get();
      // when
      SeekRequest.To beginning = new SeekRequest.To.Beginning();
      engine.seek(new SeekRequest(QUEUE, PopRequest.QUEUE_MODE, null, beginning)).orThrow();
      // then
      assertThat(interrupted.get()).isTrue();
      assertThat(taken.get().isLeaseLost()).isTrue();
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
      eventually(() -> assertThat(consumer.counts().leasesLost()).isEqualTo(1));
      assertThat(consumer.counts().delivered()).isEqualTo(2);
      assertAllIsSettled(QUEUE);
    }
  }

  private static void waitForInterrupt(CompletableFuture<Boolean> interrupted) {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException expected) {
      interrupted.complete(true);
    }
  }

  @Test
  void shouldCommitATransactionOnceIfItsAnswerIsLost() {
    // given
    holdfast.queue(QUEUE).push("m-0");
    HeldMessage message = holdfast.queue(QUEUE).take().orElseThrow();
    relay.loseAnswers("commit", 2);
    // when
    holdfast.transaction().ack(message).queue("next").partition("p").push("done").commit();
    // then
    assertThat(relay.answersToLose()).isZero();
    assertAllIsSettled(QUEUE);
    assertThat(counts("next").waiting()).isEqualTo(1);
  }

  @Test
  void shouldCommitATransactionOnceIfItIsRepeatedAfterACut() {
    // given
    holdfast.queue(QUEUE).push("m-0");
    HeldMessage message = holdfast.queue(QUEUE).take().orElseThrow();
    Transaction transaction = holdfast.transaction().ack(message).queue("next").push("done");
    relay.loseAnswers("commit", 3);
    // when
    UnreachableException doubt =
        catchThrowableOfType(UnreachableException.class, transaction::commit);
    assertThat(message.isSettled()).isFalse();
    transaction.commit();
    // then
    assertThat(doubt.isInDoubt()).isTrue();
    assertThat(message.isSettled()).isTrue();
    assertAllIsSettled(QUEUE);
    assertThat(counts("next").waiting()).isEqualTo(1);
  }
}
