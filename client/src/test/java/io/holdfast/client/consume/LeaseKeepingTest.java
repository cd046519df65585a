package io.holdfast.client.consume;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.client.ClientFixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Leases that are renewed, lost, or have a message taken out of them while a handler runs. */
class LeaseKeepingTest extends ClientFixture {
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final CompletableFuture<HeldMessage> inHand = new CompletableFuture<>();
  private final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();

  /** Holds the message until it is told to go on, or is interrupted. */
  private void hold(HeldMessage message) throws InterruptedException {
    inHand.complete(message);
    try {
      goOn.await();
      interrupted.complete(false);
    } catch (InterruptedException told) {
      interrupted.complete(true);
      throw told;
    }
  }

  private ConsumerSetup<MessageHandler> setup() {
    return holdfast.queue(QUEUE).leaseTime(Duration.ofSeconds(30)).each();
  }

  private void renewalsReach(int count) {
    eventually(() -> assertThat(lossy.extensions).hasSizeGreaterThanOrEqualTo(count));
  }

  @Test
  void shouldRenewTheLeaseWhileTheHandlerRuns() {
    // given
    push("long");
    try (Consumer consumer = setup().renewLease(Duration.ofSeconds(10)).consume(this::hold)) {
      inHand.join();
      // when
      for (int i = 1; i <= 12; i++) {
        clock.advance(Duration.ofSeconds(10));
        renewalsReach(i);
      }
      goOn.countDown();
      // then
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
      assertThat(consumer.counts().leasesLost()).isZero();
      assertThat(interrupted.join()).isFalse();
    }
    assertThat(lossy.extensions).allMatch(request -> request.leaseMs() == 30_000);
  }

  @Test
  void shouldRenewAtAThirdOfTheQueuesLeaseUnlessToldOtherwise() {
    configure(QueueOption.LEASE_TIME, 60);
    push("long");
    try (Consumer consumer = holdfast.queue(QUEUE).each().consume(this::hold)) {
      inHand.join();
      clock.advance(Duration.ofMillis(19_999));
      assertThat(lossy.extensions).isEmpty();

      clock.advance(Duration.ofMillis(1));

      renewalsReach(1);
      assertThat(lossy.extensions.get(0).leaseMs()).isEqualTo(60_000);
      goOn.countDown();
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
    }
  }

  @Test
  void shouldRenewInTimeThoughItIsAskedToDoSoTooLate() {
    push("long");
    try (Consumer consumer = setup().renewLease(Duration.ofMinutes(1)).consume(this::hold)) {
      inHand.join();

      clock.advance(Duration.ofSeconds(15));

      renewalsReach(1);
      goOn.countDown();
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
    }
  }

  @Test
  void shouldNotRenewWhatIsHandled() {
    push("short");
    try (Consumer consumer = setup().consume(message -> {})) {
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));

      clock.advance(Duration.ofMinutes(5));

