package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Tests of the clock that tests move. */
class ManualClockTest {
  private final ManualClock clock = new ManualClock();

  @Test
  void shouldMoveBothClocksForward() {
    // given
    long wallMs = clock.wallMs();
    long nanos = clock.nanos();
    // when
    clock.advance(Duration.ofSeconds(3));
    // then
    assertThat(clock.wallMs() - wallMs).isEqualTo(3_000);
    assertThat(clock.nanos() - nanos).isEqualTo(3_000_000_000L);
    assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldMoveTheWallAlone() {
    // given
    long wallMs = clock.wallMs();
    long nanos = clock.nanos();
    // when
    clock.jumpWall(Duration.ofHours(-1));
    // then
    assertThat(clock.wallMs() - wallMs).isEqualTo(-3_600_000);
    assertThat(clock.nanos()).isEqualTo(nanos);
  }

  @Test
  void shouldReturnAtOnceFromADeadlineThatHasPassed() {
    // when
    clock.parkUntil(clock.nanos());
    // then
    assertThat(clock.nanos()).isZero();
  }

  @Test
  void shouldWakeWhoWaitsForTheTime() throws InterruptedException {
    // given
    Thread waiting = Thread.startVirtualThread(() -> waitUntil(1_000_000_000L));
    await().until(() -> waiting.getState() == Thread.State.WAITING);
    // when
    clock.advance(Duration.ofMillis(999));
    // then
    assertThat(waiting.isAlive()).isTrue();
    // when
    clock.advance(Duration.ofMillis(1));
    // then
    assertThat(waiting.join(WaitLimits.EVENT)).isTrue();
  }

  @Test
  void shouldLetOthersWakeAParkedThread() throws InterruptedException {
    // given
    Thread waiting = Thread.startVirtualThread(() -> clock.parkUntil(Long.MAX_VALUE));
    await().until(() -> waiting.getState() == Thread.State.WAITING);
    // when
    LockSupport.unpark(waiting);
    // then
    assertThat(waiting.join(WaitLimits.EVENT)).isTrue();
  }

  @Test
  void shouldLoseNoWakeUp() throws InterruptedException {
    // given: threads that each wait for every millisecond in turn
    int steps = 2_000;
    AtomicInteger reached = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                for (int step = 1; step <= steps; step++) {
                  waitUntil(step * 1_000_000L);
                  reached.incrementAndGet();
                }
              }));
    }
    // when
    for (int step = 1; step <= steps; step++) {
      clock.advance(Duration.ofMillis(1));
    }
    // then
    for (Thread thread : threads) {
      assertThat(thread.join(WaitLimits.EVENT)).isTrue();
    }
    assertThat(reached).hasValue(8 * steps);
  }

  private void waitUntil(long deadlineNanos) {
    while (clock.nanos() < deadlineNanos) {
      clock.parkUntil(deadlineNanos);
    }
  }
}
