package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.message.Moved;
import io.holdfast.api.message.RescheduleRequest;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The contract of cancel and reschedule: any message, in any state. */
abstract class CancelContract extends ContractFixture {
  CancelContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldCancelADelayedMessage() {
    // given
    UUID id = push(message("a").delayMs(5_000)).id();
    // when
    Moved moved = cancel(id);
    // then
    assertThat(moved).isEqualTo(new Moved(id, MessageState.DELAYED, 0));
    advanceSeconds(60);
    assertNothingToPop();
    assertThat(stats().delayed()).isZero();
    assertThat(stats().totals().cancelled()).isEqualTo(1);
  }

  @Test
  void shouldCancelAWaitingMessage() {
    // given
    List<UUID> ids = pushAll("a", "b", "c");
    // when
    Moved moved = cancel(ids.get(1));
    // then
    assertThat(moved).isEqualTo(new Moved(ids.get(1), MessageState.WAITING, 0));
    restart();
    Popped popped = popAll();
    assertThat(payloads(popped)).containsExactly("a", "c");
    assertStatus(ackAll(popped), Status.ACKED);
    assertThat(group(GROUP).lag()).isZero();
  }

  @Test
  void shouldCancelTheOnlyWaitingMessage() {
    // given
    UUID id = push("a");
    // when
    cancel(id);
    // then
    assertThat(pop(one()).reason()).isEqualTo(Reason.EMPTY);
    assertThat(group(GROUP).lag()).isZero();
    push("b");
    assertThat(payloads(popAll())).containsExactly("b");
  }

  @Test
  void shouldTakeALeasedMessageFromItsLease() {
    // given
    List<UUID> ids = pushAll("a", "b");
    Popped popped = popAll();
    // when
    Moved moved = cancel(ids.get(0));
    // then
    assertThat(moved.state()).isEqualTo(MessageState.IN_FLIGHT);
    SettleVerdict verdict = ack(popped.messages().get(0));
    assertStatus(verdict, Status.CANCELLED);
    assertThat(verdict.code()).isEqualTo(ErrorCode.CANCELLED);
    assertStatus(ack(popped.messages().get(1)), Status.ACKED);
    assertNothingToPop();
  }

  @Test
  void shouldEndALeaseThatHoldsNothingElse() {
    // given
    UUID id = push("a");
    push("b");
    Delivery held = popOne();
    // when
    cancel(id);
    // then
    assertThat(payload(popOne())).isEqualTo("b");
    assertStatus(nack(held), Status.CANCELLED);
  }

  @Test
  void shouldTakeAMessageFromTheLeasesOfAllGroups() {
    // given
    UUID id = push("a");
    Delivery first = popOne();
    Delivery second = popOne(one().group("other"));
    // when
    cancel(id);
    // then
    assertStatus(ack(first), Status.CANCELLED);
    assertStatus(ack(second), Status.CANCELLED);
  }

  @Test
  void shouldTellAnExtendWhatWasCancelled() {
    // given
    List<UUID> ids = pushAll("a", "b");
    Popped popped = popAll();
    cancel(ids.get(0));
    // when
    Extended extended = broker.extend(ExtendRequest.of(popped.leaseId(), 60_000)).orThrow();
    // then
    assertThat(extended.open()).isEqualTo(1);
    assertThat(extended.cancelled()).containsExactly(popped.messages().get(0).message().position());
  }

  @Test
  void shouldAnswerAWaitingExtendAtOnce() {
    // given
    List<UUID> ids = pushAll("a", "b");
    Popped popped = popAll();
    CompletableFuture<Result<Extended>> waiting =
        waiting(() -> broker.extend(new ExtendRequest(popped.leaseId(), 60_000, 600_000)));
    // when
    cancel(ids.get(1));
    // then
    assertThat(answerOf(waiting).orThrow().cancelled())
        .containsExactly(popped.messages().get(1).message().position());
  }

  @Test
  void shouldLetAnExtendWaitAgainOnceItsHolderWasTold() {
    // given
    List<UUID> ids = pushAll("a", "b", "c");
    Popped popped = popAll();
    cancel(ids.get(0));
    broker.extend(ExtendRequest.of(popped.leaseId(), 60_000)).orThrow();
    // when
    CompletableFuture<Result<Extended>> waiting =
        waiting(() -> broker.extend(new ExtendRequest(popped.leaseId(), 60_000, 600_000)));
    // then
    assertThat(waiting).isNotDone();
    // when
    cancel(ids.get(1));
    // then
    assertThat(answerOf(waiting).orThrow().cancelled()).hasSize(2);
  }

  @Test
  void shouldCancelAMessageThatCameBack() {
    // given
    UUID id = push("a");
    push("b");
    nack(popOne());
    // when
    Moved moved = cancel(id);
    // then: it blocks nothing any more
    assertThat(moved.state()).isEqualTo(MessageState.RETURNED);
    assertThat(payload(popOne())).isEqualTo("b");
  }

