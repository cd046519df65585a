package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Result;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.SettleVerdict.Status;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of leases over several partitions: each partition is free again by itself. */
abstract class WideLeaseContract extends ContractFixture {
  private Popped wide;

  WideLeaseContract(BrokerContract implementation) {
    super(implementation);
  }

  /** A lease on the first message of p1 and of p2. */
  @BeforeEach
  void popTwoPartitions() {
    pushAll(message("a1").partition("p1"), message("b1").partition("p2"));
    wide = pop(one().batch(10).partitions(2));
    assertThat(payloads(wide)).containsExactlyInAnyOrder("a1", "b1");
    pushAll(message("a2").partition("p1"), message("b2").partition("p2"));
  }

  private Delivery held(String payload) {
    return wide.messages().stream()
        .filter(delivery -> payload(delivery).equals(payload))
        .findFirst()
        .orElseThrow();
  }

  private static PopRequest from(String partition) {
    return PopRequest.partition(QUEUE, partition).batch(10);
  }

  @Test
  void shouldFreeAPartitionWhenItsLastMessageIsSettled() {
    // when
    ack(held("a1"));
    // then
    Popped next = pop(one().batch(10).partitions(2));
    assertThat(payloads(next)).containsExactly("a2");
    assertThat(next.leaseId()).isNotEqualTo(wide.leaseId());
    assertThat(stats().leases()).isEqualTo(2);
  }

  @Test
  void shouldLiveOnForTheOtherPartition() {
    // given
    ack(held("a1"));
    // then
    Popped locked = pop(from("p2"));
    assertThat(locked.reason()).isEqualTo(Reason.LOCKED);
    assertThat(locked.retryAtMs()).isEqualTo(wide.leaseUntilMs());
    assertThat(broker.extend(ExtendRequest.of(wide.leaseId(), 60_000)).orThrow().open())
        .isEqualTo(1);
    assertStatus(ack(held("b1")), Status.ACKED);
    assertThat(payloads(pop(from("p2")))).containsExactly("b2");
  }

  @Test
  void shouldRememberWhatItSettledInAPartitionThatIsFree() {
    // given
    ack(held("a1"));
    Popped next = pop(from("p1"));
    // then
    assertStatus(ack(held("a1")), Status.ALREADY_SETTLED);
    restart();
    assertStatus(ack(held("a1")), Status.ALREADY_SETTLED);
    assertStatus(ackAll(next), Status.ACKED);
  }

  @Test
  void shouldKeepFreeWhatIsFreeAfterARestart() {
    // given
    ack(held("a1"));
    // when
    restart();
    // then
    assertThat(pop(from("p2")).reason()).isEqualTo(Reason.LOCKED);
    assertThat(payloads(pop(from("p1")))).containsExactly("a2");
  }

  @Test
  void shouldDeliverAgainWhatItGaveBackWhileItLives() {
    // when
    release(held("a1"));
    // then
    Popped next = pop(from("p1"));
    assertThat(payloads(next)).containsExactly("a1", "a2");
    assertStatus(ack(held("a1")), Status.STALE_LEASE);
    assertStatus(ack(next.messages().getFirst()), Status.ACKED);
  }

  @Test
  void shouldWakeAPopThatWaitsForThePartition() {
    // given
    CompletableFuture<Result<Popped>> waiting = waitingPop(from("p1").waitMs(60_000));
    // when
    ack(held("a1"));
    // then
    assertThat(payloads(answerOf(waiting).orThrow())).containsExactly("a2");
  }

  @Test
  void shouldFreeThePartitionThatAGroupSeeks() {
    // when
    broker.seek(new SeekRequest(QUEUE, GROUP, "p1", new SeekRequest.To.Beginning())).orThrow();
    // then
    assertThat(payloads(pop(from("p1")))).containsExactly("a1", "a2");
    assertThat(pop(from("p2")).reason()).isEqualTo(Reason.LOCKED);
    assertStatus(ack(held("a1")), Status.STALE_LEASE);
    assertStatus(ack(held("b1")), Status.ACKED);
  }

  @Test
  void shouldTakeAFreePartitionAgainWhenItIsJoined() {
    // given
    ack(held("a1"));
    // when
    Popped joined = pop(one().batch(10).partitions(2).joinLease(wide.leaseId()));
    // then
    assertThat(joined.leaseId()).isEqualTo(wide.leaseId());
    assertThat(payloads(joined)).containsExactlyInAnyOrder("a2", "b2");
    assertThat(pop(one()).reason()).isEqualTo(Reason.LOCKED);
    assertStatus(ackAll(wide), Status.ACKED);
    assertThat(stats().leases()).isZero();
  }

  @Test
  void shouldNotJoinAPartitionThatSomebodyElseHoldsMeanwhile() {
    // given
    ack(held("a1"));
    Popped other = pop(from("p1"));
    push(message("a3").partition("p1"));
    // then
    assertThat(payloads(pop(one().batch(10).partitions(2).joinLease(wide.leaseId()))))
        .containsExactly("b2");
    assertThat(pop(from("p1").joinLease(wide.leaseId())).reason()).isEqualTo(Reason.LOCKED);
    // when
    ackAll(other);
    // then
    assertThat(payloads(pop(from("p1").joinLease(wide.leaseId())))).containsExactly("a3");
  }
}
