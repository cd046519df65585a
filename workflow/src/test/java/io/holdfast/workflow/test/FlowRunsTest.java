package io.holdfast.workflow.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Retry;
import io.holdfast.workflow.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Right tests pass under every fault, and wrong code is found. */
@Tag("slow")
@Timeout(WaitLimits.TEST_SECONDS)
class FlowRunsTest {
  private static final Activity<Integer, Integer> ADD =
      Activity.named("add", Integer.class, Integer.class, n -> n);

  private static final Orchestration<Integer, Integer> ONE =
      Orchestration.named(
          "one", Integer.class, Integer.class, (flow, n) -> flow.call(ADD, n).await());

  private static final Orchestration<Integer, Integer> ALL =
      Orchestration.named(
          "all",
          Integer.class,
          Integer.class,
          (flow, n) -> {
            flow.status("adds");
            List<Task<Integer>> tasks =
                IntStream.rangeClosed(1, n).mapToObj(i -> flow.call(ADD, i)).toList();
            int sum = flow.<Integer>all(tasks).await().stream().mapToInt(i -> i).sum();
            flow.sleep(Duration.ofHours(1));
            int bonus = flow.event("bonus", Integer.class).await();
            int step = flow.run("step", Integer.class, () -> 1);
            return sum + bonus + step + flow.sub(ONE, 100).await();
          });

  private static void testAll(FlowTest test) {
    test.start(ALL, "a", 3);
    test.advance(Duration.ofMinutes(10));
    test.raise("a", "bonus", 1_000);
    assertThat(test.await("a", ALL)).isEqualTo(6 + 1_000 + 1 + 100);
  }

  @Test
  void shouldPassUnderEveryFault() {
    FlowRuns runs =
        FlowTest.with(ALL, ONE, ADD)
            .crashAtEveryCommit()
            .deliverEverythingTwice()
            .replayAtEveryTurn()
            .twoWorkers();
    runs.run(FlowRunsTest::testAll);
    assertThat(runs.runs()).isGreaterThan(20);
  }

  @Test
  void shouldReallyLetTheWorkerDie() {
    // given
    List<Integer> attempts = new ArrayList<>();
    List<Instant> ends = new ArrayList<>();
    // when
    FlowTest.with(ONE, ADD)
        .crashAtEveryCommit()
        .run(
            test -> {
              AtomicInteger last = new AtomicInteger();
              test.fake(
                  ADD,
                  (work, n) -> {
                    last.set(work.attempt());
                    return n;
                  });
              test.start(ONE, "o", 1);
              assertThat(test.await("o", ONE)).isEqualTo(1);
              attempts.add(last.get());
              ends.add(test.now());
            });
    // then there are three commits: the first turn, the activity, the last turn
    assertThat(attempts).containsExactly(1, 1, 1, 2, 1, 1, 1, 1, 1);
    Instant start = ends.getFirst();
    Instant later = start.plusSeconds(10);
    // A flow that was in the memory of the worker that died is left to that worker for a moment.
    Duration sticky = Duration.ofMillis(200);
    assertThat(ends)
        .containsExactly(
            start,
            later,
            start.plus(sticky),
            later.plus(sticky),
            start.plus(sticky),
            later,
            start,
            start,
            start);
  }

  @RepeatedTest(20)
  void shouldFindAnActivityThatCountsTwice() {
    assertThatThrownBy(() -> FlowTest.with(ONE, ADD).crashAtEveryCommit().run(this::countCalls))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("The test fails under the fault \"crash before commit 2\"");
    assertThatThrownBy(() -> FlowTest.with(ONE, ADD).deliverEverythingTwice().run(this::countCalls))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("The test fails under the fault \"twice");
    assertThatThrownBy(
            () -> FlowTest.with(ONE, ADD).only("crash before commit 2").run(this::countCalls))
        .hasMessageContaining("crash before commit 2");
    FlowTest.with(ONE, ADD).only("crash after commit 2").run(this::countCalls);
    FlowTest.with(ONE, ADD).run(this::countCalls);
  }

  /** A test of an activity that does its work again for the same call. */
  private void countCalls(FlowTest test) {
    AtomicInteger total = new AtomicInteger();
    test.fake(ADD, (work, n) -> total.addAndGet(n));
    test.start(ONE, "o", 5);
    test.await("o", ONE);
    test.advance(Duration.ofMinutes(1));
    assertThat(total).hasValue(5);
  }

