package io.holdfast.workflow.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.Flow;
import io.holdfast.workflow.FlowCancelled;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Payloads;
import io.holdfast.workflow.Task;
import io.holdfast.workflow.TaskFailed;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.history.History;
import io.holdfast.workflow.history.TaskKind;
import io.holdfast.workflow.replay.Code;
import io.holdfast.workflow.replay.Execution;
import io.holdfast.workflow.replay.Execution.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The code of flows on histories that fit it and on such that do not, without a broker. */
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplayTest {
  private static final ExecutionId FIRST = new ExecutionId("f", "i", 1);
  private static final Activity<Integer, Integer> ONE =
      Activity.named("one", Integer.class, Integer.class, n -> n);
  private static final Activity<Integer, Integer> TWO =
      Activity.named("two", Integer.class, Integer.class, n -> n);
  private static final Orchestration<String, String> SUB =
      Orchestration.named("sub", String.class, String.class, (flow, text) -> text);
  private static final Orchestration<String, String> OTHER =
      Orchestration.named("other", String.class, String.class, (flow, text) -> text);

  private final ManualClock clock = new ManualClock();

  /** Code that answers text. */
  interface Body extends Orchestration.Code<String, String> {}

  private Code code(Body body) {
    return new Code(
        Orchestration.named("flow", String.class, String.class, body), Payloads.json(), clock);
  }

  private Event.Started started() {
    return new Event.Started(clock.wallMs(), "flow", "1.0", bytes("\"in\""), null, List.of());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Event completed(long task, String result) {
    return new Event.Completed(clock.wallMs(), task, bytes(result));
  }

  private Event received(String name, String data) {
    return new Event.Received(clock.wallMs(), name + "-id", name, bytes(data));
  }

  /** Runs code from its start with what comes, and answers its history. */
  private List<Event> recorded(Body body, Event... inputs) {
    Execution execution = Execution.begin(FIRST, started(), code(body));
    List<Event> events = new ArrayList<>();
    State state = execution.advance(Arrays.asList(inputs));
    while (state == State.CHECKPOINT || state == State.UNCONFIRMED) {
      if (state == State.CHECKPOINT) {
        events.addAll(execution.fresh());
        execution.stored(0);
      }
      state = execution.resume();
    }
    events.addAll(execution.fresh());
    return events;
  }

  private Execution replayed(List<Event> history, Body body, Event... inputs) {
    Execution execution = new Execution(FIRST, History.of(history), code(body));
    execution.advance(Arrays.asList(inputs));
    return execution;
  }

  private void assertFits(List<Event> history, Body body) {
    Execution execution = replayed(history, body);
    assertThat(execution.broken()).isEmpty();
    assertThat(execution.isCurrent()).isTrue();
    assertThat(execution.fresh()).isEmpty();
  }

  private static Arguments pair(String what, Body before, Body after) {
    return Arguments.of(what, before, after);
  }

  /** Code as it was, and code that differs in one thing. */
  static Stream<Arguments> differences() {
    return Stream.of(
        pair(
            "another activity",
            (f, s) -> "" + f.call(ONE, 1).await(),
            (f, s) -> "" + f.call(TWO, 1).await()),
        pair(
            "another tag",
            (f, s) -> "" + f.call(ONE, 1).await(),
            (f, s) -> "" + f.call(ONE.on("gpu"), 1).await()),
        pair("a timer for an activity", (f, s) -> "" + f.call(ONE, 1).await(), (f, s) -> sleep(f)),
        pair("an activity for a timer", (f, s) -> sleep(f), (f, s) -> "" + f.call(ONE, 1).await()),
        pair(
            "a sub-flow for an activity",
            (f, s) -> "" + f.call(ONE, 1).await(),
            (f, s) -> f.sub(SUB, s).await()),
        pair(
            "another sub-flow", (f, s) -> f.sub(SUB, s).await(), (f, s) -> f.sub(OTHER, s).await()),
        pair(
            "a sub-flow of another id",
            (f, s) -> f.sub(SUB, "x", s).await(),
            (f, s) -> f.sub(SUB, "y", s).await()),
        pair(
            "another event",
            (f, s) -> f.event("a", String.class).await(),
            (f, s) -> f.event("b", String.class).await()),
        pair(
            "an event for a timer",
            (f, s) -> sleep(f),
            (f, s) -> f.event("a", String.class).await()),
        pair("another step", (f, s) -> step(f, "a"), (f, s) -> step(f, "b")),
        pair(
            "a step for an activity",
            (f, s) -> "" + f.call(ONE, 1).await(),
            (f, s) -> step(f, "a")),
        pair(
            "another flow launched",
            (f, s) -> launch(f, SUB, "x"),
            (f, s) -> launch(f, OTHER, "x")),
        pair(
            "a flow launched as another id",
            (f, s) -> launch(f, SUB, "x"),
            (f, s) -> launch(f, SUB, "y")),
        pair("another order", (f, s) -> both(f, ONE, TWO), (f, s) -> both(f, TWO, ONE)),
        pair(
            "one activity less",
            (f, s) -> both(f, ONE, TWO),
            (f, s) -> "" + f.call(ONE, 1).await()),
        pair("an end too early", (f, s) -> "" + f.call(ONE, 1).await(), (f, s) -> s),
        pair("a failure too early", (f, s) -> "" + f.call(ONE, 1).await(), (f, s) -> fail()),
        pair("a status less", (f, s) -> status(f), (f, s) -> f.event("e", String.class).await()),
        pair("a status more", (f, s) -> f.event("e", String.class).await(), (f, s) -> status(f)),
        pair("a task not cancelled", (f, s) -> cancels(f, true), (f, s) -> cancels(f, false)),
        pair("a task cancelled", (f, s) -> cancels(f, false), (f, s) -> cancels(f, true)),
        pair("a change taken back", (f, s) -> patched(f), (f, s) -> "" + f.call(ONE, 1).await()),
        pair(
            "a new execution too early",
            (f, s) -> "" + f.call(ONE, 1).await(),
            (f, s) -> f.continueAsNew(s)));
  }

  private static String sleep(Flow flow) {
    flow.sleep(Duration.ofSeconds(1));
    return "";
  }

  private static String step(Flow flow, String name) {
    flow.run(name, () -> {});
    return flow.event("e", String.class).await();
  }

  private static String launch(Flow flow, Orchestration<String, String> other, String id) {
    flow.start(other, id, "");
    return flow.event("e", String.class).await();
  }

  private static String both(
      Flow flow, Activity<Integer, Integer> a, Activity<Integer, Integer> b) {
    Task<Integer> first = flow.call(a, 1);
    Task<Integer> second = flow.call(b, 2);
    return "" + first.await() + second.await();
  }

  private static String status(Flow flow) {
    flow.status("here");
    return flow.event("e", String.class).await();
  }

  private static String cancels(Flow flow, boolean cancels) {
    Task<Integer> task = flow.call(ONE, 1);
    if (cancels) {
      task.cancel();
    }
    return flow.event("e", String.class).await();
  }

  private static String patched(Flow flow) {
    return "" + flow.call(flow.patched("change") ? ONE : TWO, 1).await();
  }

  private static String fail() {
    throw new IllegalStateException("too early");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("differences")
  void shouldNotGoOnWithCodeThatDoesNotFit(String what, Body before, Body after) {
    // given
    List<Event> history = recorded(before);
    assertFits(history, before);
    // when
    Execution execution = replayed(history, after);
    // then
    assertThat(execution.state()).as(what).isEqualTo(State.BROKEN);
    assertThat(execution.broken()).contains("history: event ").contains("code: ");
    assertThat(execution.fresh()).isEmpty();
  }

  @Test
  void shouldGoOnWithCodeThatDoesMoreAtItsEnd() {
    List<Event> history = recorded((f, s) -> "" + f.call(ONE, 1).await());
    Execution execution = replayed(history, (f, s) -> both(f, ONE, TWO), completed(1, "5"));
    assertThat(execution.state()).isEqualTo(State.WAITING);
    assertThat(execution.fresh()).hasSize(2);
  }

  @Test
  void shouldTakeOtherInputsTimesAndTextsForTheSameCode() {
    List<Event> history =
        recorded(
            (f, s) -> {
              f.status("a");
              f.timer(Duration.ofSeconds(1));
              return "" + f.call(ONE, 1).await();
            });
    assertFits(
        history,
        (f, s) -> {
          f.status("b");
          f.timer(Duration.ofSeconds(2));
          return "" + f.call(ONE, 99).await();
        });
  }

  @Test
  void shouldTakeTheOldWayInOldFlowsAndTheNewWayInNewOnes() {
    // given
    List<Event> old = recorded((f, s) -> "" + f.call(TWO, 1).await());
    // when, then
    assertFits(old, (f, s) -> patched(f));
    List<Event> fresh = recorded((f, s) -> patched(f));
    assertThat(fresh.get(1)).isInstanceOf(Event.Patched.class);
    assertThat(((Event.CallScheduled) fresh.get(2)).activity()).isEqualTo("one");
    assertFits(fresh, (f, s) -> patched(f));
  }

  @Test
  void shouldNotGoOnWithAHistoryThatIsBroken() {
    Body calls = (f, s) -> "" + f.call(ONE, 1).await();
    List<Event> good = recorded(calls);
    for (Event wrong :
        List.of(
            completed(7, "1"),
            new Event.Failed(0, 2, Failure.of("X", "")),
            new Event.Fired(0, 9),
            new Event.TaskCancelled(0, 1, TaskKind.CALL, ""),
            started(),
            new Event.FlowCompleted(0, bytes("\"\"")))) {
      List<Event> history = new ArrayList<>(good);
      history.add(wrong);
      assertThat(replayed(history, calls).state()).as("" + wrong).isEqualTo(State.BROKEN);
    }
    List<Event> twice = new ArrayList<>(good);
    twice.add(completed(1, "1"));
    twice.add(completed(1, "1"));
    assertThat(replayed(twice, calls).state()).isEqualTo(State.BROKEN);
    List<Event> unreadable = new ArrayList<>(good);
    unreadable.add(completed(1, "not a number"));
    Execution execution = replayed(unreadable, calls);
    assertThat(execution.state()).isEqualTo(State.BROKEN);
    assertThat(execution.broken()).contains("cannot be read");
    assertThatThrownBy(() -> replayed(List.of(), calls))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> replayed(List.of(completed(1, "1")), calls))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldGiveResultsInTheOrderOfTheHistory() {
    Body any =
        (f, s) -> {
          Task<Integer> one = f.call(ONE, 1);
          Task<Integer> two = f.call(TWO, 2);
          int first = f.<Integer>any(List.of(one, two)).await().await();
          return "" + first + one.await() + two.await();
        };
    List<Event> history = recorded(any, completed(2, "22"), completed(1, "11"));
    assertThat(((Event.FlowCompleted) history.getLast()).output()).isEqualTo(bytes("\"221122\""));
    assertFits(history, any);
  }

  @Test
  void shouldSayTheSameTimeIdsAndChanceOnEveryReplay() {
    List<String> said = new ArrayList<>();
    Body says =
        (f, s) -> {
          String text = f.now() + " " + f.uuid() + " " + f.uuid() + " " + f.random().nextLong();
          f.event("e", String.class).await();
          said.add(text + f.now() + f.uuid());
          return f.event("never", String.class).await();
        };
    List<Event> history = recorded(says, received("e", "\"\""));
    clock.advance(Duration.ofDays(1));
    assertFits(history, says);
    assertThat(said).hasSize(2);
    assertThat(said.get(0)).isEqualTo(said.get(1));
  }

  @Test
  void shouldThrowNothingThroughCodeThatWaits() {
    // given
    List<String> seen = new ArrayList<>();
    Body careful =
        (f, s) -> {
          try {
            return "" + f.call(ONE, 1).await();
          } catch (Throwable caught) {
            seen.add("" + caught);
            throw caught;
          } finally {
            seen.add("finally");
          }
        };
    // when
    Execution execution = Execution.begin(FIRST, started(), code(careful));
    assertThat(execution.advance(List.of())).isEqualTo(State.WAITING);
    execution.stored(0);
    // then: not a trace of the wait
    assertThat(seen).isEmpty();
    assertThat(execution.advance(List.of(completed(1, "5")))).isEqualTo(State.ENDED);
    assertThat(seen).containsExactly("finally");
  }

  @Test
  void shouldTellACancellationOnceSoThatCodeCanMakeGood() {
    Body makesGood =
        (f, s) -> {
          try {
            return "" + f.call(ONE, 1).await();
          } catch (FlowCancelled cancelled) {
            return "undone " + f.call(TWO, 2).await() + f.isCancelled();
          }
        };
    Event cancel = new Event.CancelRequested(0, "enough");
    List<Event> history = recorded(makesGood, cancel, cancel, completed(4, "7"));
    assertThat(history)
        .extracting(event -> event.getClass().getSimpleName())
        .containsExactly(
            "Started",
            "CallScheduled",
            "CancelRequested",
            "TaskCancelled",
            "CallScheduled",
            "Completed",
            "FlowCompleted");
    assertFits(history, makesGood);
    List<Event> uncaught = recorded((f, s) -> "" + f.call(ONE, 1).await(), cancel);
    assertThat(uncaught.getLast()).isInstanceOf(Event.FlowCancelled.class);
  }

  @Test
  void shouldFailWithTheFailureOfATask() {
    Body calls = (f, s) -> "" + f.call(ONE, 1).await();
    List<Event> history = recorded(calls, new Event.Failed(0, 1, Failure.of("Broken", "it is")));
    Event.FlowFailed failed = (Event.FlowFailed) history.getLast();
    assertThat(failed.failure().type()).isEqualTo("Broken");
    assertThat(failed.task()).isEqualTo(1);
    assertFits(history, calls);
  }

  @Test
  void shouldDoAStepOnceAndRememberItsResultOrFailure() {
    AtomicInteger done = new AtomicInteger();
    Body steps =
        (f, s) -> {
          int one = f.run("one", Integer.class, done::incrementAndGet);
          try {
            f.run("two", () -> fail());
          } catch (TaskFailed failed) {
            return one + failed.failure().message() + f.event("e", String.class).await();
          }
          return "";
        };
    List<Event> history = recorded(steps);
    assertFits(history, steps);
    assertFits(history, steps);
    assertThat(done.get()).isEqualTo(1);
  }

  @Test
  void shouldRefuseCallsThatCouldNotBeReplayed() {
    List<Event> history =
        recorded(
            (f, s) -> {
              List<String> refused = new ArrayList<>();
              Thread other =
                  Thread.startVirtualThread(
                      () -> {
                        try {
                          f.call(ONE, 1);
                        } catch (IllegalStateException e) {
                          refused.add("thread");
                        }
                      });
              other.join();
              try {
                f.run("step", () -> f.call(ONE, 1));
              } catch (TaskFailed e) {
                refused.add("step");
              }
              return "" + refused;
            });
    assertThat(((Event.FlowCompleted) history.getLast()).output())
        .isEqualTo(bytes("\"[thread, step]\""));
    assertThat(history.stream().filter(Event.CallScheduled.class::isInstance)).isEmpty();
  }

  @Test
  void shouldEvictWithoutRunningTheCode() throws IOException, InterruptedException {
    assertThat(evicted("-Djdk.trackAllThreads=false")).contains("GONE").doesNotContain("FINALLY");
  }

  @Test
  void shouldRefuseCodeThatGoesOnAfterItsEviction() throws IOException, InterruptedException {
    String said = evicted("-Djdk.trackAllThreads=true");
    assertThat(said).contains("GONE", "FINALLY");
    assertThat(said.lines().filter("REFUSED"::equals)).hasSize(6);
    assertThat(said).doesNotContain("STEP", "CALLED", "SLEPT", "TOOK", "UUID", "NEW");
  }

  @Test
  void shouldNotCollectGarbageAgainAndAgainToEvict() throws IOException, InterruptedException {
    String said = evicted("-Djdk.trackAllThreads=true", "late");
    Matcher count = Pattern.compile("COLLECTIONS (\\d+)").matcher(said);
    assertThat(count.find()).as(said).isTrue();
    assertThat(Integer.parseInt(count.group(1))).isLessThan(10);
    assertThat(said).contains("GONE");
  }

  /** What an eviction prints, in a JVM of its own: it must be set before the first thread. */
  private static String evicted(String option, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                option,
                "-Dslf4j.internal.verbosity=ERROR",
                // One carrier: who holds it while it waits for another virtual thread waits long.
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                "-cp",
                System.getProperty("java.class.path"),
                EvictionProbe.class.getName()));
    command.addAll(List.of(arguments));
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    boolean ended = child.waitFor(WaitLimits.WORKLOAD.toSeconds(), TimeUnit.SECONDS);
    if (!ended) {
      child.destroyForcibly();
    }
    assertThat(ended).isTrue();
    return new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
