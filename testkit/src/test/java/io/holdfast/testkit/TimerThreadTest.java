package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.TimerThread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimerThreadTest {
  private final ManualClock clock = new ManualClock();
  private final List<String> called = new CopyOnWriteArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final TimerThread timer = new TimerThread(clock, "timer-test", failures::add);

  @AfterEach
  void close() {
    timer.close();
  }

  private TimerThread.ScheduledTask after(Duration delay, Runnable action) {
    return timer.after(delay, action);
  }

  private void awaitCalled(String... names) {
    await().untilAsserted(() -> assertThat(called).containsExactly(names));
  }

  @Test
  void shouldCallInTheOrderOfTheirTimesNotBefore() {
    after(Duration.ofSeconds(2), () -> called.add("second"));
    after(Duration.ofSeconds(1), () -> called.add("first"));
    after(Duration.ofSeconds(3), () -> called.add("third"));

    clock.advance(Duration.ofMillis(2_999));

    awaitCalled("first", "second");
    clock.advance(Duration.ofMillis(1));
    awaitCalled("first", "second", "third");
  }

  @Test
  void shouldCallThoseOfOneTimeInTheOrderTheyWereSet() {
    for (int i = 0; i < 5; i++) {
      String name = "call " + i;
      after(Duration.ofSeconds(1), () -> called.add(name));
    }

    clock.advance(Duration.ofSeconds(1));

    awaitCalled("call 0", "call 1", "call 2", "call 3", "call 4");
  }

  @Test
  void shouldNotCallWhatWasCancelled() {
    TimerThread.ScheduledTask cancelled =
        after(Duration.ofSeconds(1), () -> called.add("cancelled"));
    after(Duration.ofSeconds(2), () -> called.add("kept"));

    assertThat(cancelled.cancel()).isTrue();
    clock.advance(Duration.ofSeconds(2));

    awaitCalled("kept");
    assertThat(cancelled.cancel()).isFalse();
  }

  @Test
  void shouldRunTheNextTaskAfterAnException() {
    IllegalStateException thrown = new IllegalStateException("thrown on purpose");
    after(
        Duration.ofSeconds(1),
        () -> {
          throw thrown;
        });

    assertNextRuns(thrown);
  }

  @Test
  void shouldRunTheNextTaskAfterAnError() {
    OutOfMemoryError thrown = new OutOfMemoryError("thrown on purpose");
    after(
        Duration.ofSeconds(1),
        () -> {
          throw thrown;
        });

    assertNextRuns(thrown);
  }

  private void assertNextRuns(Throwable thrown) {
    after(Duration.ofSeconds(1), () -> called.add("next"));

    clock.advance(Duration.ofSeconds(1));

    awaitCalled("next");
    assertThat(failures).containsExactly(thrown);
  }

  @Test
  void shouldRunTheNextTaskAfterAReportFailed() {
    try (TimerThread mute =
        new TimerThread(
            clock,
            "timer-test",
            failure -> {
              throw new OutOfMemoryError("thrown on purpose");
            })) {
      mute.after(
          Duration.ofSeconds(1),
          () -> {
            throw new IllegalStateException("thrown on purpose");
          });
      mute.after(Duration.ofSeconds(1), () -> called.add("next"));

      clock.advance(Duration.ofSeconds(1));

      awaitCalled("next");
    }
  }

  @Test
  void shouldRunNothingOnceItIsClosed() {
    after(Duration.ofSeconds(1), () -> called.add("dropped"));

    timer.close();
    TimerThread.ScheduledTask late = after(Duration.ZERO, () -> called.add("late"));
    clock.advance(Duration.ofSeconds(1));

    assertThat(late.cancel()).isFalse();
    assertThat(called).isEmpty();
  }
}
