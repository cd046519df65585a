package io.holdfast.client.acks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Limits;
import io.holdfast.api.TimerThread;
import io.holdfast.api.message.Position;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AckBufferTest {
  private static final AckBuffer.Key A = new AckBuffer.Key("queue://orders", "sub-1");
  private static final AckBuffer.Key OTHER_SUB = new AckBuffer.Key("queue://orders", "sub-2");
  private static final AckBuffer.Key OTHER_TOPIC = new AckBuffer.Key("queue://bills", "sub-1");

  private final ManualClock clock = new ManualClock();
  private final TimerThread timer = new TimerThread(clock, "ack-buffer-test", failure -> {});
  private final List<AckBuffer.Key> due = new CopyOnWriteArrayList<>();
  private final AckBuffer buffer = new AckBuffer(clock, timer, due::add);

  @BeforeEach
  void takeMany() {
    buffer.batchSize(100);
  }

  @AfterEach
  void close() {
    buffer.close();
    timer.close();
  }

  private static Bookmark bookmark(int seq) {
    return new Bookmark("lease", new Position(1, 0, seq));
  }

  /** Lets time pass, and everything that is due in it be called. */
  private void pass(Duration time) throws InterruptedException {
    CountDownLatch passed = new CountDownLatch(1);
    timer.at(clock.nanos() + time.toNanos(), passed::countDown);
    clock.advance(time);
    assertThat(passed.await(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldSayWhenABatchIsFull() {
    buffer.batchSize(3);

    assertThat(buffer.add(A, bookmark(1))).isFalse();
    assertThat(buffer.add(A, bookmark(2))).isFalse();
    assertThat(buffer.add(A, bookmark(3))).isTrue();
    assertThat(buffer.take(A)).containsExactly(bookmark(1), bookmark(2), bookmark(3));
    assertThat(buffer.take(A)).isEmpty();
  }

  @Test
  void shouldBeFullWithOneUnlessToldOtherwise() {
    AckBuffer fresh = new AckBuffer(clock, timer, due::add);

    assertThat(fresh.batchSize()).isEqualTo(1);
    assertThat(fresh.timeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(fresh.add(A, bookmark(1))).isTrue();
    fresh.close();
  }

  @Test
  void shouldKeepABatchForEachTopicAndSubscription() {
    buffer.batchSize(2);

    assertThat(buffer.add(A, bookmark(1))).isFalse();
    assertThat(buffer.add(OTHER_SUB, bookmark(2))).isFalse();
    assertThat(buffer.add(OTHER_TOPIC, bookmark(3))).isFalse();
    assertThat(buffer.add(A, bookmark(4))).isTrue();
    assertThat(buffer.take(A)).containsExactly(bookmark(1), bookmark(4));
    assertThat(buffer.take(OTHER_SUB)).containsExactly(bookmark(2));
    assertThat(buffer.take(OTHER_TOPIC)).containsExactly(bookmark(3));
  }

  @Test
  void shouldBeDueWhenTheFirstHasWaitedForTheTimeout() throws InterruptedException {
    buffer.add(A, bookmark(1));

    pass(Duration.ofMillis(999));
    assertThat(due).isEmpty();
    pass(Duration.ofMillis(1));
    assertThat(due).containsExactly(A);
  }

  @Test
  void shouldNotPutTheTimeOffForLaterOnes() throws InterruptedException {
    buffer.add(A, bookmark(1));
    for (int i = 2; i <= 10; i++) {
      pass(Duration.ofMillis(100));
      buffer.add(A, bookmark(i));
    }
    assertThat(due).isEmpty();

    pass(Duration.ofMillis(100));

    assertThat(due).containsExactly(A);
  }

  @Test
  void shouldCountTheTimeOfEachBatchByItself() throws InterruptedException {
    buffer.add(A, bookmark(1));
    pass(Duration.ofMillis(400));
    buffer.add(OTHER_SUB, bookmark(2));

    pass(Duration.ofMillis(600));
    assertThat(due).containsExactly(A);
    pass(Duration.ofMillis(400));
    assertThat(due).containsExactly(A, OTHER_SUB);
  }

  @Test
  void shouldBeginTheTimeAnewAfterABatchWasTaken() throws InterruptedException {
    buffer.add(A, bookmark(1));
    pass(Duration.ofMillis(900));
    buffer.take(A);
    buffer.add(A, bookmark(2));

    pass(Duration.ofMillis(999));
    assertThat(due).isEmpty();
    pass(Duration.ofMillis(1));
    assertThat(due).containsExactly(A);
  }

  @Test
  void shouldLetANewTimeoutHoldForWhatWaits() throws InterruptedException {
    buffer.add(A, bookmark(1));
    pass(Duration.ofMillis(300));

    buffer.timeout(Duration.ofMillis(500));

    pass(Duration.ofMillis(199));
    assertThat(due).isEmpty();
    pass(Duration.ofMillis(1));
    assertThat(due).containsExactly(A);
  }

  @Test
  void shouldLetANewSizeHoldForWhatWaits() {
    buffer.add(A, bookmark(1));
    buffer.add(A, bookmark(2));
    buffer.add(OTHER_SUB, bookmark(3));

    buffer.batchSize(2);

    await().untilAsserted(() -> assertThat(due).containsExactly(A));
  }

  @Test
  void shouldPutBackInFrontAndWaitAWholeTimeout() throws InterruptedException {
    buffer.batchSize(2);
    buffer.add(A, bookmark(1));
    buffer.add(A, bookmark(2));
    List<Bookmark> taken = buffer.take(A);
    buffer.add(A, bookmark(3));
    pass(Duration.ofMillis(900));

    buffer.putBack(A, taken);

    pass(Duration.ofMillis(999));
    assertThat(due).isEmpty();
    pass(Duration.ofMillis(1));
    assertThat(due).containsExactly(A);
    assertThat(buffer.take(A)).containsExactly(bookmark(1), bookmark(2), bookmark(3));
  }

  @Test
  void shouldForgetTheTimeOfABatchThatWasEmptied() throws InterruptedException {
    buffer.add(A, bookmark(1));
    pass(Duration.ofMillis(500));
    buffer.remove(A, bookmark(1));
    buffer.add(A, bookmark(2));

    pass(Duration.ofMillis(500));

    assertThat(due).isEmpty();
    assertThat(buffer.take(A)).containsExactly(bookmark(2));
  }

  @Test
  void shouldHoldABookmarkOnce() {
    buffer.add(A, bookmark(1));
    buffer.add(A, bookmark(1));

    assertThat(buffer.take(A)).containsExactly(bookmark(1));
  }

  @Test
  void shouldLetNothingBecomeDueOnceItIsClosed() throws InterruptedException {
    buffer.add(A, bookmark(1));
    buffer.close();
    buffer.add(OTHER_SUB, bookmark(2));

    pass(Duration.ofSeconds(5));

    assertThat(due).isEmpty();
    assertThat(buffer.take(A)).containsExactly(bookmark(1));
    assertThat(buffer.take(OTHER_SUB)).containsExactly(bookmark(2));
  }

  @Test
  void shouldRefuseSizesAndTimesThatMeanNothing() {
    assertThatThrownBy(() -> buffer.batchSize(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ackBatchSize: expected 1 to 10000, but got 0");
    assertThatThrownBy(() -> buffer.batchSize(Limits.OPERATIONS_MAX + 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> buffer.timeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("ackTimeout: expected more than zero");
    assertThatThrownBy(() -> buffer.timeout(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> buffer.timeout(Duration.ofDays(8)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(buffer.batchSize()).isEqualTo(100);
    assertThat(buffer.timeout()).isEqualTo(Duration.ofSeconds(1));
  }
}
