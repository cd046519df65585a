package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Popped.Reason;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The contract of sticky pops: a partition goes to the worker that had it last, for a time. */
abstract class StickyContract extends ContractFixture {
  private static final long STICKY_MS = 200;
  private static final long LONG_MS = Limits.WAIT_MS_MAX;

  StickyContract(BrokerContract implementation) {
    super(implementation);
  }

  private static PopRequest by(String worker) {
    return one().worker(worker).stickyMs(STICKY_MS);
  }

  /** A partition whose last message was taken by a worker, and is settled. */
  private void servedBy(String worker, String partition) {
    push(message("served").partition(partition));
    ack(popOne(PopRequest.partition(QUEUE, partition).worker(worker).stickyMs(STICKY_MS)));
  }

  @Test
  void shouldLeaveAPartitionToTheWorkerThatHadItLast() {
    // given
    servedBy("a", "p");
    push(message("next").partition("p"));
    // when
    Popped other = pop(by("b"));
    // then
    assertThat(other.reason()).isEqualTo(Reason.RESERVED);
    assertThat(other.retryAtMs()).isEqualTo(now() + STICKY_MS);
    assertThat(payloads(pop(by("a")))).containsExactly("next");
  }

  @Test
  void shouldGiveAPartitionToOthersWhenItsWorkerDoesNotCome() {
    // given
    servedBy("a", "p");
    push(message("next").partition("p"));
    // when
    advanceMs(STICKY_MS);
    // then
    assertThat(payloads(pop(by("b")))).containsExactly("next");
  }

  @Test
  void shouldCountTheTimeFromTheFirstOfSeveralMessages() {
    // given
    servedBy("a", "p");
    push(message("first").partition("p"));
    advanceMs(STICKY_MS - 1);
    push(message("second").partition("p"));
    assertThat(pop(by("b")).reason()).isEqualTo(Reason.RESERVED);
    // when
    advanceMs(1);
    // then
    assertThat(payloads(pop(by("b")))).containsExactly("first");
  }

  @Test
  void shouldPreferTheWorkerThatTookLast() {
    // given
    servedBy("a", "p");
    servedBy("a", "q");
    push(message("x").partition("p"));
    advanceMs(STICKY_MS);
    ack(popOne(by("b")));
    // when
    push(message("y").partition("p"));
    // then
    assertThat(pop(by("a")).reason()).isEqualTo(Reason.RESERVED);
    assertThat(payloads(pop(by("b")))).containsExactly("y");
  }

  @Test
  void shouldLeaveNothingWithoutStickyMs() {
    // given
    servedBy("a", "p");
    push(message("next").partition("p"));
    // when
    Delivery taken = popOne(one().worker("b"));
    // then
    assertThat(payload(taken)).isEqualTo("next");
    // and that worker is not preferred, nor is the one before
    ack(taken);
    push(message("last").partition("p"));
    assertThat(payloads(pop(by("c")))).containsExactly("last");
  }

  @Test
  void shouldLeaveAPartitionAloneThatIsPoppedByName() {
    // given
    servedBy("a", "p");
    push(message("next").partition("p"));
    PopRequest other = PopRequest.partition(QUEUE, "p").worker("b").stickyMs(STICKY_MS);
    // when
    Popped popped = pop(other);
    // then
    assertThat(popped.reason()).isEqualTo(Reason.RESERVED);
    assertThat(popped.retryAtMs()).isEqualTo(now() + STICKY_MS);
    assertThat(payloads(pop(other.worker("a")))).containsExactly("next");
  }

  @Test
  void shouldTakeOtherPartitionsMeanwhile() {
    // given
    servedBy("a", "p");
    push(message("of a").partition("p"));
    push(message("of nobody").partition("q"));
    // then
    assertThat(payloads(pop(by("b").batch(10).partitions(10)))).containsExactly("of nobody");
  }

  @Test
  void shouldGiveReturnedMessagesToAnyWorker() {
    // given
    servedBy("a", "p");
    push(message("next").partition("p"));
    // when
    release(popOne(by("a")));
    // then
    assertThat(payloads(pop(by("b")))).containsExactly("next");
  }

  @Test
  void shouldGiveMessagesOfAnExpiredLeaseToAnyWorker() {
    // given
    push(message("next").partition("p"));
    popOne(by("a").leaseMs(10_000));
    // when
    advanceMs(10_000);
    // then
    assertThat(payloads(popSoon(by("b")))).containsExactly("next");
  }

  @Test
  void shouldRememberTheWorkerAfterARestart() {
    // given
    servedBy("a", "p");
    push(message("next").partition("p"));
    // when
    restart();
    // then
    assertThat(pop(by("b")).reason()).isEqualTo(Reason.RESERVED);
    assertThat(payloads(pop(by("a")))).containsExactly("next");
  }

  @Test
  void shouldAnswerTheWaitingPopOfThePreferredWorker() {
    // given
    servedBy("a", "p");
    CompletableFuture<Result<Popped>> other = waitingPop(by("b").waitMs(LONG_MS));
    CompletableFuture<Result<Popped>> preferred = waitingPop(by("a").waitMs(LONG_MS));
    // when
    push(message("next").partition("p"));
    // then
    assertThat(payloads(answerOf(preferred).orThrow())).containsExactly("next");
    assertThat(other).isNotDone();
    push(message("later").partition("q"));
    assertThat(payloads(answerOf(other).orThrow())).containsExactly("later");
  }

  @Test
  void shouldAnswerAnotherWaitingPopWhenTheTimeIsOver() {
    // given
    servedBy("a", "p");
    CompletableFuture<Result<Popped>> other = waitingPop(by("b").waitMs(LONG_MS));
    push(message("next").partition("p"));
    // when
    advanceMs(STICKY_MS);
    // then
    assertThat(payloads(answerOf(other).orThrow())).containsExactly("next");
  }

  @Test
  void shouldRequireAWorker() {
    assertThatThrownBy(() -> one().stickyMs(STICKY_MS))
        .isInstanceOf(InvalidArgumentException.class)
        .hasMessageStartingWith("stickyMs:");
    assertThatThrownBy(() -> by("a").stickyMs(Limits.STICKY_MS_MAX + 1))
        .isInstanceOf(InvalidArgumentException.class)
        .hasMessageStartingWith("stickyMs:");
  }
}
