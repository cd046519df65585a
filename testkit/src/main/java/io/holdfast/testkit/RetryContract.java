package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of coming back: nacks, releases, expiries, and what they cost. */
abstract class RetryContract extends ContractFixture {
  RetryContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldRetryANackedMessageAfterItsBackoff() {
    // given
    UUID id = push("a");
    // when
    SettleVerdict verdict = nack(popOne());
    // then
    assertStatus(verdict, Status.RETRYING);
    assertThat(verdict.failures()).isEqualTo(1);
    assertThat(verdict.visibleAtMs()).isEqualTo(now() + 1_000);
    Popped early = pop(one());
    assertThat(early.reason()).isEqualTo(Reason.BACKOFF);
    assertThat(early.retryAtMs()).isEqualTo(now() + 1_000);
    // when
    advanceMs(999);
    // then
    assertNothingToPop();
    // when
    advanceMs(1);
    // then
    Delivery again = popOneSoon();
    assertThat(again.message().id()).isEqualTo(id);
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.failures()).isEqualTo(1);
  }

  @Test
  void shouldBuryAMessageAtItsFourthFailure() {
    // given
    push("a");
    // then
    assertThat(backoffsOf(4)).containsExactly(1_000L, 2_000L, 4_000L);
    assertNothingToPop();
    assertThat(deadLetters().total()).isEqualTo(1);
  }

  @Test
  void shouldNotLetABackoffGrowBeyondItsMaximum() {
    // given
    configure(QueueOption.RETRY_LIMIT, 10);
    push("a");
    // then
    assertThat(backoffsOf(8))
        .containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 30_000L, 30_000L, 30_000L);
  }

  @Test
  void shouldBackOffAsTheQueueSays() {
    // given
    configure(
        ConfigureRequest.queue(QUEUE)
            .set(QueueOption.RETRY_LIMIT, 3)
            .set(QueueOption.RETRY_DELAY, 10)
            .set(QueueOption.RETRY_FACTOR, 3)
            .set(QueueOption.RETRY_DELAY_MAX, 50));
    push("a");
    // then
    assertThat(backoffsOf(4)).containsExactly(10L, 30L, 50L);
  }

  @Test
  void shouldBuryAtOnceWhereThereIsNoRetry() {
    // given
    configure(QueueOption.RETRY_LIMIT, 0);
    push("a");
    // then
    SettleVerdict verdict = nack(popOne());
    assertStatus(verdict, Status.DEAD);
    assertThat(verdict.failures()).isEqualTo(1);
  }

  @Test
  void shouldSpreadRetriesIfAskedTo() {
    // given
    configure(QueueOption.RETRY_JITTER, true);
    push("a");
    // then
    assertThat(nack(popOne()).visibleAtMs()).isBetween(now() + 500, now() + 1_000);
  }

  @Test
  void shouldRetryWhenTheNackSays() {
    // given
    push("a");
    // when
    SettleVerdict verdict = settle(Settle.nack(popOne().handle(), "busy").delayMs(7_000));
    // then
    assertThat(verdict.visibleAtMs()).isEqualTo(now() + 7_000);
    assertThat(verdict.failures()).isEqualTo(1);
    advanceMs(6_999);
    assertNothingToPop();
    advanceMs(1);
    assertThat(payload(popOneSoon())).isEqualTo("a");
  }

  @Test
  void shouldRetryAtOnceIfTheNackSays() {
    // given
    push("a");
    settle(Settle.nack(popOne().handle(), "again").delayMs(0));
    // then
    assertThat(popOne().failures()).isEqualTo(1);
  }

  @Test
  void shouldKeepFailuresAndBackoffOverARestart() {
    // given
    push("a");
    nack(popOne());
    // when
    restart();
    // then
    assertThat(pop(one()).reason()).isEqualTo(Reason.BACKOFF);
    advanceSeconds(1);
    assertThat(popOneSoon().failures()).isEqualTo(1);
  }

  @Test
  void shouldReleaseUncharged() {
    // given
    pushAll("a", "b");
    // when
    for (int i = 0; i < 10; i++) {
      SettleVerdict verdict = release(popOne());
      assertStatus(verdict, Status.RELEASED);
      assertThat(verdict.failures()).isZero();
    }
    // then
    Popped popped = popAll();
    assertThat(payloads(popped)).containsExactly("a", "b");
    assertThat(popped.messages().getFirst().failures()).isZero();
    assertThat(deadLetters().total()).isZero();
  }

  @Test
  void shouldReleaseWithADelay() {
    // given
    push("a");
    // when
    SettleVerdict verdict = settle(Settle.release(popOne().handle()).delayMs(5_000));
    // then
    assertThat(verdict.visibleAtMs()).isEqualTo(now() + 5_000);
    advanceMs(4_999);
    assertThat(pop(one()).reason()).isEqualTo(Reason.BACKOFF);
    advanceMs(1);
    assertThat(popOneSoon().failures()).isZero();
  }

  @Test
  void shouldKillAtOnce() {
    // given
    UUID id = push("a");
    // when
    SettleVerdict verdict = kill(popOne(), "poison");
    // then
    assertStatus(verdict, Status.DEAD);
    DeadLetter dead = deadLetters().items().getFirst();
    assertThat(dead.message().id()).isEqualTo(id);
    assertThat(dead.error()).isEqualTo("poison");
    assertNothingToPop();
  }

  @Test
  void shouldBlockAnOrderedPartitionUntilTheRetry() {
    // given
    pushAll("a", "b");
    nack(popOne());
    // then
    Popped blocked = pop(one());
    assertThat(blocked.reason()).isEqualTo(Reason.BACKOFF);
    assertThat(blocked.retryAtMs()).isEqualTo(now() + 1_000);
    // when
    advanceSeconds(1);
    // then
    assertThat(payloads(popSoon(many()))).containsExactly("a", "b");
  }

  @Test
  void shouldNotBlockOtherPartitions() {
    // given
    pushAll(message("a").partition("p1"), message("b").partition("p2"));
    nack(popOne(PopRequest.partition(QUEUE, "p1")));
    // then
    assertThat(payload(popOne())).isEqualTo("b");
  }

  @Test
  void shouldBlockHigherLanesButNotLowerOnes() {
    // given
    pushAll(message("mid").lane(5), message("low").lane(9));
    nack(popOne());
    assertThat(pop(one()).reason()).isEqualTo(Reason.BACKOFF);
    // when
    push(message("high").lane(0));
    // then
    assertThat(payloads(popAll())).containsExactly("high");
  }

  @Test
  void shouldLetOthersPassWhereTheQueueSkips() {
    // given
    configure(QueueOption.ON_FAILURE, "skip");
    pushAll("a", "b");
    nack(popOne());
    // then
    Delivery passing = popOne();
    assertThat(payload(passing)).isEqualTo("b");
    ack(passing);
    advanceSeconds(1);
    assertThat(payload(popOneSoon())).isEqualTo("a");
  }

  @Test
  void shouldBlockNothingWhereDeliveryIsShared() {
    // given
    makeShared();
    pushAll("a", "b");
    nack(popOne());
    // then
    assertThat(payload(popOne())).isEqualTo("b");
  }

  @Test
  void shouldUnblockWhenTheMessageIsDead() {
    // given
    configure(QueueOption.RETRY_LIMIT, 0);
    pushAll("a", "b");
    nack(popOne());
    // then
    assertThat(payload(popOne())).isEqualTo("b");
  }

  @Test
  void shouldComeBackToItsOldPlace() {
    // given
    pushAll("a", "b", "c", "d");
    List<Delivery> held = pop(one().batch(3)).messages();
    ack(held.get(1));
    release(held.get(2));
    release(held.get(0));
    // then
    assertThat(payloads(popAll())).containsExactly("a", "c", "d");
  }

  @Test
  void shouldGiveBackTheRestUncharged() {
    // given
    pushAll("a", "b", "c", "d");
    List<Delivery> held = pop(one().batch(3)).messages();
    ack(held.get(0));
    // when
    SettleVerdict verdict = settle(Settle.nack(held.get(1).handle(), "no").withRest());
    // then
    assertStatus(verdict, Status.RETRYING);
    assertThat(verdict.count()).isEqualTo(2);
    assertThat(stats().leases()).isZero();
    assertThat(pop(one()).reason()).isEqualTo(Reason.BACKOFF);
    advanceSeconds(1);
    Popped again = popSoon(many());
    assertThat(payloads(again)).containsExactly("b", "c", "d");
    assertThat(again.messages()).extracting(Delivery::failures).containsExactly(1, 0, 0);
  }

  @Test
  void shouldReleaseTheRest() {
    // given
    pushAll("a", "b", "c");
    List<Delivery> held = popAll().messages();
    // when
    SettleVerdict verdict = settle(Settle.release(held.get(1).handle()).withRest());
    // then: what came before stays in the lease
    assertStatus(verdict, Status.RELEASED);
    assertThat(verdict.count()).isEqualTo(2);
    assertStatus(ack(held.get(0)), Status.ACKED);
    assertThat(payloads(popAll())).containsExactly("b", "c");
  }

  @Test
  void shouldGiveBackTheRestOfThatPartitionOnly() {
    // given
    pushAll(
        message("a1").partition("p1"),
        message("a2").partition("p1"),
        message("b1").partition("p2"));
    List<Delivery> held = popAll().messages();
    Delivery first = held.stream().filter(d -> payload(d).equals("a1")).findFirst().orElseThrow();
    Delivery other = held.stream().filter(d -> payload(d).equals("b1")).findFirst().orElseThrow();
    // when
    settle(Settle.release(first.handle()).withRest());
    // then
    assertStatus(ack(other), Status.ACKED);
    assertThat(payloads(popAll())).containsExactly("a1", "a2");
  }

  @Test
  void shouldNotChargeAFailureForAnExpiry() {
    // given
    UUID id = push("a");
    // when
    for (int i = 0; i < 6; i++) {
      expire(popSoon(one().leaseMs(1_000)));
    }
    // then
    MessageDetail.GroupView view = view(id, GROUP);
    assertThat(view.failures()).isZero();
    assertThat(view.expiries()).isEqualTo(6);
    assertThat(view.state()).isEqualTo(MessageState.RETURNED);
  }

  @Test
  void shouldLeaseAMessageAloneFromItsSecondExpiry() {
    // given
    pushAll("a", "b", "c");
    // then
    Popped first = pop(many().leaseMs(1_000));
    assertThat(payloads(first)).containsExactly("a", "b", "c");
    expire(first);
    Popped second = popSoon(many().leaseMs(1_000));
    assertThat(payloads(second)).containsExactly("a", "b", "c");
    expire(second);
    Popped third = popSoon(many().leaseMs(1_000));
    assertThat(payloads(third)).containsExactly("a");
    assertThat(third.messages().getFirst().expiries()).isEqualTo(2);
  }

  @Test
  void shouldBuryAMessageThatKillsItsWorkersAndSpareItsNeighbours() {
    // given: a message that no worker survives, and two that are innocent
    configure(QueueOption.DELIVERY_LIMIT, 3);
    pushAll("poison", "b", "c");
    // when
    List<String> done = new ArrayList<>();
    int deaths = 0;
    while (done.size() < 2) {
      Popped popped = popSoon(many().leaseMs(1_000));
      if (payloads(popped).contains("poison")) {
        deaths++;
        assertThat(deaths).as("workers lost").isLessThan(10);
        expire(popped);
      } else {
        done.addAll(payloads(popped));
        assertStatus(ackAll(popped), Status.ACKED);
      }
    }
    // then
    assertThat(done).containsExactly("b", "c");
    assertThat(deaths).isBetween(3, 6);
    DeadLetter dead = deadLetters().items().getFirst();
    assertThat(text(dead.message().payload())).isEqualTo("poison");
    assertThat(dead.expiries()).isEqualTo(deaths);
    assertThat(deadLetters().total()).isEqualTo(1);
  }

  @Test
  void shouldBuryAMessageThatKillsItsWorkersHoweverLowTheLimit() {
    // given
    configure(QueueOption.DELIVERY_LIMIT, 1);
    push("poison");
    // when
    for (int i = 0; i < 3; i++) {
      expire(popSoon(one().leaseMs(1_000)));
    }
    // then
    eventually(() -> assertThat(deadLetters().total()).isEqualTo(1));
  }

  @Test
  void shouldNeverBuryForExpiriesWhereTheLimitIsOff() {
    // given
    configure(QueueOption.DELIVERY_LIMIT, 0);
    push("a");
    // when
    for (int i = 0; i < 30; i++) {
      expire(popSoon(one().leaseMs(1_000)));
    }
    // then
    assertThat(payload(popOneSoon())).isEqualTo("a");
  }

  private void expire(Popped popped) {
    advanceMs(popped.leaseUntilMs() - now());
    eventuallyNoLeases();
  }

  /** Nacks the only message so many times, and says how long each retry was put off. */
  private List<Long> backoffsOf(int nacks) {
    List<Long> backoffs = new ArrayList<>();
    for (int i = 1; i <= nacks; i++) {
      SettleVerdict verdict = nack(popOneSoon());
      assertThat(verdict.failures()).isEqualTo(i);
      if (verdict.status() == Status.RETRYING) {
        long backoff = verdict.visibleAtMs() - now();
        backoffs.add(backoff);
        advanceMs(backoff);
      } else {
        assertStatus(verdict, Status.DEAD);
      }
    }
    return backoffs;
  }
}
