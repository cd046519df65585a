package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.TimeSource;
import io.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class StampClockTest {
  private static final long HOUR_MS = 3_600_000;
  private static final Duration STEP = Duration.ofSeconds(1);
  private static final long STEP_MS = STEP.toMillis();

  private final ManualClock time = new ManualClock();

  @Test
  void shouldFollowTheWall() {
    // given
    StampClock clock = new StampClock(time, 0);

    // then
    assertThat(clock.nowMs()).isEqualTo(time.wallMs());
    time.advance(Duration.ofHours(7));
    assertThat(clock.nowMs()).isEqualTo(time.wallMs());
  }

  @Test
  void shouldCatchUpAtTwiceTheSpeedWhenItTakesOverFromAnotherNode() {
    // given
    StampClock clock = new StampClock(time, 0);
    long last = time.wallMs() - 4 * STEP_MS;

    // when
    clock.takeOver(last);

    // then
    assertThat(clock.nowMs()).isEqualTo(last);
    assertStepsBetween(clock, 2 * STEP_MS, 2 * STEP_MS, 4);
    assertThat(clock.nowMs()).isEqualTo(time.wallMs());
  }

  @Test
  void shouldNeverTakeOverBeforeTheLastStampNorFarBehindTheWall() {
    // given
    StampClock clock = new StampClock(time, 0);

    // then
    clock.takeOver(time.wallMs() + HOUR_MS);
    assertThat(clock.nowMs()).isEqualTo(time.wallMs() + HOUR_MS);
    clock.takeOver(time.wallMs() - HOUR_MS);
    assertThat(clock.nowMs()).isEqualTo(time.wallMs() - 10 * STEP_MS);
    clock.takeOver(0);
    assertThat(clock.nowMs()).isEqualTo(time.wallMs());
  }

  @Test
  void shouldSlowDownALittleWhenTheWallWentBack() {
    // given
    StampClock clock = new StampClock(time, 0);
    long before = clock.nowMs();

    // when
    time.jumpWall(Duration.ofHours(-1));

    // then
    assertThat(clock.nowMs()).isEqualTo(before);
    assertStepsBetween(clock, STEP_MS - 6, STEP_MS, 201 * HOUR_MS / STEP_MS);
    assertThat(clock.nowMs() - time.wallMs()).isBetween(0L, 1L);
  }

  @Test
  void shouldHurryWhenTheWallLeaptAhead() {
    // given
    StampClock clock = new StampClock(time, 0);
    long before = clock.nowMs();

    // when
    time.jumpWall(Duration.ofHours(1));

    // then
    assertThat(clock.nowMs()).isEqualTo(before);
    assertStepsBetween(clock, STEP_MS, 2 * STEP_MS, HOUR_MS / STEP_MS + 1);
    assertThat(clock.nowMs()).isEqualTo(time.wallMs());
  }

  @Test
  void shouldGoOnFromTheLastStampWhenTheWallIsBehindIt() {
    // given
    long last = time.wallMs() + HOUR_MS;

    // when
    StampClock clock = new StampClock(time, last);

    // then
    assertThat(clock.nowMs()).isEqualTo(last);
    assertStepsBetween(clock, STEP_MS - 6, STEP_MS, 10);
  }

  @Test
  void shouldStartFromTheWallWhenTheLastStampIsBehindIt() {
    // given
    StampClock clock = new StampClock(time, time.wallMs() - HOUR_MS);

    // then
    assertThat(clock.nowMs()).isEqualTo(time.wallMs());
  }

  @Test
  void shouldComeBackToTheWallHoweverOftenItIsRead() {
    // given: a clock 10 ms ahead, read every 100 ns
    AtomicLong nanos = new AtomicLong();
    TimeSource fine = fineClock(nanos);
    StampClock clock = new StampClock(fine, 10);
    long before = clock.nowMs();

    // when
    for (int i = 0; i < 22_000_000; i++) {
      nanos.addAndGet(100);
      long now = clock.nowMs();
      assertNotBefore(now, before);
      before = now;
    }

    // then
    assertThat(before - fine.wallMs()).isBetween(0L, 1L);
  }

  private static void assertNotBefore(long now, long before) {
    if (now < before) {
      throw new AssertionError("expected at least " + before + ", but got " + now);
    }
  }

  private static TimeSource fineClock(AtomicLong nanos) {
    return new TimeSource() {
      @Override
      public long wallMs() {
        return nanos.get() / 1_000_000;
      }

      @Override
      public long nanos() {
        return nanos.get();
      }

      @Override
      public void parkUntil(long deadlineNanos) {
        throw new UnsupportedOperationException("nobody waits for this clock");
      }
    };
  }

  @Test
  void shouldNeverGoBackForAnyThread() {
    // given
    StampClock clock = new StampClock(TimeSource.SYSTEM, System.currentTimeMillis() + HOUR_MS);
    AtomicLong latest = new AtomicLong();

    // when
    List<CompletableFuture<Boolean>> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      readers.add(
          Calls.start(
              () -> {
                for (int n = 0; n < 50_000; n++) {
                  long seen = latest.get();
                  long now = clock.nowMs();
                  assertNotBefore(now, seen);
                  latest.accumulateAndGet(now, Math::max);
                }
                return true;
              }));
    }

    // then
    assertThat(readers).allMatch(Calls::answerOf);
  }

  private void assertStepsBetween(StampClock clock, long leastMs, long mostMs, long steps) {
    long before = clock.nowMs();
    for (long i = 0; i < steps; i++) {
      time.advance(STEP);
      long now = clock.nowMs();
      if (now - before < leastMs || now - before > mostMs) {
        throw new AssertionError("step " + i + " took " + (now - before) + " ms");
      }
      before = now;
    }
  }
}
