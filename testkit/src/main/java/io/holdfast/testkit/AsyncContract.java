package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The contract of asynchronous verbs: they do what the blocking ones do, without a thread. */
abstract class AsyncContract extends ContractFixture {
  private static final long LONG_MS = Limits.WAIT_MS_MAX;

  AsyncContract(BrokerContract implementation) {
    super(implementation);
  }

  private static <T> T answer(AsyncResult<T> result) {
    return result.orTimeout(WaitLimits.TEST_SECONDS, TimeUnit.SECONDS).join().orThrow();
  }

  /** Starts a pop that waits, and returns when the broker has parked it. */
  private AsyncResult<Popped> parked(PopRequest request) {
    int before = stats().parkedPops();
    AsyncResult<Popped> result = broker.popAsync(request);
    eventually(() -> assertThat(stats().parkedPops()).isEqualTo(before + 1));
    assertThat(result).isNotDone();
    return result;
  }

  @Test
  void shouldPushPopAndSettle() {
    // when
    Pushed pushed = answer(broker.pushAsync(PushRequest.of(message("a"))));
    Popped popped = answer(broker.popAsync(one()));
    Settled settled = answer(broker.settleAsync(SettleRequest.of(Settle.ackAll(popped.leaseId()))));
    // then
    assertThat(popped.messages().getFirst().message().id())
        .isEqualTo(pushed.messages().getFirst().id());
    assertThat(settled.verdicts().getFirst().status()).isEqualTo(Status.ACKED);
    assertNothingToPop();
  }

  @Test
  void shouldAnswerManyRequestsAtOnce() {
    // given
    int count = 500;
    List<AsyncResult<Pushed>> pushes = new ArrayList<>();
    // when
    for (int i = 0; i < count; i++) {
      pushes.add(broker.pushAsync(PushRequest.of(message("m" + i))));
    }
    // then
    assertThat(pushes.stream().map(push -> answer(push).messages().getFirst().id()).distinct())
        .hasSize(count);
    assertThat(answer(broker.popAsync(one().batch(1_000))).messages()).hasSize(count);
  }

  @Test
  void shouldRefuseAsTheBlockingVerbsDo() {
    // given
    NewMessage tooLarge = NewMessage.to(QUEUE, new byte[PAYLOAD_BYTES_MAX + 1]);
    // then
    assertRefused(broker.pushAsync(PushRequest.of(tooLarge)).join(), ErrorCode.TOO_LARGE);
    assertRefused(
        broker.extendAsync(new ExtendRequest("AAAAAAAAAAA", 1_000, 0)).join(),
        ErrorCode.STALE_LEASE);
    assertRefused(
        broker.commitAsync(CommitRequest.of(new Operation.PutRecord("key", 7, bytes("v")))).join(),
        ErrorCode.WRONG_VERSION);
  }

  @Test
  void shouldCommit() {
    // given
    push("a");
    Popped popped = popAll();
    // when
    Committed committed =
        answer(
            broker.commitAsync(
                CommitRequest.of(
                    new Operation.SettleMessage(Settle.ackAll(popped.leaseId())),
                    new Operation.PushMessage(message("other", "b"), false))));
    // then
    assertThat(committed.steps()).hasSize(2);
    assertNothingToPop();
    assertThat(payloads(pop(PopRequest.queue("other")))).containsExactly("b");
  }

  @Test
  void shouldAnswerAParkedPopWhenAMessageComes() {
    // given
    AsyncResult<Popped> waiting = parked(one().waitMs(LONG_MS));
    // when
    push("a");
    // then
    assertThat(payloads(answer(waiting))).containsExactly("a");
  }

  @Test
  void shouldAnswerAParkedPopWhenItsTimeIsOver() {
    // given
    AsyncResult<Popped> waiting = parked(one().waitMs(1_000));
    // when
    advanceMs(1_000);
    // then
    assertThat(answer(waiting).reason()).isEqualTo(Reason.EMPTY);
  }

  @Test
  void shouldAnswerAParkedPopWhenARetryIsDue() {
    // given
    push("a");
    nack(popOne());
    AsyncResult<Popped> waiting = parked(one().waitMs(LONG_MS));
    // when
    advanceMs(1_000);
    // then
    assertThat(payloads(answer(waiting))).containsExactly("a");
  }

  @Test
  void shouldAnswerAParkedPopSoonWhenItIsToStopWaiting() {
    // given
    AsyncResult<Popped> waiting = parked(one().waitMs(LONG_MS));
    // when
    waiting.stopWaiting();
    // then
    assertThat(answer(waiting).messages()).isEmpty();
    eventually(() -> assertThat(stats().parkedPops()).isZero());
  }

  @Test
  void shouldTakeNothingForAPopThatWasCancelled() {
    // given
    AsyncResult<Popped> waiting = parked(one().waitMs(LONG_MS));
    // when
    waiting.cancel(false);
    // then
    eventually(() -> assertThat(stats().parkedPops()).isZero());
    push("a");
    assertThat(payloads(popSoon(one()))).containsExactly("a");
  }

  @Test
  void shouldGiveBackWhatACancelledPopTakes() {
    // given
    for (int i = 0; i < 50; i++) {
      push("a" + i);
      // when
      AsyncResult<Popped> pop = broker.popAsync(one());
      boolean cancelled = pop.cancel(false);
      // then
      if (!cancelled) {
        release(pop.join().orThrow().messages().getFirst());
      }
      eventuallyNoLeases();
      ack(popOneSoon());
    }
  }

  @Test
  void shouldAnswerAWaitingExtendWhenItsMessageIsCancelled() {
    // given
    UUID id = push("a");
    Popped popped = popAll();
    AsyncResult<Extended> waiting =
        broker.extendAsync(new ExtendRequest(popped.leaseId(), 60_000, LONG_MS));
    // when
    broker.cancel(CancelRequest.of(MessageRef.id(id))).orThrow();
    // then
    Result<Extended> result = waiting.orTimeout(WaitLimits.TEST_SECONDS, TimeUnit.SECONDS).join();
    assertThat(result.isOk() ? result.orThrow().cancelled().size() : 1).isEqualTo(1);
  }

  @Test
  void shouldAnswerParkedPopsInTheOrderInWhichTheyCame() {
    // given
    makeShared();
    List<AsyncResult<Popped>> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(parked(one().waitMs(LONG_MS)));
    }
    // when
    for (int i = 0; i < 3; i++) {
      push("m" + i);
      // then
      assertThat(payloads(answer(waiting.get(i)))).containsExactly("m" + i);
    }
  }
}
