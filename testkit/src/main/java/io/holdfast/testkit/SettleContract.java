package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.api.queue.QueueOption;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of settles: each message by itself, in any order, and behind a fence. */
abstract class SettleContract extends ContractFixture {
  SettleContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldAckForGood() {
    // given
    push("a");
    Delivery delivery = popOne();
    // when
    SettleVerdict verdict = ack(delivery);
    // then
    assertStatus(verdict, Status.ACKED);
    assertThat(verdict.count()).isEqualTo(1);
    assertThat(verdict.visibleAtMs()).isZero();
    restart();
    assertNothingToPop();
  }

  @Test
  void shouldAckInAnyOrder() {
    // given
    pushAll("a", "b", "c");
    List<Delivery> held = popAll().messages();
    // then
    assertStatus(ack(held.get(2)), Status.ACKED);
    assertStatus(ack(held.get(0)), Status.ACKED);
    assertStatus(ack(held.get(1)), Status.ACKED);
    assertNothingToPop();
  }

  @Test
  void shouldSayNothingOfTheOthersByAckingOne() {
    // given
    pushAll("a", "b", "c");
    Popped popped = pop(many().leaseMs(10_000));
    // when
    ack(popped.messages().get(2));
    advanceSeconds(10);
    // then
    assertThat(payloads(popSoon(many()))).containsExactly("a", "b");
  }

  @Test
  void shouldAckAllThatIsOpenInALease() {
    // given
    pushAll("a", "b", "c");
    Popped popped = popAll();
    ack(popped.messages().get(1));
    // when
    SettleVerdict verdict = ackAll(popped);
    // then
    assertStatus(verdict, Status.ACKED);
    assertThat(verdict.count()).isEqualTo(2);
    assertNothingToPop();
  }

  @Test
  void shouldReleaseAllThatIsOpenInALease() {
    // given
    pushAll("a", "b", "c");
    Popped popped = popAll();
    ack(popped.messages().get(0));
    // when
    SettleVerdict verdict = settle(Settle.releaseAll(popped.leaseId()));
    // then
    assertStatus(verdict, Status.RELEASED);
    assertThat(verdict.count()).isEqualTo(2);
    assertThat(payloads(popAll())).containsExactly("b", "c");
  }

  @Test
  void shouldHarmlesslyRepeatAnAck() {
    // given
    pushAll("a", "b");
    Popped popped = popAll();
    ack(popped.messages().get(0));
    // then
    SettleVerdict repeat = ack(popped.messages().get(0));
    assertStatus(repeat, Status.ALREADY_SETTLED);
    assertThat(repeat.code()).isEqualTo(ErrorCode.ALREADY_SETTLED);
    assertThat(stats().totals().acked()).isEqualTo(1);
  }

  @Test
  void shouldHarmlesslyRepeatTheSettleThatEndedTheLease() {
    // given
    push("a");
    Popped popped = popAll();
    ackAll(popped);
    // then
    assertStatus(ackAll(popped), Status.ALREADY_SETTLED);
    assertStatus(ack(popped.messages().get(0)), Status.ALREADY_SETTLED);
  }

  @Test
  void shouldHarmlesslyRepeatANack() {
    // given
    push("a");
    Delivery first = popOne();
    nack(first);
    // then
    assertStatus(nack(first), Status.ALREADY_SETTLED);
    advanceSeconds(1);
    Delivery second = popOneSoon();
    assertStatus(nack(first), Status.ALREADY_SETTLED);
    assertThat(second.failures()).isEqualTo(1);
    assertStatus(ack(second), Status.ACKED);
  }

  @Test
  void shouldRefuseALeaseThatExpired() {
    // given
    push("a");
    Delivery delivery = popOne(one().leaseMs(10_000));
    advanceSeconds(10);
    eventuallyNoLeases();
    // then
    SettleVerdict verdict = ack(delivery);
    assertStatus(verdict, Status.STALE_LEASE);
    assertThat(verdict.code()).isEqualTo(ErrorCode.STALE_LEASE);
    assertStatus(nack(delivery), Status.STALE_LEASE);
    assertStatus(release(delivery), Status.STALE_LEASE);
    assertStatus(kill(delivery, "late"), Status.STALE_LEASE);
    assertStatus(settle(Settle.ackAll(delivery.leaseId())), Status.STALE_LEASE);
    Delivery again = popOne();
    assertThat(again.failures()).isZero();
    assertStatus(ack(again), Status.ACKED);
  }

  @Test
  void shouldRefuseAStaleLeaseWhileAnotherHoldsTheMessage() {
    // given
    push("a");
    Delivery first = popOne(one().leaseMs(10_000));
    advanceSeconds(10);
    Delivery second = popOneSoon();
    // then
    assertStatus(ack(first), Status.STALE_LEASE);
    assertThat(pop(one()).reason()).isEqualTo(Reason.LOCKED);
    assertStatus(ack(second), Status.ACKED);
    assertStatus(ack(first), Status.STALE_LEASE);
  }

