package io.holdfast.workflow.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Retry;
import io.holdfast.workflow.Task;
import io.holdfast.workflow.TaskFailed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(WaitLimits.TEST_SECONDS)
class FlowTestTest {
  private static final Activity<String, String> GREET =
      Activity.named("greet", String.class, String.class, name -> "hello " + name);

  private static final Orchestration<String, String> GREETING =
      Orchestration.named(
          "greeting", String.class, String.class, (flow, name) -> flow.call(GREET, name).await());

  private static final Orchestration<Integer, String> SLEEPER =
      Orchestration.named(
          "sleeper",
          Integer.class,
          String.class,
          (flow, days) -> {
            Instant before = flow.now();
            flow.sleep(Duration.ofDays(days));
            return Duration.between(before, flow.now()).toString();
          });

  private static final Orchestration<Integer, Integer> TICKS =
      Orchestration.named(
          "ticks",
          Integer.class,
          Integer.class,
          (flow, hours) -> {
            List<Task<Void>> timers = new ArrayList<>();
            for (int i = 1; i <= hours; i++) {
              timers.add(flow.timer(Duration.ofHours(i)));
            }
            int fired = 0;
            for (Task<Void> timer : timers) {
              timer.await();
              fired++;
            }
            return fired;
          });

  private static final Orchestration<Integer, String> NESTED =
      Orchestration.named(
          "nested",
          Integer.class,
          String.class,
          (flow, days) -> {
            Task<String> other = flow.sub(SLEEPER, days);
            flow.sleep(Duration.ofDays(1));
            return other.await();
          });

  private static final Orchestration<String, Boolean> APPROVAL =
      Orchestration.named(
          "approval",
          String.class,
          Boolean.class,
          (flow, what) -> {
            flow.status("waits for " + what);
            return flow.event("approved", Boolean.class)
                .within(Duration.ofDays(3))
                .orElse(false)
                .await();
          });

  private static final Orchestration<String, String> WAITS =
      Orchestration.named(
          "waits",
          String.class,
          String.class,
          (flow, event) -> flow.event(event, String.class).await());

  /** If it took real time, it would not be over within the timeout of this class. */
  @Test
  void shouldTakeNoTimeToSleep() {
    try (FlowTest test = FlowTest.of(SLEEPER)) {
      // given
      Instant before = test.now();
      // when
      test.start(SLEEPER, "month", 30);
      test.start(SLEEPER, "years", 3_650);
      // then
      assertThat(test.await("month", SLEEPER)).isEqualTo("PT720H");
      assertThat(test.now()).isEqualTo(before.plus(Duration.ofDays(30)));
      assertThat(test.await("years", SLEEPER)).isEqualTo("PT87600H");
      assertThat(test.now()).isEqualTo(before.plus(Duration.ofDays(3_650)));
    }
  }

  @Test
  void shouldMeetEveryTimerAtItsTime() {
    try (FlowTest test = FlowTest.of(TICKS)) {
      Instant before = test.now();
      test.start(TICKS, "t", 500);
      assertThat(test.await("t", TICKS)).isEqualTo(500);
      assertThat(test.now()).isEqualTo(before.plus(Duration.ofHours(500)));
    }
  }

  @RepeatedTest(20)
  void shouldSleepInSubFlows() {
    try (FlowTest test = FlowTest.of(NESTED, SLEEPER)) {
      Instant before = test.now();
      test.start(NESTED, "n", 7);
      assertThat(test.await("n", NESTED)).isEqualTo("PT168H");
      assertThat(test.now()).isEqualTo(before.plus(Duration.ofDays(7)));
    }
  }

  @RepeatedTest(20)
  void shouldStandStillWhileTheTestActs() {
    try (FlowTest test = FlowTest.of(APPROVAL)) {
      // given
      Instant before = test.now();
      test.start(APPROVAL, "a", "x");
      test.settle();
      assertThat(test.flows().find("a").orElseThrow().label()).isEqualTo("waits for x");
      // when
      test.advance(Duration.ofDays(2));
      test.raise("a", "approved", true);
      // then
      assertThat(test.await("a", APPROVAL)).isTrue();
      assertThat(test.now()).isEqualTo(before.plus(Duration.ofDays(2)));
    }
  }

