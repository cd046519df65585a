package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.QueueOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract of waiting pops: whatever makes a message available answers them. */
abstract class WaitContract extends ContractFixture {
  private static final long LONG_MS = Limits.WAIT_MS_MAX;

  WaitContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldAnswerAtOnceWhereThereIsWork() {
    // given
    push("a");
    // then
    assertThat(payloads(pop(one().waitMs(LONG_MS)))).containsExactly("a");
  }

  @Test
  void shouldBeAnsweredByALaterPush() {
    // given
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(LONG_MS));
    // when
    push("a");
    // then
    assertAnswered(waiting, "a");
  }

  @Test
  void shouldNotBeAnsweredByAPushElsewhere() {
    // given
    CompletableFuture<Result<Popped>> waiting =
        waitingPop(PopRequest.partition(QUEUE, "p1").waitMs(LONG_MS));
    // when
    push("another-queue", "x");
    push(message("y").partition("p2"));
    push(message("a").partition("p1"));
    // then
    assertAnswered(waiting, "a");
  }

  @Test
  void shouldBeAnsweredByAPushToAQueueOfItsNamespace() {
    // given
    configure(QueueOption.NAMESPACE, "shop");
    CompletableFuture<Result<Popped>> waiting =
        waitingPop(PopRequest.of(new PopSource.Tagged("shop", null)).waitMs(LONG_MS));
    // when
    push("a");
    // then
    assertAnswered(waiting, "a");
  }

  @Test
  void shouldBeAnsweredByACommit() {
    // given
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(LONG_MS));
    // when
    broker.commit(CommitRequest.of(new Operation.PushMessage(message("a"), false))).orThrow();
    // then
    assertAnswered(waiting, "a");
  }

  @Test
  void shouldBeAnsweredByARelease() {
    // given
    push("a");
    Delivery held = popOne();
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(LONG_MS));
    // when
    release(held);
    // then
    assertAnswered(waiting, "a");
  }

  @Test
  void shouldBeAnsweredWhenALockIsGone() {
    // given
    pushAll("a", "b");
    Delivery held = popOne();
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(LONG_MS));
    // when
    ack(held);
    // then
    assertAnswered(waiting, "b");
  }

  @Test
  void shouldBeAnsweredByAnExpiry() {
    // given
    push("a");
    pop(one().leaseMs(10_000));
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(LONG_MS));
    // when
    advanceSeconds(10);
    // then
    assertAnswered(waiting, "a");
  }

  @Test
  void shouldBeAnsweredWhenABackoffIsOver() {
    // given
    push("a");
    nack(popOne());
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(LONG_MS));
    // when
    advanceSeconds(1);
    // then
    assertAnswered(waiting, "a");
  }

  @Test
  void shouldBeAnsweredWhenADelayIsOver() {
    // given
    push(message("a").delayMs(5_000));
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(LONG_MS));
    // when
    advanceSeconds(5);
    // then
    assertAnswered(waiting, "a");
  }

  @Test
  void shouldBeAnsweredWhenTheDelayOfTheQueueIsOver() {
    // given
    configure(QueueOption.DELAYED_PROCESSING, 5);
    push("a");
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(LONG_MS));
    // when
    advanceSeconds(5);
    // then
    assertAnswered(waiting, "a");
  }

  @Test
  void shouldBeAnsweredWhenThePartitionHasBeenQuiet() {
    // given
    configure(QueueOption.WINDOW_BUFFER, 5);
    push("a");
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(LONG_MS));
    // when
    advanceSeconds(5);
    // then
    assertAnswered(waiting, "a");
  }

  @Test
  void shouldBeAnsweredWhenTheQueueIsResumed() {
    // given
    push("a");
    broker.pause(QUEUE, true).orThrow();
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(LONG_MS));
    // when
    broker.pause(QUEUE, false).orThrow();
    // then
    assertAnswered(waiting, "a");
  }

  @Test
  void shouldBeAnsweredByASeek() {
    // given
    push("a");
    ack(popOne());
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(LONG_MS));
    // when
    broker.seek(new SeekRequest(QUEUE, GROUP, null, new SeekRequest.To.Beginning())).orThrow();
    // then
    assertAnswered(waiting, "a");
  }

  @Test
  void shouldBeAnsweredByARequeue() {
    // given
    push("a");
    kill(popOne(), "poison");
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(LONG_MS));
    // when
    broker.requeue(RequeueRequest.of(DeadLetterFilter.queue(QUEUE))).orThrow();
    // then
    assertAnswered(waiting, "a");
  }

  @Test
  void shouldBeAnsweredWithNothingWhenItsTimeIsUp() {
    // given
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(5_000));
    // when
    advanceMs(4_999);
    // then
    assertThat(waiting).isNotDone();
    // when
    advanceMs(1);
    // then
    Popped popped = answerOf(waiting).orThrow();
    assertThat(popped.messages()).isEmpty();
    assertThat(popped.reason()).isEqualTo(Reason.EMPTY);
    assertThat(stats().parkedPops()).isZero();
  }

  @Test
  void shouldKeepWhatItSettledBeforeItWaited() {
    // given
    push("a");
    Delivery held = popOne();
    CompletableFuture<Result<Popped>> waiting =
        waitingPop(one().waitMs(LONG_MS).settles(List.of(Settle.ack(held.handle()))));
    // then
    assertStatus(ack(held), Status.ALREADY_SETTLED);
    // when
    push("b");
    // then
    Popped popped = answerOf(waiting).orThrow();
    assertThat(payloads(popped)).containsExactly("b");
    assertThat(popped.settled()).extracting(SettleVerdict::status).containsExactly(Status.ACKED);
  }

  @Test
  void shouldGiveOneMessageToOneOfTwo() {
    // given
    makeShared();
    CompletableFuture<Result<Popped>> first = waitingPop(one().waitMs(LONG_MS));
    CompletableFuture<Result<Popped>> second = waitingPop(one().waitMs(LONG_MS));
    // when
    push("a");
    // then
    answerOf(CompletableFuture.anyOf(first, second));
    assertThat(Stream.of(first, second).filter(CompletableFuture::isDone)).hasSize(1);
    // when
    push("b");
    // then
    List<String> got = new ArrayList<>(payloads(answerOf(first).orThrow()));
    got.addAll(payloads(answerOf(second).orThrow()));
    assertThat(got).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void shouldAnswerAsManyAsThereIsWorkFor() {
    // given
    makeShared();
    List<CompletableFuture<Result<Popped>>> waiting = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      waiting.add(waitingPop(one().waitMs(LONG_MS)));
    }
    // when
    pushAll("0", "1", "2", "3", "4", "5", "6", "7");
    // then
    assertThat(waiting.stream().map(answer -> payloads(answerOf(answer).orThrow()).getFirst()))
        .containsExactlyInAnyOrder("0", "1", "2", "3", "4", "5", "6", "7");
  }

  @Test
  void shouldPassAWakeUpOn() {
    // given: two groups and two waiting pops of one, of which the first takes all there is
    CompletableFuture<Result<Popped>> first = waitingPop(one().batch(10).waitMs(LONG_MS));
    CompletableFuture<Result<Popped>> second = waitingPop(one().batch(10).waitMs(LONG_MS));
    CompletableFuture<Result<Popped>> other =
        waitingPop(one().batch(10).group("other").waitMs(LONG_MS));
    // when
    push("a");
    // then
    assertAnswered(other, "a");
    answerOf(CompletableFuture.anyOf(first, second));
    CompletableFuture<Result<Popped>> winner = first.isDone() ? first : second;
    CompletableFuture<Result<Popped>> loser = first.isDone() ? second : first;
    // when
    push("b");
    ackAll(answerOf(winner).orThrow());
    // then
    assertAnswered(loser, "b");
  }

  @Test
  void shouldGoOnWaitingWhenItsSettlesEndTheLeaseItWasToJoin() {
    // given
    push("a");
    Popped first = pop(one());
    CompletableFuture<Result<Popped>> waiting =
        waitingPop(
            one()
                .waitMs(LONG_MS)
                .joinLease(first.leaseId())
                .settles(List.of(Settle.ackAll(first.leaseId()))));
    // when
    push("b");
    // then
    Popped second = answerOf(waiting).orThrow();
    assertThat(payloads(second)).containsExactly("b");
    assertThat(second.settled()).extracting(SettleVerdict::status).containsExactly(Status.ACKED);
  }

  @Test
  void shouldBeAnsweredWhenTheBrokerIsClosed() {
    // given
    CompletableFuture<Result<Popped>> waiting = waitingPop(one().waitMs(LONG_MS));
    // when
    broker.close();
    // then: with nothing
    Result<Popped> answer = answerOf(waiting);
    if (answer.isOk()) {
      assertThat(answer.orThrow().messages()).isEmpty();
    } else {
      assertRefused(answer, ErrorCode.CLOSED);
    }
  }

  @Test
  void shouldRefuseEverythingOnceClosed() {
    // when
    broker.close();
    // then
    assertRefused(broker.push(PushRequest.of(message("a"))), ErrorCode.CLOSED);
    assertRefused(broker.pop(one().waitMs(LONG_MS)), ErrorCode.CLOSED);
    assertRefused(broker.queue(QUEUE), ErrorCode.CLOSED);
  }

  private static void assertAnswered(CompletableFuture<Result<Popped>> waiting, String payload) {
    assertThat(payloads(answerOf(waiting).orThrow())).containsExactly(payload);
  }
}
