package io.holdfast.workflow.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Task;
import io.holdfast.workflow.TaskFailed;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.message.Forms;
import io.holdfast.workflow.message.TurnMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When something is acked, and what crashes between any two steps bring about. */
class SeedRulesTest extends FlowFixture {
  private static final Activity<Integer, Integer> TWICE =
      Activity.named("twice", Integer.class, Integer.class, n -> 2 * n);
  private static final Orchestration<Integer, Integer> CALLS =
      Orchestration.named(
          "calls", Integer.class, Integer.class, (flow, n) -> flow.call(TWICE, n).await());
  private static final Orchestration<Integer, Integer> WAITS =
      Orchestration.named(
          "waits",
          Integer.class,
          Integer.class,
          (flow, n) -> {
            Task<Integer> called = flow.call(TWICE, n);
            int told = flow.event("go", Integer.class).await();
            return told + called.await();
          });
  private static final Orchestration<Integer, Integer> ALL =
      Orchestration.named(
          "all",
          Integer.class,
          Integer.class,
          (flow, n) -> {
            int called = flow.call(TWICE, n).await();
            flow.sleep(Duration.ofSeconds(1));
            int sub = flow.sub(CALLS, n).await();
            int step = flow.run("step", Integer.class, () -> 1);
            return called + sub + step + flow.event("go", Integer.class).await();
          });

  private static boolean appends(CommitRequest request, Class<? extends Event> kind) {
    return request.operations().stream()
        .filter(Operation.AppendJournal.class::isInstance)
        .flatMap(one -> ((Operation.AppendJournal) one).events().stream())
        .map(Forms.EVENT::read)
        .anyMatch(kind::isInstance);
  }

  private CommitRequest onlyCommitWith(Class<? extends Event> kind) {
    List<CommitRequest> found = new ArrayList<>();
    eventually(
        () -> {
          found.clear();
          broker.commits.stream().filter(one -> appends(one, kind)).forEach(found::add);
          assertThat(found).hasSize(1);
        });
    return found.getFirst();
  }

  @Test
  @DisplayName("start acked only after Started is durable")
  void shouldAckAStartWithItsEvent() {
    Flows flows = flows().register(CALLS, TWICE).serve();
    flows.start(CALLS, "a", 4);
    flows.await("a", CALLS, SOON);
    assertThat(Witness.settles(onlyCommitWith(Event.Started.class))).isTrue();
    // then: nothing of the flow was acked before
    assertThat(broker.commits.stream().filter(Witness::settles).findFirst())
        .hasValueSatisfying(first -> assertThat(appends(first, Event.Started.class)).isTrue());
  }

  @Test
  @DisplayName("second start is a no-op")
  void shouldAckASecondStartAndDoNothing() {
    // given
    Flows flows = flows().register(WAITS, TWICE).serve();
    flows.start(WAITS, "a", 4);
    awaitEvents("a", 4);
    // when: from a client, and as a message that came twice
    assertThat(flows.start(WAITS, "a", 4)).isFalse();
    send("a", new TurnMessage.Start("waits", "1.0", bytes("4"), null));
    send("a", new TurnMessage.Start("waits", "1.0", bytes("5"), null));
    assertThatThrownBy(() -> flows.start(WAITS, "a", 5)).isInstanceOf(FlowException.class);
    flows.raise("a", "go", 1);
    // then
    assertThat(flows.await("a", WAITS, SOON)).isEqualTo(9);
    send("a", new TurnMessage.Start("waits", "1.0", bytes("4"), null));
    assertAllSettled();
    assertThat(count("a", Event.Started.class)).isEqualTo(1);
    assertThat(count("a", Event.FlowCompleted.class)).isEqualTo(1);
  }