  @RepeatedTest(20)
  void shouldLetWhatIsDueHappenWhileItAdvances() {
    try (FlowTest test = FlowTest.of(APPROVAL)) {
      test.start(APPROVAL, "a", "x");
      test.advance(Duration.ofDays(3).minusMillis(1));
      assertThat(test.flows().find("a").orElseThrow().status()).isEqualTo(FlowStatus.RUNNING);
      test.advance(Duration.ofMillis(1));
      assertThat(test.flows().find("a").orElseThrow().status()).isEqualTo(FlowStatus.COMPLETED);
      assertThat(test.await("a", APPROVAL)).isFalse();
    }
  }

  @Test
  void shouldFakeActivities() {
    try (FlowTest test = FlowTest.of(GREETING, GREET)) {
      test.fake(GREET, (work, name) -> "goodbye " + name);
      test.start(GREETING, "g", "you");
      assertThat(test.await("g", GREETING)).isEqualTo("goodbye you");
      test.fake(GREET, (work, name) -> name);
      test.start(GREETING, "h", "you");
      assertThat(test.await("h", GREETING)).isEqualTo("you");
    }
  }

  @Test
  void shouldWaitForActivitiesThatReallyBlock() throws Exception {
    try (FlowTest test = FlowTest.of(GREETING, SLEEPER, GREET)) {
      // given
      Instant before = test.now();
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      test.fake(
          GREET,
          (work, name) -> {
            begun.countDown();
            go.await();
            return test.now().equals(before) ? "no time passed" : "time passed";
          });
      test.start(SLEEPER, "s", 1);
      test.start(GREETING, "g", "x");
      begun.await();
      // when
      Thread.ofVirtual().start(go::countDown);
      // then
      assertThat(test.await("s", SLEEPER)).isEqualTo("PT24H");
      assertThat(test.await("g", GREETING)).isEqualTo("no time passed");
    }
  }

  @RepeatedTest(20)
  void shouldLetActivitiesTakeTimeOfTheFlows() {
    try (FlowTest test = FlowTest.of(GREETING, GREET)) {
      // given
      Instant before = test.now();
      AtomicInteger runs = new AtomicInteger();
      test.fake(
          GREET,
          (work, name) -> {
            runs.incrementAndGet();
            test.sleep(Duration.ofMinutes(10));
            return name;
          });
      // when
      test.start(GREETING, "g", "x");
      // then its lease is renewed all the time
      assertThat(test.await("g", GREETING)).isEqualTo("x");
      assertThat(test.now()).isEqualTo(before.plus(Duration.ofMinutes(10)));
      assertThat(runs).hasValue(1);
    }
  }

  @RepeatedTest(20)
  void shouldTimeOutActivitiesThatHang() {
    Orchestration<String, String> patient =
        Orchestration.named(
            "patient",
            String.class,
            String.class,
            (flow, name) -> {
              try {
                return flow.call(
                        GREET,
                        name,
                        Retry.times(3).every(Duration.ofMinutes(10)).timeout(Duration.ofMinutes(1)))
                    .await();
              } catch (TaskFailed failed) {
                return failed.failure().type();
              }
            });
    try (FlowTest test = FlowTest.of(patient, GREET)) {
      // given
      Instant before = test.now();
      AtomicInteger runs = new AtomicInteger();
      test.fake(
          GREET,
          (work, name) -> {
            runs.incrementAndGet();
            test.hang();
            return name;
          });
      // when
      test.start(patient, "p", "x");
      // then
      assertThat(test.await("p", patient)).isEqualTo(Failure.TIMEOUT);
      assertThat(runs).hasValue(3);
      assertThat(test.now()).isEqualTo(before.plus(Duration.ofMinutes(23)));
    }
  }

  @RepeatedTest(20)
  void shouldCancelActivitiesThatAreNotWantedAnyMore() {
    Orchestration<String, String> hasty =
        Orchestration.named(
            "hasty",
            String.class,
            String.class,
            (flow, name) ->
                flow.call(GREET, name).within(Duration.ofMinutes(5)).orElse("late").await());
    try (FlowTest test = FlowTest.of(hasty, GREET)) {
      Instant before = test.now();
      AtomicInteger cancelled = new AtomicInteger();
      test.fake(
          GREET,
          (work, name) -> {
            try {
              test.sleep(Duration.ofHours(1));
            } catch (InterruptedException e) {
              cancelled.incrementAndGet();
              throw e;
            }
            return name;
          });
      test.start(hasty, "h", "x");
      assertThat(test.await("h", hasty)).isEqualTo("late");
      test.settle();
      assertThat(cancelled).hasValue(1);
      assertThat(test.now()).isEqualTo(before.plus(Duration.ofMinutes(5)));
    }
  }

