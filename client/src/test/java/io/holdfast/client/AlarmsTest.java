package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AlarmsTest {
  private final ManualClock clock = new ManualClock();
  private final Alarms alarms = new Alarms(clock, "alarms-test");
  private final List<String> called = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    alarms.close();
  }

  private Alarms.Alarm after(Duration delay, Runnable action) {
    return alarms.at(clock.nanos() + delay.toNanos(), action);
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
    Alarms.Alarm cancelled = after(Duration.ofSeconds(1), () -> called.add("cancelled"));
    after(Duration.ofSeconds(2), () -> called.add("kept"));

    assertThat(cancelled.cancel()).isTrue();
    clock.advance(Duration.ofSeconds(2));

    awaitCalled("kept");
    assertThat(cancelled.cancel()).isFalse();
  }

  @Test
  void shouldGoOnAfterSomethingThrew() {
    after(
        Duration.ofSeconds(1),
        () -> {
          throw new IllegalStateException("thrown on purpose");
        });
    after(Duration.ofSeconds(1), () -> called.add("next"));

    clock.advance(Duration.ofSeconds(1));

    awaitCalled("next");
  }

  @Test
  void shouldTakeNothingOnceItIsClosed() {
    after(Duration.ofSeconds(1), () -> called.add("dropped"));

    alarms.close();
    clock.advance(Duration.ofSeconds(1));

    assertThatThrownBy(() -> after(Duration.ZERO, () -> called.add("late")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(called).isEmpty();
  }
}
