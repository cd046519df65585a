package io.holdfast.client.consume;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.Settle;
import io.holdfast.client.ClientFixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a consumer ends when it is told to. */
class StopTest extends ClientFixture {
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final List<String> handled = new CopyOnWriteArrayList<>();

  @AfterEach
  void letGo() {
    goOn.countDown();
  }

  private void hold(HeldMessage message) throws InterruptedException {
    begun.countDown();
    goOn.await();
    handled.add(message.text());
  }

  private static CompletableFuture<Boolean> stopping(Consumer consumer) {
    return CompletableFuture.supplyAsync(() -> consumer.stop(DEADLINE), Thread::startVirtualThread);
  }

  @Test
  void shouldEndAtOnceWhileItWaitsForMessages() {
    Consumer consumer = holdfast.queue(QUEUE).concurrency(3).consume(messages -> {});
    eventually(() -> assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(3));

    // The clock stands still: nothing but the stop itself can end the pops.
    assertThat(consumer.stop(DEADLINE)).isTrue();

    assertThat(consumer.isRunning()).isFalse();
    assertThat(broker.stats().orThrow().parkedPops()).isZero();
  }

  @Test
  void shouldNotTakeAPopThatItCutShortForTrouble() {
    lossy.hangUpWhenInterrupted();
    Consumer consumer = holdfast.queue(QUEUE).consume(messages -> {});
    eventually(() -> assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(1));

    assertThat(consumer.stop(DEADLINE)).isTrue();

    assertThat(consumer.counts().retries()).isZero();
  }

  @Test
  void shouldLetTheHandlerFinishAndGiveBackWhatItHasNotBegun() throws Exception {
    // given
    push("1", "2", "3");
    Consumer consumer = holdfast.queue(QUEUE).batch(3).each().consume(this::hold);
    begun.await();
    // when
    CompletableFuture<Boolean> stopped = stopping(consumer);
    awaitEnding(consumer);
    assertThat(stopped).isNotDone();
    goOn.countDown();
    // then
    assertThat(stopped.get()).isTrue();
    assertThat(handled).containsExactly("1");
    assertThat(consumer.counts())
        .returns(1L, ConsumerCounts::acked)
        .returns(2L, ConsumerCounts::released)
        .returns(0L, ConsumerCounts::nacked);
    assertThat(holdfast.queue(QUEUE).take()).get().returns("2", HeldMessage::text);
  }

  private static void awaitEnding(Consumer consumer) {
    eventually(() -> assertThat(consumer.isEnding()).isTrue());
  }

  @Test
  void shouldInterruptAndGiveBackAtItsDeadline() throws Exception {
    // given
    push("1", "2", "3");
    CountDownLatch interrupted = new CountDownLatch(1);
    Consumer consumer =
        holdfast
            .queue(QUEUE)
            .batch(3)
            .each()
            .consume(
                message -> {
                  if (message.text().equals("2")) {
                    begun.countDown();
                    try {
                      goOn.await();
                    } catch (InterruptedException told) {
                      interrupted.countDown();
                      throw told;
                    }
                  }
                  handled.add(message.text());
                });
    begun.await();
    // when
    CompletableFuture<Boolean> stopped = stopping(consumer);
    awaitEnding(consumer);
    clock.advance(Duration.ofSeconds(17));
    assertThat(stopped).isNotDone();
    clock.advance(Duration.ofSeconds(1));
    // then
    assertThat(stopped.get()).isFalse();
    interrupted.await();
    eventually(() -> assertThat(consumer.counts().released()).isEqualTo(2));
    assertThat(consumer.counts().acked()).isEqualTo(1);
    assertThat(handled).containsExactly("1");
    assertNothingIsLeft();
    assertThat(counts().returned()).isEqualTo(2);
    assertThat(holdfast.queue(QUEUE).take()).get().returns("2", HeldMessage::text);
    assertThat(consumer.counts().nacked()).isZero();
  }

  @Test
  void shouldReturnAtItsDeadlineThoughTheBrokerIsGone() throws Exception {
    // given
    push("1");
    Consumer consumer = holdfast.queue(QUEUE).each().consume(this::hold);
    begun.await();
    lossy.cut();
    goOn.countDown();
    eventually(() -> assertThat(consumer.counts().retries()).isPositive());
    // when
    CompletableFuture<Boolean> stopped = stopping(consumer);
    awaitEnding(consumer);
    clock.advance(DEADLINE);
    // then
    assertThat(stopped.get()).isFalse();
    eventually(() -> assertThat(consumer.counts().unsent()).isEqualTo(1));
    assertThat(consumer.isRunning()).isFalse();
  }

  @Test
  void shouldFinishWhatWasAckedAtDelivery() throws Exception {
    // given
    push("1", "2", "3");
    Consumer consumer = holdfast.queue(QUEUE).batch(3).ackAtDelivery().each().consume(this::hold);
    begun.await();
    CompletableFuture<Boolean> stopped = stopping(consumer);
    awaitEnding(consumer);
    // when
    goOn.countDown();
    // then
    assertThat(stopped.get()).isTrue();
    assertThat(handled).containsExactly("1", "2", "3");
  }

  @Test
  void shouldNotWaitForAHandlerThatStopsItsOwnConsumer() throws Exception {
    push("1", "2");
    AtomicReference<Consumer> self = new AtomicReference<>();
    CountDownLatch known = new CountDownLatch(1);
    Consumer consumer =
        holdfast
            .queue(QUEUE)
            .each()
            .consume(
                message -> {
                  known.await();
                  self.get().close();
                  handled.add(message.text());
                });
    self.set(consumer);
    known.countDown();

    consumer.join();

    assertThat(handled).containsExactly("1");
    assertThat(consumer.counts().acked()).isEqualTo(1);
  }

  @Test
  void shouldGiveBackWhatComesInTheMomentOfTheStop() throws Exception {
    // given
    push("1", "2");
    Consumer consumer =
        holdfast
            .queue(QUEUE)
            .batch(2)
            .consume(
                messages -> {
                  begun.countDown();
                  goOn.await();
                });
    begun.await();
    CompletableFuture<Boolean> stopped = stopping(consumer);
    awaitEnding(consumer);
    push("3");
    goOn.countDown();
    // then
    assertThat(stopped.get()).isTrue();
    assertThat(consumer.counts().acked()).isEqualTo(2);
    assertThat(holdfast.queue(QUEUE).take()).get().returns("3", HeldMessage::text);
    assertThat(lossy.settles)
        .last()
        .satisfies(
            request ->
                assertThat(request.settles())
                    .singleElement()
                    .returns(Settle.Outcome.ACK, Settle::outcome));
  }

  @Test
  void shouldTellWhoWaitsForItsEnd() throws Exception {
    Consumer consumer = holdfast.queue(QUEUE).consume(messages -> {});
    assertThat(consumer.await(Duration.ZERO)).isFalse();

    consumer.close();

    assertThat(consumer.await(Duration.ZERO)).isTrue();
    consumer.join();
    consumer.close();
  }
}