  @Test
  void shouldRefuseAnAckAfterARelease() {
    // given
    push("a");
    Delivery delivery = popOne();
    release(delivery);
    // then: whatever it is called, nothing changes
    assertThat(ack(delivery).status()).isIn(Status.STALE_LEASE, Status.ALREADY_SETTLED);
    assertThat(payload(popOne())).isEqualTo("a");
  }

  @Test
  void shouldRefuseALeaseThatIsAnothers() {
    // given
    makeShared();
    pushAll("a", "b");
    Delivery first = popOne();
    Delivery second = popOne();
    // when
    SettleVerdict verdict =
        settle(Settle.ack(new Handle(second.leaseId(), first.message().position())));
    // then
    assertThat(verdict.status()).isIn(Status.STALE_LEASE, Status.NOT_FOUND);
    assertStatus(ack(first), Status.ACKED);
    assertStatus(ack(second), Status.ACKED);
  }

  @Test
  void shouldRefuseALeaseNobodyKnows() {
    // given
    push("a");
    Delivery delivery = popOne();
    // then
    assertStatus(
        settle(Settle.ack(new Handle("AAAAAAAAAAA", delivery.message().position()))),
        Status.STALE_LEASE);
    assertStatus(settle(Settle.ackAll("AAAAAAAAAAA")), Status.STALE_LEASE);
    assertNotApplied(settle(Settle.ackAll("not a lease id")));
    assertStatus(ack(delivery), Status.ACKED);
  }

  @Test
  void shouldSettleAHeldMessageByItsName() {
    // given
    PushedMessage pushed = push(named("t1"));
    Delivery delivery = popOne();
    // when
    Settle byName =
        new Settle(
            new Settle.Target.HeldByName(delivery.leaseId(), pushed.partition(), "t1"),
            Outcome.ACK,
            null,
            Settle.QUEUE_DELAY,
            false);
    // then
    assertStatus(settle(byName), Status.ACKED);
    assertStatus(settle(byName), Status.ALREADY_SETTLED);
    assertNothingToPop();
  }

  @Test
  void shouldSettleAMessageWithoutANameByItsIdInThePlaceOfOne() {
    // given
    UUID first = push("a");
    UUID second = push("b");
    Popped popped = pop(one().batch(2));
    long partition = popped.messages().getFirst().message().position().partition();
    // when
    Settle held =
        new Settle(
            new Settle.Target.HeldByName(popped.leaseId(), partition, first.toString()),
            Outcome.ACK,
            null,
            Settle.QUEUE_DELAY,
            false);
    Settle unfenced =
        new Settle(
            new Settle.Target.Unfenced(
                PopRequest.QUEUE_MODE, new MessageRef.InPartition(partition, second.toString())),
            Outcome.ACK,
            null,
            Settle.QUEUE_DELAY,
            false);
    // then
    assertStatus(settle(held), Status.ACKED);
    assertStatus(settle(held), Status.ALREADY_SETTLED);
    assertStatus(settle(unfenced), Status.ACKED);
    assertNothingToPop();
  }

  @Test
  void shouldTellTheHolderOfACancelledMessageByItsIdToo() {
    // given
    UUID id = push("a");
    Popped popped = pop(one());
    long partition = popped.messages().getFirst().message().position().partition();
    broker.cancel(CancelRequest.of(MessageRef.id(id))).orThrow();
    // when
    Settle ack =
        new Settle(
            new Settle.Target.HeldByName(popped.leaseId(), partition, id.toString()),
            Outcome.ACK,
            null,
            Settle.QUEUE_DELAY,
            false);
    // then
    assertStatus(settle(ack), Status.CANCELLED);
  }

  @Test
  void shouldNotSettleANameTheLeaseDoesNotHold() {
    // given
    PushedMessage pushed = push(named("t1"));
    Delivery delivery = popOne();
    // then
    assertNotApplied(
        settle(
            new Settle(
                new Settle.Target.HeldByName(delivery.leaseId(), pushed.partition(), "t2"),
                Outcome.ACK,
                null,
                Settle.QUEUE_DELAY,
                false)));
    assertStatus(ack(delivery), Status.ACKED);
  }

  @Test
  void shouldSettleAMessageInFlightWithoutItsLease() {
    // given
    UUID id = push("a");
    Delivery delivery = popOne();
    // then
    assertStatus(unfenced(id, Outcome.ACK), Status.ACKED);
    assertNotApplied(ack(delivery));
    assertThat(stats().leases()).isZero();
    assertNothingToPop();
  }