  @Test
  void shouldPassAnActivityThatLooksAtItsKey() {
    FlowTest.with(ONE, ADD)
        .crashAtEveryCommit()
        .deliverEverythingTwice()
        .run(
            test -> {
              Set<String> done = ConcurrentHashMap.newKeySet();
              AtomicInteger total = new AtomicInteger();
              test.fake(ADD, (work, n) -> done.add(work.key()) ? total.addAndGet(n) : total.get());
              test.start(ONE, "o", 5);
              assertThat(test.await("o", ONE)).isEqualTo(5);
              test.advance(Duration.ofMinutes(1));
              assertThat(total).hasValue(5);
            });
  }

  @RepeatedTest(20)
  void shouldFindAFlowThatIsNotTheSameOnEveryRun() {
    FlowRuns.Body body =
        test -> {
          AtomicInteger runs = new AtomicInteger();
          Orchestration<Integer, Integer> fickle =
              Orchestration.named(
                  "fickle",
                  Integer.class,
                  Integer.class,
                  (flow, n) -> {
                    if (runs.incrementAndGet() > 1) {
                      flow.sleep(Duration.ofSeconds(1));
                    }
                    return flow.call(ADD, n).await();
                  });
          test.deploy(fickle);
          test.start(fickle, "f", 1);
          assertThat(test.await("f", fickle)).isEqualTo(1);
        };
    assertThatThrownBy(() -> FlowTest.with(ONE, ADD).only("replay").run(body))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("BLOCKED")
        .hasMessageContaining("call of activity 'add'");
  }

  @RepeatedTest(5)
  void shouldFindByACrashAFlowThatIsNotTheSameOnEveryRun() {
    AtomicInteger runs = new AtomicInteger();
    Orchestration<Integer, Integer> fickle =
        Orchestration.named(
            "fickle",
            Integer.class,
            Integer.class,
            (flow, n) -> {
              if (runs.incrementAndGet() % 2 == 0) {
                flow.sleep(Duration.ofSeconds(1));
              }
              return flow.call(ADD, n).await();
            });
    assertThatThrownBy(
            () ->
                FlowTest.with(fickle, ADD)
                    .only("crash before commit 2")
                    .run(
                        test -> {
                          runs.set(0);
                          test.start(fickle, "f", 1);
                          assertThat(test.await("f", fickle)).isEqualTo(1);
                        }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("under the fault \"crash")
        .hasMessageContaining("BLOCKED");
  }

  @Test
  void shouldDieAtRetriesAsWell() {
    Orchestration<Integer, Integer> tries =
        Orchestration.named(
            "tries",
            Integer.class,
            Integer.class,
            (flow, n) -> flow.call(ADD, n, Retry.times(3)).await());
    FlowTest.with(tries, ADD)
        .crashAtEveryCommit()
        .deliverEverythingTwice()
        .run(
            test -> {
              AtomicInteger failures = new AtomicInteger();
              test.fake(
                  ADD,
                  (work, n) -> {
                    if (failures.incrementAndGet() <= 1) {
                      throw new IllegalStateException("not yet");
                    }
                    return n;
                  });
              test.start(tries, "t", 7);
              assertThat(test.await("t", tries)).isEqualTo(7);
            });
  }

  @Test
  void shouldDieWithActivitiesThatSleep() {
    FlowTest.with(ALL, ONE, ADD)
        .crashAtEveryCommit()
        .run(
            test -> {
              test.fake(
                  ADD,
                  (work, n) -> {
                    test.sleep(Duration.ofSeconds(n));
                    return n;
                  });
              testAll(test);
            });
  }

  @Test
  void shouldGoOnWithNewCode() {
    try (FlowTest test = FlowTest.of(ADD)) {
      test.deploy(ALL);
      test.start(ONE, "o", 1);
      assertThat(test.await("o", FlowStatus.BLOCKED).reason()).contains("knows 'one'");
      test.deploy(ONE);
      assertThat(test.await("o", ONE)).isEqualTo(1);
    }
  }

  @Test
  void shouldRefuseFaultsThatItDoesNotKnow() {
    for (Fault fault :
        List.of(
            Fault.NONE,
            new Fault.Crash(12, true),
            new Fault.Crash(1, false),
            new Fault.Twice(0),
            new Fault.Twice(Fault.LATE_MS),
            new Fault.Replay(),
            new Fault.TwoWorkers())) {
      assertThat(Fault.of(fault.toString())).isEqualTo(fault);
    }
    assertThatThrownBy(() -> FlowTest.with(ONE).only("crash"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