      assertThat(holdfast.queue(QUEUE).group("other").take()).isPresent();
      assertThat(lossy.extensions).isEmpty();
    }
  }

  @Test
  void shouldTellTheHandlerThatTheLeaseWasLost() {
    // given
    push("stopped");
    List<SettleVerdict.Status> refused = new CopyOnWriteArrayList<>();
    ConsumerListener listener =
        new ConsumerListener() {
          @Override
          public void refused(
              ConsumerId consumer, Settle settle, SettleVerdict verdict, int messages) {
            refused.add(verdict.status());
          }
        };
    try (Consumer consumer = setup().listener(listener).consume(this::hold)) {
      HeldMessage message = inHand.join();
      // when: the whole process was stopped for longer than the lease
      clock.advance(Duration.ofSeconds(31));
      // then
      assertThat(interrupted.join()).isTrue();
      assertThat(message.isLeaseLost()).isTrue();
      eventually(() -> assertThat(consumer.counts().leasesLost()).isEqualTo(1));
      eventually(() -> assertThat(refused).contains(SettleVerdict.Status.STALE_LEASE));
      assertThat(consumer.counts().nacked()).isZero();
      // It comes again, and is handled this time.
      goOn.countDown();
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
    }
  }

  @Test
  void shouldReportALateAckThatIsRefused() {
    // given
    push("late");
    try (Consumer consumer =
        setup()
            .withoutRenewal()
            .consume(
                message -> {
                  inHand.complete(message);
                  awaitThroughInterrupts();
                })) {
      HeldMessage message = inHand.join();
      clock.advance(Duration.ofSeconds(31));
      eventually(() -> assertThat(message.isLeaseLost()).isTrue());
      // when
      goOn.countDown();
      // then
      eventually(() -> assertThat(consumer.counts().refused()).isEqualTo(1));
      eventually(() -> assertThat(consumer.counts().delivered()).isEqualTo(2));
      assertThat(lossy.extensions).isEmpty();
    }
  }

  @Test
  void shouldHaveTheWholeLeaseAfterALongWaitForAMessage() {
    // given
    try (Consumer consumer = setup().withoutRenewal().consume(this::hold)) {
      eventually(() -> assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(1));
      clock.advance(Duration.ofSeconds(20));
      push("waited for");
      HeldMessage message = inHand.join();
      // when
      clock.advance(Duration.ofSeconds(29));
      // then
      assertThat(consumer.counts().leasesLost()).isZero();
      assertThat(message.isLeaseLost()).isFalse();
      clock.advance(Duration.ofSeconds(2));
      assertThat(interrupted.join()).isTrue();
      goOn.countDown();
    }
  }

  private void awaitThroughInterrupts() {
    boolean done = false;
    while (!done) {
      try {
        goOn.await();
        done = true;
      } catch (InterruptedException again) {
        interrupted.complete(true);
      }
    }
  }

  @Test
  void shouldTakeALeaseForLostWhenTheBrokerCannotBeAskedUntilItsEnd() {
    // given
    push("cut off");
    try (Consumer consumer = setup().consume(this::hold)) {
      HeldMessage message = inHand.join();
      // when
      lossy.cut();
      advanceUntil(Duration.ofSeconds(1), () -> assertThat(message.isLeaseLost()).isTrue());
      // then
      assertThat(interrupted.join()).isTrue();
      eventually(() -> assertThat(consumer.counts().retries()).isPositive());
      lossy.heal();
      goOn.countDown();
    }
  }

  @Test
  void shouldKeepALeaseOverAShortCut() {
    // given
    push("cut off");
    try (Consumer consumer = setup().consume(this::hold)) {
      inHand.join();
      lossy.cut();
      clock.advance(Duration.ofSeconds(10));
      eventually(() -> assertThat(consumer.counts().retries()).isPositive());
      // when
      lossy.heal();
      int before = lossy.extensions.size();
      clock.advance(Duration.ofSeconds(1));
      renewalsReach(before + 1);
      clock.advance(Duration.ofSeconds(25));
      goOn.countDown();
      // then
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
      assertThat(consumer.counts().leasesLost()).isZero();
    }
  }

  @Test
  void shouldTellTheHandlerThatItsMessageWasCancelled() {
    // given
    push("obsolete");
    try (Consumer consumer = setup().consume(this::hold)) {
      HeldMessage message = inHand.join();
      // when
      broker.cancel(new CancelRequest(MessageRef.id(message.id()))).orThrow();
      clock.advance(Duration.ofSeconds(10));
      // then
      boolean told = interrupted.join();
      // A lease of which nothing is left is over: that is how the holder of one message learns it.
      assertThat(told).isTrue();
      assertThat(message.isCancelled() || message.isLeaseLost()).isTrue();
      eventually(() -> assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(1));
      assertThat(consumer.counts().nacked()).isZero();
    }
  }

  @Test
  void shouldInterruptOnlyTheHandlerOfTheCancelledMessage() {
    // given
    push("first", "second");
    List<String> handled = new CopyOnWriteArrayList<>();
    try (Consumer consumer =
        setup()
            .batch(2)
            .consume(
                message -> {
                  if (message.text().equals("first")) {
                    hold(message);
                  }
                  handled.add(message.text());
                })) {
      HeldMessage message = inHand.join();
      // when
      broker.cancel(new CancelRequest(MessageRef.id(message.id()))).orThrow();
      clock.advance(Duration.ofSeconds(10));
      // then
      assertThat(interrupted.join()).isTrue();
      assertThat(message.isCancelled()).isTrue();
      assertThat(message.isLeaseLost()).isFalse();
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
      assertThat(handled).containsExactly("second");
      assertThat(consumer.counts().refused()).isZero();
    }
  }

  @Test
  void shouldNotMissALeaseThatTheHandlerHasSettledByItself() {
    push("acked early");
    try (Consumer consumer =
        setup()
            .consume(
                message -> {
                  message.ack();
                  hold(message);
                })) {
      inHand.join();

      clock.advance(Duration.ofMinutes(2));
      goOn.countDown();

      assertThat(interrupted.join()).isFalse();
      eventually(() -> assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(1));
      assertThat(consumer.counts().leasesLost()).isZero();
      assertThat(consumer.counts().refused()).isZero();
    }
  }

  @Test
  void shouldNotCountARepeatedSettleAsRefused() {
    // given
    push("1");
    try (Consumer consumer =
        setup()
            .consume(
                message -> {
                  // The pop that carries the ack has its effect, but its answer gets lost.
                  lossy.loseAnswers(1);
                })) {
      // when
      eventually(() -> assertThat(consumer.counts().retries()).isEqualTo(1));
      clock.advance(Duration.ofSeconds(1));
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
      // then
      assertThat(consumer.counts())
          .returns(0L, ConsumerCounts::refused)
          .returns(1L, ConsumerCounts::retries);
      assertThat(broker.stats().orThrow().totals().acked()).isEqualTo(1);
    }
  }

  @Test
  void shouldGoOnAfterTheBrokerWasUnreachable() {
    // given
    lossy.cut();
    try (Consumer consumer = setup().consume(message -> {})) {
      advanceUntil(
          Duration.ofSeconds(1), () -> assertThat(consumer.counts().retries()).isGreaterThan(3));
      // when
      lossy.heal();
      push("1");
      // then
      advanceUntil(Duration.ofSeconds(1), () -> assertThat(consumer.counts().acked()).isEqualTo(1));
    }
  }

  @Test
  void shouldReportABrokerThatRefusesAndAskAgain() {
    List<RuntimeException> causes = new CopyOnWriteArrayList<>();
    ConsumerListener listener =
        new ConsumerListener() {
          @Override
          public void retrying(ConsumerId consumer, RuntimeException cause, Duration after) {
            causes.add(cause);
            throw new IllegalStateException("a listener that fails harms nobody");
          }
        };
    try (Consumer consumer = setup().listener(listener).consume(message -> {})) {
      eventually(() -> assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(1));

      broker.close();

      eventually(() -> assertThat(causes).isNotEmpty());
      assertThat(causes.get(0)).hasMessageContaining(ErrorCode.CLOSED.name());
      assertThat(consumer.isRunning()).isTrue();
    }
  }

  @Test
  void shouldRenewOtherLeasesWhileOneRenewalHangs() {
    // given two leases, and a renewal that does not return
    holdfast.queue(QUEUE).partition("a").push("hangs");
    try (Consumer consumer = setup().concurrency(2).consume(this::hold)) {
      HeldMessage hanging = inHand.join();
      clock.advance(Duration.ofSeconds(1));
      holdfast.queue(QUEUE).partition("b").push("renewed");
      eventually(() -> assertThat(consumer.counts().delivered()).isEqualTo(2));
      lossy.holdNextExtension();
      // when
      clock.advance(Duration.ofSeconds(9));
      eventually(() -> assertThat(lossy.isHoldingExtension()).isTrue());
      clock.advance(Duration.ofSeconds(1));
      // then
      renewalsReach(1);
      assertThat(lossy.extensions)
          .noneMatch(request -> request.leaseId().equals(hanging.leaseId()));
      // when the lease of the hanging renewal ends
      clock.advance(Duration.ofSeconds(19));
      // then
      assertThat(hanging.isLeaseLost()).isTrue();
      assertThat(interrupted.join()).isTrue();
      eventually(() -> assertThat(consumer.counts().leasesLost()).isEqualTo(1));
      goOn.countDown();
      lossy.heal();
    }
  }

  @Test
  void shouldKnowByTheClockThatALeaseIsLost() {
    // given
    push("1");
    HeldMessage message =
        holdfast.queue(QUEUE).leaseTime(Duration.ofSeconds(30)).take().orElseThrow();
    // when
    clock.advance(Duration.ofMillis(29_999));
    assertThat(message.isLeaseLost()).isFalse();
    clock.advance(Duration.ofMillis(1));
    // then
    assertThat(message.isLeaseLost()).isTrue();
  }

  @Test
  void shouldNotLoseTheLeaseOfWhatWasAckedAtDelivery() {
    push("1");
    HeldMessage message = holdfast.queue(QUEUE).ackAtDelivery().take().orElseThrow();

    clock.advance(Duration.ofDays(1));

    assertThat(message.isLeaseLost()).isFalse();
  }
}
