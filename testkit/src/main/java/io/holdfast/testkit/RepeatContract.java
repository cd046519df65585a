package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RequestNumber;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.queue.QueueOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests that are repeated because their answers did not come. */
abstract class RepeatContract extends ContractFixture {
  RepeatContract(BrokerContract implementation) {
    super(implementation);
  }

  private String session() {
    return broker.openSession().orThrow().id();
  }

  private static PushRequest push(String session, int slot, long sequence, String payload) {
    return PushRequest.of(message(payload)).number(new RequestNumber(session, slot, sequence));
  }

  private Popped pop(String attemptId, int batch) {
    return broker.pop(PopRequest.queue(QUEUE).batch(batch).attemptId(attemptId)).orThrow();
  }

  @Test
  void shouldAnswerARepeatedNumberWithTheFirstResult() {
    // given
    String session = session();
    Pushed first = broker.push(push(session, 0, 1, "a")).orThrow();
    restart();
    // when
    Pushed second = broker.push(push(session, 0, 1, "a")).orThrow();
    // then
    assertThat(second).isEqualTo(first);
    assertThat(payloads(popAll())).containsExactly("a");
  }

  @Test
  void shouldAnswerARepeatedCommitWithTheFirstResult() {
    // given
    CommitRequest request =
        CommitRequest.of(new Operation.AppendJournal("j", 0, List.of(bytes("e"))))
            .number(new RequestNumber(session(), 0, 1));
    Committed first = broker.commit(request).orThrow();
    restart();
    // then
    assertThat(broker.commit(request).orThrow()).isEqualTo(first);
  }

  @Test
  void shouldExecuteRequestsOfDifferentSlotsInAnyOrder() {
    // given
    String session = session();
    Pushed late = broker.push(push(session, 7, 5, "a")).orThrow();
    broker.push(push(session, 2, 1, "b")).orThrow();
    broker.push(push(session, 2, 9, "c")).orThrow();
    // then
    assertThat(broker.push(push(session, 7, 5, "a")).orThrow()).isEqualTo(late);
    assertThat(payloads(popAll())).containsExactly("a", "b", "c");
  }

  @Test
  void shouldRefuseANumberOlderThanTheLastOfItsSlot() {
    // given
    String session = session();
    broker.push(push(session, 0, 1, "a")).orThrow();
    broker.push(push(session, 0, 2, "b")).orThrow();
    restart();
    // then
    assertRefused(broker.push(push(session, 0, 1, "a")), ErrorCode.REQUEST_FORGOTTEN);
    assertThat(payloads(popAll())).containsExactly("a", "b");
  }

  @Test
  void shouldRefuseANumberOfAnUnknownSession() {
    // then
    assertRefused(broker.push(push("AAAAAAAAAAE", 0, 1, "a")), ErrorCode.REQUEST_FORGOTTEN);
    assertRefused(broker.push(push("garbage", 0, 1, "a")), ErrorCode.REQUEST_FORGOTTEN);
    assertNothingToPop();
  }

  @Test
  void shouldRefuseANumberThatAnotherKindOfRequestHasUsed() {
    // given
    String session = session();
    broker.push(push(session, 0, 1, "a")).orThrow();
    Operation append = new Operation.AppendJournal("j", 0, List.of(bytes("e")));
    // then
    assertRefused(
        broker.commit(CommitRequest.of(append).number(new RequestNumber(session, 0, 1))),
        ErrorCode.REQUEST_FORGOTTEN);
  }

  @Test
  void shouldExecuteANumberAgainThatWasRefused() {
    // given
    configure(QueueOption.MAX_SIZE, 1);
    String session = session();
    push("first");
    assertRefused(broker.push(push(session, 0, 1, "a")), ErrorCode.FULL);
    ack(popOne());
    // when
    broker.push(push(session, 0, 1, "a")).orThrow();
    // then
    assertThat(payloads(popAll())).containsExactly("a");
  }

  @Test
  void shouldForgetASessionThatWasNotUsedForAWeek() {
    // given
    String session = session();
    broker.push(push(session, 0, 1, "a")).orThrow();
    // when
    advanceSeconds(7 * 24 * 3600 - 1);
    broker.push(push(session, 0, 2, "b")).orThrow();
    advanceSeconds(7 * 24 * 3600);
    // then
    assertRefused(broker.push(push(session, 0, 2, "b")), ErrorCode.REQUEST_FORGOTTEN);
    assertRefused(broker.push(push(session, 0, 3, "c")), ErrorCode.REQUEST_FORGOTTEN);
  }

