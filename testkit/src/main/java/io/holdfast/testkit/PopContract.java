package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of what else a pop does: it settles, joins a lease, and says why it is empty. */
abstract class PopContract extends ContractFixture {
  PopContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldSettleWhatAPopCarriesBeforeItTakes() {
    // given
    pushAll("a", "b");
    Delivery first = popOne();
    // when
    Popped second = pop(one().settles(List.of(Settle.ack(first.handle()))));
    // then
    assertThat(second.settled()).extracting(SettleVerdict::status).containsExactly(Status.ACKED);
    assertThat(payloads(second)).containsExactly("b");
  }

  @Test
  void shouldJudgeEachSettleOfAPopByItself() {
    // given
    pushAll("a", "b", "c");
    Popped first = pop(one().batch(2));
    Settle stale =
        Settle.ack(new Handle("AAAAAAAAAAA", first.messages().get(0).message().position()));
    // when
    Popped second =
        pop(
            one()
                .settles(
                    List.of(
                        stale,
                        Settle.ack(first.messages().get(0).handle()),
                        Settle.ack(first.messages().get(0).handle()),
                        Settle.ack(first.messages().get(1).handle()))));
    // then
    assertThat(second.settled())
        .extracting(SettleVerdict::status)
        .containsExactly(Status.STALE_LEASE, Status.ACKED, Status.ALREADY_SETTLED, Status.ACKED);
    assertThat(payloads(second)).containsExactly("c");
  }

  @Test
  void shouldSettleWhatAnEmptyPopCarries() {
    // given
    push("a");
    Delivery delivery = popOne();
    // when
    Popped empty = pop(one().settles(List.of(Settle.ack(delivery.handle()))));
    // then
    assertThat(empty.reason()).isEqualTo(Reason.EMPTY);
    assertThat(empty.settled()).extracting(SettleVerdict::status).containsExactly(Status.ACKED);
    assertStatus(ack(delivery), Status.ALREADY_SETTLED);
  }

  @Test
  void shouldApplyNoneOfTheSettlesOfARefusedPop() {
    // given
    pushAll("a", "b");
    Delivery held = popOne();
    // when the lease to join is unknown
    Result<Popped> refused =
        broker.pop(one().joinLease("AAAAAAAAAAA").settles(List.of(Settle.ack(held.handle()))));
    // then
    assertThat(refused.refusal().code()).isEqualTo(ErrorCode.STALE_LEASE);
    assertThat(refused.refusal().detail()).contains("none of the settles");
    assertStatus(ack(held), Status.ACKED);
  }

  @Test
  void shouldLetMoreMessagesJoinALiveLease() {
    // given
    pushAll("a", "b", "c");
    Popped first = pop(one());
    // when
    Popped second = pop(one().joinLease(first.leaseId()));
    // then
    assertThat(payloads(second)).containsExactly("b");
    assertThat(second.leaseId()).isEqualTo(first.leaseId());
    assertThat(stats().leases()).isEqualTo(1);
    // when
    SettleVerdict verdict = ackAll(first);
    // then
    assertStatus(verdict, Status.ACKED);
    assertThat(verdict.count()).isEqualTo(2);
    assertThat(payload(popOne())).isEqualTo("c");
  }

  @Test
  void shouldNotJoinALeaseThatIsOver() {
    // given
    pushAll("a", "b");
    Popped first = pop(one());
    ackAll(first);
    // when
    Result<Popped> second = broker.pop(one().joinLease(first.leaseId()));
    // then: it is refused, or given a lease of its own
    if (second.isOk()) {
      assertThat(payloads(second.orThrow())).containsExactly("b");
      assertThat(second.orThrow().leaseId()).isNotEqualTo(first.leaseId());
      assertStatus(ackAll(second.orThrow()), Status.ACKED);
    } else {
      assertRefused(second, ErrorCode.STALE_LEASE);
      assertThat(payload(popOne())).isEqualTo("b");
    }
  }

  @Test
  void shouldSayThatAQueueIsEmpty() {
    // given
    push("a");
    ack(popOne());
    // when
    Popped popped = pop(one());
    // then
    assertThat(popped.reason()).isEqualTo(Reason.EMPTY);
    assertThat(popped.leaseId()).isEmpty();
    assertThat(popped.leaseUntilMs()).isZero();
    assertThat(popped.retryAtMs()).isZero();
  }

  @Test
  void shouldMakeAQueueThatIsPopped() {
    // when
    Popped popped = pop(PopRequest.queue("never-seen"));
    // then
    assertThat(popped.reason()).isEqualTo(Reason.EMPTY);
    assertThat(broker.queue("never-seen").isOk()).isTrue();
  }

  @Test
  void shouldGiveNoReasonWhereThereAreMessages() {
    // given
    push("a");
    // then
    assertThat(pop(one()).reason()).isEqualTo(Reason.NONE);
  }
}