  @Test
  void shouldWaitLongForTheNextTry() {
    Orchestration<String, String> tries =
        Orchestration.named(
            "tries",
            String.class,
            String.class,
            (flow, name) ->
                flow.call(GREET, name, Retry.times(4).every(Duration.ofDays(1))).await());
    try (FlowTest test = FlowTest.of(tries, GREET)) {
      Instant before = test.now();
      test.fake(
          GREET,
          (work, name) -> {
            if (work.attempt() < 4) {
              throw new IllegalStateException("not yet");
            }
            return name;
          });
      test.start(tries, "t", "x");
      assertThat(test.await("t", tries)).isEqualTo("x");
      assertThat(test.now()).isEqualTo(before.plus(Duration.ofDays(3)));
    }
  }

  @Test
  void shouldSayWhatAFlowWaitsFor() {
    try (FlowTest test = FlowTest.of(WAITS)) {
      test.start(WAITS, "w", "rain");
      assertThatThrownBy(() -> test.await("w", WAITS))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("Flow w (waits) is RUNNING, and nothing more happens by itself.")
          .hasMessageContaining("wait for event 'rain'");
      assertThatThrownBy(() -> test.await("x", WAITS)).hasMessageContaining("There is no flow x");
    }
  }

  @Test
  void shouldTimeOutInTheTimeOfTheFlows() {
    try (FlowTest test = FlowTest.of(WAITS, SLEEPER)) {
      Instant before = test.now();
      test.start(WAITS, "w", "rain");
      test.start(SLEEPER, "s", 30);
      assertThatThrownBy(() -> test.flows().await("w", WAITS, Duration.ofDays(1)))
          .isInstanceOfSatisfying(
              FlowException.class,
              e -> assertThat(e.reason()).isEqualTo(FlowException.Reason.TIMEOUT));
      assertThat(test.now()).isEqualTo(before.plus(Duration.ofDays(1)));
    }
  }

  @Test
  void shouldLetABlockedFlowGoOnWhateverItsReasonSays() {
    Orchestration<String, String> packs =
        Orchestration.named(
            "packs",
            String.class,
            String.class,
            (flow, text) -> {
              flow.run("10 workers died while they packed", () -> {});
              return flow.event("go", String.class).await();
            });
    Orchestration<String, String> broken =
        Orchestration.named(
            "packs",
            String.class,
            String.class,
            (flow, text) -> flow.event("go", String.class).await());
    try (FlowTest test = FlowTest.of(packs)) {
      // given
      test.start(packs, "p", "");
      test.settle();
      test.deploy(broken);
      test.raise("p", "go", "x");
      assertThat(test.await("p", FlowStatus.BLOCKED).reason()).contains("10 workers died");
      // when
      test.deploy(packs);
      // then
      assertThat(test.await("p", packs)).isEqualTo("x");
    }
  }

  @Test
  void shouldFreeTheSlotAndLeaseOfAnActivityThatIgnoresItsTimeout() {
    Activity<Integer, Integer> stubborn =
        Activity.named("stubborn", Integer.class, Integer.class, n -> n);
    Orchestration<Integer, Integer> calls =
        Orchestration.named(
            "calls",
            Integer.class,
            Integer.class,
            (flow, n) ->
                flow.call(stubborn, n, Retry.times(2).timeout(Duration.ofSeconds(30))).await());
    AtomicBoolean over = new AtomicBoolean();
    try (FlowTest test = FlowTest.of(calls, stubborn)) {
      test.fake(
          stubborn,
          (work, n) -> {
            while (work.attempt() == 1 && !over.get()) {
              try {
                test.hang();
              } catch (InterruptedException ignored) {
                // As code does that loops over a call which can be interrupted.
              }
            }
            return work.attempt();
          });
      test.start(calls, "c", 1);
      assertThat(test.await("c", calls)).isEqualTo(2);
      over.set(true);
    }
  }
}
