package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.Delivery;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.Fetched;
import io.holdfast.workflow.store.FetchedTurn;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Group 4: leases end, are renewed and are given back. */
abstract class LeaseRules extends ProviderFixture {
  LeaseRules(ProviderContract implementation) {
    super(implementation);
  }

  @Test
  @DisplayName("lock_expires_after_timeout")
  void shouldGiveAFlowToAnotherWhenItsLeaseIsOver() {
    // given
    sendStart("a");
    fetchTurn();
    // when, then
    advanceMs(LEASE_MS - 1);
    assertNothingToDo();
    advanceMs(1);
    assertThat(fetchTurnSoon().id()).isEqualTo("a");
  }

  @Test
  @DisplayName("abandon_releases_lock_immediately")
  void shouldGiveAnAbandonedFlowToAnotherAtOnce() {
    // given
    sendStart("a");
    FetchedTurn turn = fetchTurn();
    // when
    abandon(turn.messages(), 0);
    // then
    assertThat(messages(fetchTurn())).singleElement().isInstanceOf(TurnMessage.Start.class);
    assertRefused(store.commit(firstTurn(turn)), ErrorCode.STALE_LEASE, ErrorCode.ALREADY_SETTLED);
  }

  @Test
  @DisplayName("ours: an abandoned flow comes back after its delay, not before")
  void shouldGiveAnAbandonedFlowBackAfterItsDelay() {
    // given
    sendStart("a");
    abandon(fetchTurn().messages(), 5_000);
    // when, then
    advanceMs(4_999);
    assertNothingToDo();
    advanceMs(1);
    assertThat(fetchTurnSoon().id()).isEqualTo("a");
  }

  @Test
  @DisplayName("lock_renewal_on_ack")
  void shouldLetGoOfAFlowWhenItsTurnIsStored() {
    // given
    sendStart("a");
    store.commit(firstTurn(fetchTurn())).orThrow();
    // when
    sendStart("a");
    // then: nobody has to wait for the end of the lease
    assertThat(fetchTurn().id()).isEqualTo("a");
  }

  @Test
  @DisplayName("concurrent_lock_attempts_respect_expiration")
  void shouldRefuseAllWhileALeaseLastsAndGiveToOneAfter() {
    // given
    sendStart("a");
    fetchTurn();
    // when, then
    for (int i = 0; i < 5; i++) {
      advanceMs(LEASE_MS / 6);
      assertNothingToDo();
    }
    advanceMs(LEASE_MS);
    fetchTurnSoon();
    assertNothingToDo();
  }

  private Fetched<Delivery> oneWork() {
    begin("a", call("one"));
    Fetched<Delivery> work = fetchWork(1);
    assertThat(work.items()).hasSize(1);
    return work;
  }

  @Test
  @DisplayName("worker_lock_renewal_success")
  void shouldRenewALeaseOfWork() {
    // given
    Fetched<Delivery> work = oneWork();
    // when
    var extended = extend(work.leaseId(), LEASE_MS).orThrow();
    // then
    assertThat(extended.leaseUntilMs()).isEqualTo(clock.wallMs() + LEASE_MS);
    assertThat(extended.cancelled()).isEmpty();
  }

  @Test
  @DisplayName("worker_lock_renewal_invalid_token")
  void shouldRefuseToRenewAMadeUpLease() {
    oneWork();
    assertThat(extend("no-such-lease", LEASE_MS).isOk()).isFalse();
  }

  @Test
  @DisplayName("worker_lock_renewal_after_expiration")
  void shouldRefuseToRenewALeaseThatIsOver() {
    // given
    Fetched<Delivery> work = oneWork();
    advanceMs(LEASE_MS + 1);
    fetchOneWorkSoon();
    // when, then
    assertThat(extend(work.leaseId(), LEASE_MS).refusal().code()).isEqualTo(ErrorCode.STALE_LEASE);
  }

  @Test
  @DisplayName("worker_lock_renewal_extends_timeout")
  void shouldHoldWorkForAsLongAsItIsRenewed() {
    // given
    Fetched<Delivery> work = oneWork();
    // when
    for (int i = 0; i < 4; i++) {
      advanceMs(LEASE_MS - 1);
      extend(work.leaseId(), LEASE_MS).orThrow();
      assertThat(fetchWork(1).isEmpty()).isTrue();
    }
    // then
    complete(work.items().getFirst(), "1").orThrow();
  }

  @Test
  @DisplayName("worker_lock_renewal_after_ack")
  void shouldRefuseToRenewALeaseWhoseWorkIsDone() {
    // given
    Fetched<Delivery> work = oneWork();
    complete(work.items().getFirst(), "1").orThrow();
    // when, then
    assertThat(extend(work.leaseId(), LEASE_MS).isOk()).isFalse();
  }

  @Test
  @DisplayName("abandon_work_item_releases_lock")
  void shouldGiveAbandonedWorkToAnotherAtOnce() {
    // given
    Fetched<Delivery> work = oneWork();
    // when
    abandon(work.items(), 0);
    // then
    assertThat(order(fetchOneWork()).activity()).isEqualTo("one");
  }

  @Test
  @DisplayName("abandon_work_item_with_delay")
  void shouldGiveAbandonedWorkBackAfterItsDelay() {
    // given
    Fetched<Delivery> work = oneWork();
    abandon(work.items(), 2_000);
    // when, then
    advanceMs(1_999);
    assertThat(fetchWork(1).isEmpty()).isTrue();
    advanceMs(1);
    assertThat(order(fetchOneWorkSoon()).activity()).isEqualTo("one");
  }

  @Test
  @DisplayName("worker_ack_fails_after_lock_expiry")
  void shouldRefuseTheResultOfWorkWhoseLeaseIsOver() {
    // given
    Fetched<Delivery> work = oneWork();
    advanceMs(LEASE_MS + 1);
    Delivery again = fetchOneWorkSoon();
    // when, then
    assertRefused(complete(work.items().getFirst(), "late"), ErrorCode.STALE_LEASE);
    assertNothingToDo();
    complete(again, "1").orThrow();
    assertThat(messages(fetchTurn())).hasSize(1);
  }

  @Test
  @DisplayName("orchestration_lock_renewal_after_expiration")
  void shouldRefuseToRenewTheLeaseOfATurnThatIsOver() {
    // given
    sendStart("a");
    Fetched<FetchedTurn> turn = fetch(1);
    extend(turn.leaseId(), LEASE_MS).orThrow();
    // when
    advanceMs(LEASE_MS + 1);
    List<FetchedTurn> next = List.of(fetchTurnSoon());
    // then
    assertThat(extend(turn.leaseId(), LEASE_MS).refusal().code()).isEqualTo(ErrorCode.STALE_LEASE);
    store.commit(firstTurn(next.getFirst())).orThrow();
  }
}
