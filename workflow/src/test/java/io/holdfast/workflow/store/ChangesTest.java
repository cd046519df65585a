package io.holdfast.workflow.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Retry;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.history.TaskKind;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is asked for in one commit happens as if it were done one after the other. */
class ChangesTest {
  private static final ExecutionId FIRST = new ExecutionId("f", "i", 1);
  private static final Event CALL =
      new Event.CallScheduled(1, "act", Activity.NO_TAG, new byte[] {1}, Retry.NONE);
  private static final Event TIMER = new Event.TimerSet(1, 1_000_000);

  private final EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory());
  private final FlowStore store = new FlowStore(broker, new Keys("flows"));

  @BeforeEach
  void prepare() {
    store.prepare(List.of(Activity.NO_TAG));
  }

  @AfterEach
  void close() {
    broker.close();
  }

  private int calls() {
    return broker
        .pop(PopRequest.queue("flows.work").batch(10).partitions(10))
        .orThrow()
        .messages()
        .size();
  }

  private long timers() {
    return broker.queue("flows").orThrow().counts().delayed();
  }

  private void commit(List<Event> events) {
    store.commit(store.changes().effects(FIRST, 0, events)).orThrow();
  }

  @Test
  void shouldTakeBackWhatTheSameCommitAsksFor() {
    // when
    commit(
        List.of(
            CALL,
            TIMER,
            CALL,
            new Event.TaskCancelled(1, 0, TaskKind.CALL, Activity.NO_TAG),
            new Event.TaskCancelled(1, 1, TaskKind.TIMER, "")));
    // then only the other call is left
    assertThat(calls()).isEqualTo(1);
    assertThat(timers()).isZero();
  }

  @Test
  void shouldTakeBackWhatAnEarlierCommitAskedFor() {
    // given
    commit(List.of(CALL, TIMER));
    assertThat(timers()).isEqualTo(1);
    // when the same is asked for again, and taken back
    commit(
        List.of(
            CALL,
            TIMER,
            new Event.TaskCancelled(1, 0, TaskKind.CALL, Activity.NO_TAG),
            new Event.TaskCancelled(1, 1, TaskKind.TIMER, "")));
    // then
    assertThat(calls()).isZero();
    assertThat(timers()).isZero();
  }

  @Test
  void shouldAskAgainForWhatItTookBack() {
    // given
    commit(List.of(CALL));
    // when
    store.commit(store.changes().callAgain(FIRST, 0, (Event.CallScheduled) CALL)).orThrow();
    // then
    assertThat(calls()).isEqualTo(1);
  }
}