  @Test
  void shouldReturnTheSameLeaseToARepeatedPop() {
    // given
    pushAll("a", "b", "c");
    Popped first = pop("attempt", 2);
    advanceSeconds(100);
    restart();
    // when
    Popped second = pop("attempt", 2);
    // then
    assertThat(payloads(second)).containsExactly("a", "b");
    assertThat(second.leaseId()).isNotEqualTo(first.leaseId());
    assertThat(second.messages()).extracting(Delivery::attempt).containsOnly(1);
    assertThat(second.leaseUntilMs()).isEqualTo(now() + 300_000);
    assertThat(stats().leases()).isEqualTo(1);
  }

  @Test
  void shouldNotEndTheLeaseOfARepeatByAReleaseOfTheFirstAnswer() {
    // given: the first answer could not be delivered, and the repeat was faster than its release
    pushAll("a", "b");
    Popped first = pop("attempt", 2);
    Popped second = pop("attempt", 2);
    // when
    assertStatus(settle(Settle.releaseAll(first.leaseId())), Status.STALE_LEASE);
    assertStatus(ack(first.messages().getFirst()), Status.STALE_LEASE);
    restart();
    // then
    assertThat(stats().leases()).isEqualTo(1);
    assertStatus(ackAll(second), Status.ACKED);
    assertNothingToPop();
  }

  @Test
  void shouldReturnOnlyTheOpenMessagesToARepeatedPop() {
    // given
    pushAll("a", "b", "c");
    Popped first = pop("attempt", 3);
    ack(first.messages().get(1));
    // then
    assertThat(payloads(pop("attempt", 3))).containsExactly("a", "c");
    assertThat(pop("another", 3).messages()).isEmpty();
  }

  @Test
  void shouldReturnWhatCameBackToARepeatedPop() {
    // given a message that was delivered before
    push("a");
    Popped first = pop("attempt-1", 1);
    broker.settle(SettleRequest.of(Settle.release(first.messages().getFirst().handle())));
    assertThat(pop("attempt-2", 1).messages()).extracting(Delivery::attempt).containsExactly(2);
    // then
    assertThat(pop("attempt-2", 1).messages()).extracting(Delivery::attempt).containsExactly(2);
  }

  @Test
  void shouldGrantANewLeaseToARepeatAfterTheFirstLeaseEnded() {
    // given
    pushAll("a", "b");
    Popped first = pop("attempt", 1);
    ack(first.messages().getFirst());
    // when
    Popped second = pop("attempt", 1);
    // then
    assertThat(payloads(second)).containsExactly("b");
    assertThat(second.leaseId()).isNotEqualTo(first.leaseId());
    // when the second lease expires
    advanceSeconds(300);
    Popped third = popSoon(PopRequest.queue(QUEUE).attemptId("attempt"));
    // then
    assertThat(third.leaseId()).isNotEqualTo(second.leaseId());
    assertThat(third.messages()).extracting(Delivery::attempt).containsExactly(2);
  }

  @Test
  void shouldNotTakeALeaseAwayByATryThatItsRepeatHasOvertaken() {
    // given
    push("a");
    Popped held = pop("attempt~1", 1);
    // when
    Popped late = pop("attempt~0", 1);
    // then
    assertThat(late.isEmpty()).isTrue();
    ack(held.messages().getFirst());
    // when it is repeated later
    push("b");
    Popped first = pop("other~1", 1);
    Popped second = pop("other~2", 1);
    // then
    assertThat(payloads(second)).isEqualTo(payloads(first)).containsExactly("b");
    assertThat(pop("other~1", 1).isEmpty()).isTrue();
    ack(second.messages().getFirst());
  }

  @Test
  void shouldKeepTheAttemptsOfGroupsApart() {
    // given
    push("a");
    Popped one = pop("attempt", 1);
    // when
    PopRequest request = PopRequest.queue(QUEUE).group("g").attemptId("attempt");
    Popped other = broker.pop(request).orThrow();
    // then
    assertThat(other.leaseId()).isNotEqualTo(one.leaseId());
    Popped again = broker.pop(request).orThrow();
    assertThat(again.messages().getFirst().message().id())
        .isEqualTo(other.messages().getFirst().message().id());
    assertThat(stats().leases()).isEqualTo(2);
  }

  @Test
  void shouldSettleWithARepeatedPopWhatTheFirstHasSettled() {
    // given
    pushAll("a", "b");
    Popped held = pop("attempt-1", 1);
    PopRequest next =
        PopRequest.queue(QUEUE)
            .settles(List.of(Settle.ack(held.messages().getFirst().handle())))
            .attemptId("attempt-2");
    Popped first = broker.pop(next).orThrow();
    // when
    Popped second = broker.pop(next).orThrow();
    // then
    assertThat(payloads(second)).isEqualTo(payloads(first)).containsExactly("b");
    assertThat(second.settled())
        .extracting(SettleVerdict::status)
        .containsExactly(Status.ALREADY_SETTLED);
  }
}