  @Test
  void shouldCancelADeadLetter() {
    // given
    UUID id = push("a");
    kill(popOne(), "poison");
    // when
    Moved moved = cancel(id);
    // then
    assertThat(moved.state()).isEqualTo(MessageState.DEAD);
    assertThat(deadLetters().total()).isZero();
  }

  @Test
  void shouldCancelByName() {
    // given
    UUID id = push(named("t1")).id();
    // when
    Moved moved =
        broker.cancel(CancelRequest.of(MessageRef.named(QUEUE, PARTITION, "t1"))).orThrow();
    // then
    assertThat(moved.id()).isEqualTo(id);
    assertNothingToPop();
  }

  @Test
  void shouldForgetACancelledMessage() {
    // given
    UUID id = push("a");
    cancel(id);
    // then
    assertRefused(broker.message(MessageRef.id(id)), ErrorCode.NOT_FOUND);
    assertRefused(broker.cancel(CancelRequest.of(MessageRef.id(id))), ErrorCode.NOT_FOUND);
  }

  @Test
  void shouldNotCancelWhatIsNotThere() {
    // given
    push(named("t1"));
    // then
    for (MessageRef ref :
        List.of(
            MessageRef.id(UUID.randomUUID()),
            MessageRef.named(QUEUE, PARTITION, "t2"),
            MessageRef.named(QUEUE, "p9", "t1"),
            MessageRef.named("no-such", PARTITION, "t1"))) {
      assertRefused(broker.cancel(CancelRequest.of(ref)), ErrorCode.NOT_FOUND);
      assertRefused(broker.reschedule(new RescheduleRequest(ref, now())), ErrorCode.NOT_FOUND);
    }
  }

  @Test
  void shouldMakeADelayedMessageLater() {
    // given
    UUID id = push(message("a").delayMs(5_000)).id();
    // when
    Moved moved = reschedule(id, now() + 10_000);
    // then
    assertThat(moved).isEqualTo(new Moved(id, MessageState.DELAYED, now() + 10_000));
    advanceMs(9_999);
    assertNothingToPop();
    restart();
    advanceMs(1);
    assertThat(popOneSoon().message().id()).isEqualTo(id);
  }

  @Test
  void shouldMakeADelayedMessageEarlier() {
    // given
    UUID id = push(message("a").delayMs(3_600_000)).id();
    // when
    reschedule(id, now() + 1_000);
    advanceSeconds(1);
    // then
    assertThat(popOneSoon().message().id()).isEqualTo(id);
    advanceSeconds(3_600);
    eventuallyNoLeases();
    assertThat(popAll().messages()).as("deliveries of the one message").hasSize(1);
  }

  @Test
  void shouldMakeADelayedMessageVisibleNow() {
    // given
    UUID id = push(message("a").delayMs(3_600_000)).id();
    // when
    reschedule(id, now());
    // then
    assertThat(popOneSoon().message().id()).isEqualTo(id);
  }

  @Test
  void shouldPutOffAWaitingMessage() {
    // given
    List<UUID> ids = pushAll("a", "b");
    // when
    Moved moved = reschedule(ids.get(0), now() + 5_000);
    // then
    assertThat(moved.state()).isEqualTo(MessageState.WAITING);
    assertThat(moved.visibleAtMs()).isEqualTo(now() + 5_000);
    advanceMs(4_999);
    assertThat(payloads(popAll())).doesNotContain("a");
  }

  @Test
  void shouldDeliverAPutOffMessageWhenItIsDue() {
    // given
    UUID id = push("a");
    // when
    reschedule(id, now() + 5_000);
    // then
    assertNothingToPop();
    advanceSeconds(5);
    Delivery delivery = popOneSoon();
    assertThat(delivery.message().id()).isEqualTo(id);
    assertStatus(ack(delivery), Status.ACKED);
    assertNothingToPop();
  }

  @Test
  void shouldTakeALeasedMessageFromItsLeaseToPutItOff() {
    // given
    UUID id = push("a");
    Delivery held = popOne();
    // when
    Moved moved = reschedule(id, now() + 5_000);
    // then
    assertThat(moved.state()).isEqualTo(MessageState.IN_FLIGHT);
    assertStatus(ack(held), Status.CANCELLED);
    assertNothingToPop();
    advanceSeconds(5);
    assertThat(popOneSoon().message().id()).isEqualTo(id);
  }

  @Test
  void shouldMoveTheRetryOfAMessageThatCameBack() {
    // given
    UUID id = push("a");
    nack(popOne());
    // when
    reschedule(id, now() + 60_000);
    advanceSeconds(30);
    // then
    assertNothingToPop();
    // when
    reschedule(id, now());
    // then
    assertThat(popOneSoon().message().id()).isEqualTo(id);
  }

  private Moved cancel(UUID id) {
    return broker.cancel(CancelRequest.of(MessageRef.id(id))).orThrow();
  }

  private Moved reschedule(UUID id, long visibleAtMs) {
    return broker.reschedule(new RescheduleRequest(MessageRef.id(id), visibleAtMs)).orThrow();
  }
}