  @Test
  @DisplayName("a second start of another flow is told to who asked")
  void shouldTellAParentThatTheIdIsTaken() {
    Orchestration<Integer, String> parent =
        Orchestration.named(
            "parent",
            Integer.class,
            String.class,
            (flow, n) -> {
              try {
                return "" + flow.sub(CALLS, "a", n).await();
              } catch (TaskFailed failed) {
                return failed.failure().type();
              }
            });
    Flows flows = flows().register(WAITS, CALLS, TWICE, parent).serve();
    flows.start(WAITS, "a", 4);
    awaitEvents("a", 3);
    flows.start(parent, "p", 4);
    assertThat(flows.await("p", parent, SOON)).isEqualTo(Failure.CONFLICT);
  }

  @Test
  @DisplayName("completion acked after append")
  void shouldAckACompletionWithItsEvent() {
    Flows flows = flows().register(CALLS, TWICE).serve();
    flows.start(CALLS, "a", 4);
    flows.await("a", CALLS, SOON);
    assertThat(Witness.settles(onlyCommitWith(Event.Completed.class))).isTrue();
  }

  private void assertRepeatsChangeNothing(Flows flows) {
    flows.start(WAITS, "a", 4);
    awaitEvents("a", 4);
    for (int i = 0; i < 3; i++) {
      send("a", new TurnMessage.Complete(execution("a", 1), 1, bytes("77")));
      send("a", new TurnMessage.Fail(execution("a", 1), 1, Failure.of("Late", "other kind")));
      send("a", new TurnMessage.Fire(execution("a", 1), 1));
    }
    assertAllSettled();
    flows.raise("a", "go", 1);
    assertThat(flows.await("a", WAITS, SOON)).isEqualTo(9);
    assertThat(count("a", Event.Completed.class)).isEqualTo(1);
    assertThat(count("a", Event.Failed.class) + count("a", Event.Fired.class)).isZero();
  }

  @Test
  @DisplayName("duplicate completion acked without append, same kind and other kind")
  void shouldAckRepeatsOfACompletionWithoutAnEvent() {
    assertRepeatsChangeNothing(flows().register(WAITS, TWICE).serve());
  }

  @Test
  @DisplayName("duplicate completion acked without append, on a replay")
  void shouldAckRepeatsOfACompletionWithoutAnEventWhenCold() {
    assertRepeatsChangeNothing(cold().register(WAITS, TWICE).serve());
  }

  @Test
  @DisplayName("wrong execution_id acked without append")
  void shouldAckWhatIsForAnotherExecutionWithoutAnEvent() {
    // given
    Flows flows = flows().register(WAITS).serve();
    flows.start(WAITS, "a", 4);
    awaitEvents("a", 3);
    // when
    send("a", new TurnMessage.Complete(execution("a", 0), 1, bytes("77")));
    send("a", new TurnMessage.Complete(execution("a", 2), 1, bytes("77")));
    send("a", new TurnMessage.Fail(execution("a", 7), 1, Failure.of("Wrong", "")));
    // then
    assertAllSettled();
    assertThat(store.events("a", 1)).hasSize(3);
    flows().register(TWICE).serve();
    flows.raise("a", "go", 1);
    assertThat(flows.await("a", WAITS, SOON)).isEqualTo(9);
  }

  @Test
  @DisplayName("worker ack only together with the completion")
  void shouldAckWorkWithItsAnswer() {
    Flows flows = flows().register(CALLS, TWICE).serve();
    flows.start(CALLS, "a", 4);
    flows.await("a", CALLS, SOON);
    List<CommitRequest> answers =
        broker.commits.stream()
            .filter(Witness::settles)
            .filter(
                one ->
                    one.operations().stream().noneMatch(Operation.AppendJournal.class::isInstance))
            .toList();
    assertThat(answers).hasSize(1);
    assertThat(answers.getFirst().operations())
        .hasSize(2)
        .hasAtLeastOneElementOfType(Operation.PushMessage.class);
  }