  @Test
  void shouldSettleAMessageThatCameBackWithoutALease() {
    // given
    UUID id = push("a");
    nack(popOne());
    // then
    assertStatus(unfenced(id, Outcome.ACK), Status.ACKED);
    advanceSeconds(60);
    assertNothingToPop();
  }

  @Test
  void shouldNackWithoutALease() {
    // given
    UUID id = push("a");
    popOne();
    // when
    SettleVerdict verdict = unfenced(id, Outcome.NACK);
    // then
    assertStatus(verdict, Status.RETRYING);
    assertThat(verdict.failures()).isEqualTo(1);
    assertThat(pop(one()).reason()).isEqualTo(Reason.BACKOFF);
  }

  @Test
  void shouldSettleByTheProducersNameWithoutALease() {
    // given
    push(named("t1"));
    popOne();
    // then
    assertStatus(
        settle(
            new Settle(
                new Settle.Target.Unfenced(GROUP, MessageRef.named(QUEUE, PARTITION, "t1")),
                Outcome.ACK,
                null,
                Settle.QUEUE_DELAY,
                false)),
        Status.ACKED);
    assertNothingToPop();
  }

  @Test
  void shouldFindNothingElseWithoutALease() {
    // given
    List<UUID> ids = pushAll("settled", "waiting");
    ack(popOne());
    // then
    assertStatus(unfenced(ids.get(0), Outcome.ACK), Status.NOT_FOUND);
    assertStatus(unfenced(ids.get(1), Outcome.ACK), Status.NOT_FOUND);
    assertStatus(unfenced(UUID.randomUUID(), Outcome.ACK), Status.NOT_FOUND);
    assertStatus(
        settle(
            new Settle(
                new Settle.Target.Unfenced(GROUP, MessageRef.named("no-queue", "p", "t")),
                Outcome.ACK,
                null,
                Settle.QUEUE_DELAY,
                false)),
        Status.NOT_FOUND);
    assertStatus(
        settle(Settle.unfenced("no-group", ids.get(1), Outcome.ACK, null)), Status.NOT_FOUND);
    assertThat(payload(popOne())).isEqualTo("waiting");
  }

  @Test
  void shouldInsistOnALeaseWhereTheQueueSaysSo() {
    // given
    configure(QueueOption.REQUIRE_LEASE, true);
    UUID id = push("a");
    Delivery delivery = popOne();
    // then
    assertStatus(unfenced(id, Outcome.ACK), Status.LEASE_REQUIRED);
    assertStatus(ack(delivery), Status.ACKED);
  }

  @Test
  void shouldCountSettlesOfTheUnknown() {
    // when
    unfenced(UUID.randomUUID(), Outcome.ACK);
    // then
    assertThat(stats().totals().unknownSettles()).isEqualTo(1);
  }

  @Test
  void shouldJudgeEachSettleByItself() {
    // given
    pushAll("a", "b");
    List<Delivery> held = popAll().messages();
    // when
    Settled settled =
        broker
            .settle(
                SettleRequest.of(
                    Settle.ack(held.get(0).handle()),
                    Settle.ack(held.get(0).handle()),
                    Settle.nack(held.get(1).handle(), "no")))
            .orThrow();
    // then
    assertThat(settled.verdicts())
        .extracting(SettleVerdict::status)
        .containsExactly(Status.ACKED, Status.ALREADY_SETTLED, Status.RETRYING);
    assertThat(settled.allApplied()).isFalse();
  }

  @Test
  void shouldSettleAllOrNoneIfAskedTo() {
    // given
    pushAll("a", "b");
    List<Delivery> held = popAll().messages();
    Settle stale = Settle.ack(new Handle("AAAAAAAAAAA", held.get(0).message().position()));
    // when
    Settled settled =
        broker
            .settle(
                SettleRequest.atomic(
                    List.of(
                        Settle.ack(held.get(0).handle()), stale, Settle.ack(held.get(1).handle()))))
            .orThrow();
    // then
    assertThat(settled.verdicts())
        .extracting(SettleVerdict::status)
        .containsExactly(Status.NOT_APPLIED, Status.STALE_LEASE, Status.NOT_APPLIED);
    assertStatus(ack(held.get(0)), Status.ACKED);
    assertStatus(ack(held.get(1)), Status.ACKED);
  }

  @Test
  void shouldSettleAllTogether() {
    // given
    pushAll("a", "b");
    List<Delivery> held = popAll().messages();
    // when
    Settled settled =
        broker
            .settle(
                SettleRequest.atomic(
                    held.stream().map(delivery -> Settle.ack(delivery.handle())).toList()))
            .orThrow();
    // then
    assertThat(settled.allApplied()).isTrue();
    assertNothingToPop();
  }

  private SettleVerdict unfenced(UUID id, Outcome outcome) {
    return settle(Settle.unfenced(GROUP, id, outcome, null));
  }
}
