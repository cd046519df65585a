package io.holdfast.client.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.RequestNumber;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.client.ClientFixture;
import io.holdfast.engine.EngineConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PushBufferTest extends ClientFixture {
  private static final Duration LONG = Duration.ofMinutes(5);

  /** So short that a batch is tried again many times before its time is over. */
  private static final Duration STEP = Duration.ofMillis(100);

  /** Less than a batch may have, so that others are in the batch with one that is too large. */
  private static final int PAYLOAD_BYTES_MAX = 1 << 20;

  private final List<CompletableFuture<PushedMessage>> others = new ArrayList<>();

  @Override
  protected EngineConfig engine() {
    EngineConfig usual = super.engine();
    return new EngineConfig(
        null,
        usual.durability(),
        PAYLOAD_BYTES_MAX,
        usual.requestBytesMax(),
        usual.mailboxMax(),
        usual.mailboxBytesMax(),
        usual.tailCacheBytes(),
        usual.retainedBytesMax(),
        usual.queuesMax(),
        usual.partitionsMax(),
        usual.groupsMax(),
        usual.parkedMax());
  }

  private void put(PushBuffer buffer, String text) {
    others.add(buffer.push(text));
  }

  @Test
  void shouldSendWhenThereAreEnough() throws Exception {
    try (PushBuffer buffer = holdfast.queue(QUEUE).buffer(3, LONG)) {
      // when
      put(buffer, "1");
      put(buffer, "2");
      CompletableFuture<PushedMessage> third = buffer.push("3");
      // then
      assertThat(third.get().duplicate()).isFalse();
      assertThat(lossy.pushes).hasSize(1);
      assertThat(stored(QUEUE)).containsExactly("1", "2", "3");
    }
  }

  @Test
  void shouldSendWhenTheFirstHasWaitedLongEnough() {
    try (PushBuffer buffer = holdfast.queue(QUEUE).buffer(100, Duration.ofSeconds(10))) {
      CompletableFuture<PushedMessage> first = buffer.push("1");
      clock.advance(Duration.ofSeconds(6));
      CompletableFuture<PushedMessage> second = buffer.push("2");
      clock.advance(Duration.ofMillis(3_999));
      assertThat(lossy.pushes).isEmpty();

      clock.advance(Duration.ofMillis(1));

      eventually(() -> assertThat(first).isDone());
      eventually(() -> assertThat(second).isDone());
      assertThat(lossy.pushes).hasSize(1);
    }
  }

  @Test
  void shouldKeepTheOrderOverManyBatchesAndLostAnswers() {
    // given
    List<String> texts = IntStream.range(0, 500).mapToObj(Integer::toString).toList();
    PushBuffer buffer = holdfast.queue(QUEUE).buffer(7, LONG);
    lossy.loseAnswers(3);
    // when
    texts.forEach(text -> put(buffer, text));
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(buffer::close, Thread::startVirtualThread);
    advanceUntil(STEP, () -> assertThat(closed).isDone());
    // then
    assertThat(stored(QUEUE)).isEqualTo(texts);
  }

  @Test
  void shouldNotStoreABatchTwiceWhoseAnswerGotLost() {
    // given
    lossy.loseAnswers(2);
    try (PushBuffer buffer = holdfast.queue(QUEUE).buffer(2, LONG)) {
      // when
      put(buffer, "1");
      CompletableFuture<PushedMessage> second = buffer.push("2");
      advanceUntil(STEP, () -> assertThat(second).isCompleted());
      // then
      assertThat(lossy.pushes).hasSize(3);
      assertThat(lossy.pushes).extracting(PushRequest::number).containsOnly(numberOfFirst());
      assertThat(stored(QUEUE)).containsExactly("1", "2");
    }
  }

  private RequestNumber numberOfFirst() {
    RequestNumber number = lossy.pushes.get(0).number();
    assertThat(number).isNotNull();
    return Objects.requireNonNull(number);
  }

  @Test
  void shouldWaitForAFullQueueToBeConsumed() {
    // given
    configure(QueueOption.MAX_SIZE, 1);
    push("in the way");
    try (PushBuffer buffer = holdfast.queue(QUEUE).buffer(1, LONG)) {
      CompletableFuture<PushedMessage> pushed = buffer.push("behind");
      eventually(() -> assertThat(lossy.pushes).hasSizeGreaterThan(1));
      assertThat(pushed).isNotDone();
      // when
      holdfast.queue(QUEUE).take().orElseThrow().ack();
      // then
      advanceUntil(STEP, () -> assertThat(pushed).isCompleted());
    }
  }

  @Test
  void shouldFailTheFuturesOfABatchThatStaysUnreachable() {
    BufferOptions options = BufferOptions.of(2, LONG).retryFor(Duration.ofSeconds(30));
    try (PushBuffer buffer = holdfast.queue(QUEUE).buffer(options)) {
      // given
      lossy.cut();
      CompletableFuture<PushedMessage> first = buffer.push("1");
      CompletableFuture<PushedMessage> second = buffer.push("2");
      // when
      advanceUntil(Duration.ofSeconds(1), () -> assertThat(second).isDone());
      // then
      for (CompletableFuture<PushedMessage> failed : List.of(first, second)) {
        assertThatThrownBy(failed::get)
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(UnreachableException.class);
      }
      lossy.heal();
      assertThat(stored(QUEUE)).isEmpty();
      eventually(() -> assertThat(buffer.pending()).isZero());
    }
  }

  @Test
  void shouldSayThatAFailedBatchMayBeStored() {
    BufferOptions options = BufferOptions.of(1, LONG).retryFor(Duration.ofSeconds(30));
    try (PushBuffer buffer = holdfast.queue(QUEUE).buffer(options)) {
      // given
      lossy.loseAnswers(1);
      CompletableFuture<PushedMessage> pushed = buffer.push("1");
      eventually(() -> assertThat(lossy.answersToLose()).isZero());
      lossy.cut();
      // when
      advanceUntil(Duration.ofSeconds(1), () -> assertThat(pushed).isDone());
      // then
      assertThatThrownBy(pushed::get)
          .cause()
          .isInstanceOfSatisfying(
              UnreachableException.class, failed -> assertThat(failed.isInDoubt()).isTrue());
    }
  }

  @Test
  void shouldFailOnlyTheMessageThatIsRefusedForGood() throws Exception {
    try (PushBuffer buffer = holdfast.queue(QUEUE).buffer(3, LONG)) {
      // when
      CompletableFuture<PushedMessage> first = buffer.push("1");
      CompletableFuture<PushedMessage> huge =
          buffer.push(Outgoing.bytes(new byte[PAYLOAD_BYTES_MAX + 1]));
      CompletableFuture<PushedMessage> third = buffer.push("3");
      // then
      assertThat(first.get()).isNotNull();
      assertThat(third.get()).isNotNull();
      assertThatThrownBy(huge::get)
          .cause()
          .isInstanceOfSatisfying(
              RefusedException.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.TOO_LARGE));
      assertThat(stored(QUEUE)).containsExactly("1", "3");
    }
  }

  @Test
  void shouldFailABatchThatAClosedBrokerRefuses() {
    try (PushBuffer buffer = holdfast.queue(QUEUE).buffer(1, LONG)) {
      broker.close();

      CompletableFuture<PushedMessage> pushed = buffer.push("1");

      assertThatThrownBy(pushed::get)
          .cause()
          .isInstanceOfSatisfying(
              RefusedException.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.CLOSED));
    }
  }

  @Test
  void shouldMakeAPushWaitWhileItIsFull() {
    BufferOptions options = BufferOptions.of(2, LONG).capacity(4);
    try (PushBuffer buffer = holdfast.queue(QUEUE).buffer(options)) {
      // given
      lossy.holdPushes();
      List<CompletableFuture<PushedMessage>> taken = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        taken.add(buffer.push("" + i));
      }
      // when
      CompletableFuture<CompletableFuture<PushedMessage>> fifth = new CompletableFuture<>();
      Thread pusher = new Thread(() -> fifth.complete(buffer.push("4")));
      pusher.start();
      eventually(() -> assertThat(pusher.getState()).isEqualTo(Thread.State.WAITING));
      // then
      assertThat(fifth).isNotDone();
      assertThat(buffer.pending()).isEqualTo(4);
      lossy.heal();
      eventually(() -> assertThat(fifth).isDone());
      buffer.flush();
      assertThat(fifth.join()).isCompleted();
      assertThat(taken).allMatch(CompletableFuture::isDone);
      assertThat(stored(QUEUE)).containsExactly("0", "1", "2", "3", "4");
    }
  }

  @Test
  void shouldMakeAPushWaitForRoomInBytes() {
    BufferOptions options = BufferOptions.of(100, LONG).capacityBytes(10);
    try (PushBuffer buffer = holdfast.queue(QUEUE).buffer(options)) {
      put(buffer, "12345678");

      // It is not left waiting for the linger: what is there is sent to make room.
      CompletableFuture<PushedMessage> second = buffer.push("abcdef");

      buffer.flush();
      assertThat(second).isCompleted();
      assertThat(stored(QUEUE)).containsExactly("12345678", "abcdef");
    }
  }

  @Test
  void shouldFlushWhatWasPushedBefore() {
    try (PushBuffer buffer = holdfast.queue(QUEUE).buffer(100, LONG)) {
      CompletableFuture<PushedMessage> pushed = buffer.push("1");

      buffer.flush();

      assertThat(pushed).isCompleted();
      assertThat(buffer.pending()).isZero();
    }
  }

  @Test
  void shouldWaitInCloseAndTakeNothingAfterwards() {
    PushBuffer buffer = holdfast.queue(QUEUE).partition("p").buffer(100, LONG);
    CompletableFuture<PushedMessage> pushed = buffer.push("1");
    CompletableFuture<PushedMessage> elsewhere = buffer.push("q", Outgoing.text("2"));

    buffer.close();

    assertThat(pushed).isCompleted();
    assertThat(elsewhere).isCompleted();
    assertThatThrownBy(() -> buffer.push("2"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void shouldGiveUpWhenCloseIsInterrupted() throws Exception {
    // given
    PushBuffer buffer = holdfast.queue(QUEUE).buffer(1, LONG);
    lossy.cut();
    CompletableFuture<PushedMessage> pushed = buffer.push("1");
    Thread closer = new Thread(buffer::close);
    closer.start();
    eventually(() -> assertThat(closer.getState()).isEqualTo(Thread.State.WAITING));
    // when
    closer.interrupt();
    closer.join();
    // then
    eventually(() -> assertThat(pushed).isCompletedExceptionally());
  }

  @Test
  void shouldHaveSeveralBatchesInFlightIfAsked() {
    BufferOptions options = BufferOptions.of(1, LONG).inFlight(3);
    try (PushBuffer buffer = holdfast.queue(QUEUE).buffer(options)) {
      // given
      lossy.holdPushes();
      // when
      for (int i = 0; i < 5; i++) {
        put(buffer, "" + i);
      }
      // then
      eventually(() -> assertThat(lossy.pushes).hasSize(3));
      lossy.heal();
      buffer.flush();
      assertThat(stored(QUEUE)).containsExactlyInAnyOrder("0", "1", "2", "3", "4");
    }
  }

  @Test
  void shouldLetADependentOfAFuturePush() {
    // given a full buffer
    lossy.holdPushes();
    PushBuffer buffer = holdfast.queue(QUEUE).buffer(BufferOptions.of(1, LONG).capacity(1));
    CompletableFuture<PushedMessage> second =
        buffer.push("1").thenCompose(first -> buffer.push("2"));
    // when
    lossy.heal();
    // then
    eventually(() -> assertThat(second).isCompleted());
    buffer.close();
    assertThat(stored(QUEUE)).containsExactly("1", "2");
  }

  @Test
  void shouldLetADependentPushThoughOthersFilledTheBufferAgain() {
    // given a full buffer, and another thread that waits for room
    lossy.holdPushes();
    PushBuffer buffer = holdfast.queue(QUEUE).buffer(BufferOptions.of(1, LONG).capacity(1));
    CompletableFuture<PushedMessage> first = buffer.push("1");
    CompletableFuture<Void> other =
        CompletableFuture.runAsync(() -> put(buffer, "other"), Thread::startVirtualThread);
    CompletableFuture<PushedMessage> second =
        first.thenCompose(
            stored -> {
              other.join();
              return buffer.push("2");
            });
    // when
    lossy.heal();
    // then
    eventually(() -> assertThat(second).isCompleted());
    buffer.close();
    assertThat(stored(QUEUE)).containsExactlyInAnyOrder("1", "2", "other");
  }

  @Test
  void shouldRefuseToWaitForItselfInADependent() {
    // given
    lossy.holdPushes();
    PushBuffer buffer = holdfast.queue(QUEUE).buffer(1, LONG);
    CompletableFuture<Void> flushed = buffer.push("1").thenRun(buffer::flush);
    // when
    lossy.heal();
    // then
    eventually(() -> assertThat(flushed).isCompletedExceptionally());
    assertThatThrownBy(flushed::join).hasRootCauseInstanceOf(IllegalStateException.class);
    buffer.close();
  }
}