  @Test
  @DisplayName("timer never visible early")
  void shouldFireATimerAtItsTime() {
    // given
    Orchestration<Integer, Integer> sleeps =
        Orchestration.named(
            "sleeps",
            Integer.class,
            Integer.class,
            (flow, n) -> {
              flow.sleep(Duration.ofSeconds(n));
              return n;
            });
    Flows flows = flows().register(sleeps).serve();
    flows.start(sleeps, "a", 60);
    awaitEvents("a", 2);
    // when
    advance(Duration.ofMillis(59_999));
    assertThat(broker.queue("flows").orThrow().counts().delayed()).isEqualTo(1);
    assertThat(store.events("a", 1)).hasSize(2);
    advance(Duration.ofMillis(1));
    // then
    assertThat(flows.await("a", sleeps, SOON)).isEqualTo(60);
    Event.TimerSet set = (Event.TimerSet) store.events("a", 1).get(1);
    assertThat(store.events("a", 1).get(2).timeMs()).isGreaterThanOrEqualTo(set.timeMs() + 60_000);
  }

  @Test
  @DisplayName("external without subscriber does not wedge")
  void shouldGoOnAfterAnEventThatNobodyAwaits() {
    Flows flows = flows().register(WAITS, TWICE).serve();
    flows.start(WAITS, "a", 4);
    flows.raise("a", "nobody", "text");
    flows.raise("a", "go", 1);
    assertThat(flows.await("a", WAITS, SOON)).isEqualTo(9);
    assertAllSettled();
  }

  private void assertOneEffect(Flows flows) {
    flows.start(ALL, "a", 4);
    flows.raise("a", "go", 3, "event-1");
    assertThat(awaitWhileTimePasses(flows, "a", ALL)).isEqualTo(8 + 8 + 1 + 3);
    assertThat(broker.troubles.get()).isPositive();
    assertThat(count("a", Event.Started.class)).isEqualTo(1);
    assertThat(count("a", Event.CallScheduled.class)).isEqualTo(1);
    assertThat(count("a", Event.Completed.class)).isEqualTo(2);
    assertThat(count("a", Event.Fired.class)).isEqualTo(1);
    assertThat(count("a", Event.StepDone.class)).isEqualTo(1);
    assertThat(count("a", Event.Received.class)).isEqualTo(1);
    assertThat(count("a", Event.FlowCompleted.class)).isEqualTo(1);
    String sub =
        store.events("a", 1).stream()
            .filter(Event.SubStarted.class::isInstance)
            .map(event -> ((Event.SubStarted) event).flow())
            .findFirst()
            .orElseThrow();
    assertThat(count(sub, Event.FlowCompleted.class)).isEqualTo(1);
  }

  @Test
  @DisplayName("append failure => redelivery => single effect")
  void shouldHaveOneEffectIfEverySecondTurnIsNotStored() {
    broker.trouble(Witness.Trouble.REFUSED, 2);
    assertOneEffect(flows().register(ALL, CALLS, TWICE).serve());
  }

  @Test
  @DisplayName("crash between append and ack => single effect")
  void shouldHaveOneEffectIfEverySecondTurnIsStoredButNotAcked() {
    broker.trouble(Witness.Trouble.NOT_ACKED, 2);
    assertOneEffect(flows().register(ALL, CALLS, TWICE).serve());
  }

  @Test
  @DisplayName("liveness after lock loss")
  void shouldGoOnAfterWorkersThatNeverCameBack() {
    // given: a turn and its work are with workers that died
    admin.start("calls", "1.0", "a", bytes("4"));
    store.fetchTurns(1, 0, 30_000, "dead");
    Flows flows = flows().register(CALLS).serve();
    // when
    advance(Duration.ofMillis(30_001));
    awaitEvents("a", 2);
    store.fetchWork(Activity.NO_TAG, 1, 0, 30_000, "dead");
    flows().register(TWICE).serve();
    advance(Duration.ofMillis(30_001));
    // then
    assertThat(flows.await("a", CALLS, SOON)).isEqualTo(8);
    assertThat(admin.get("a").status()).isEqualTo(FlowStatus.COMPLETED);
  }
}
