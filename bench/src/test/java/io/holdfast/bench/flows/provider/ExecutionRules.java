package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.admin.ExecutionInfo;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.History;
import io.holdfast.workflow.message.TurnMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Group 5: a flow has one execution after another, each with its own history. */
abstract class ExecutionRules extends ProviderFixture {
  private static final Orchestration<Integer, Integer> COUNT =
      Orchestration.named(
          "count",
          Integer.class,
          Integer.class,
          (flow, n) -> {
            flow.status("round " + n);
            if (n == 3) {
              flow.event("end", String.class).await();
              return n;
            }
            return flow.continueAsNew(n + 1);
          });

  ExecutionRules(ProviderContract implementation) {
    super(implementation);
  }

  private Flows counted() {
    Flows flows = serve(COUNT);
    flows.start(COUNT, "a", 1);
    eventually(() -> assertThat(store.events("a", 3)).hasSize(3));
    return flows;
  }

  @Test
  @DisplayName("execution_isolation")
  void shouldKeepExecutionsApart() {
    counted();
    assertThat(store.events("a", 1)).hasSize(3);
    assertThat(store.events("a", 2)).hasSize(3);
    assertThat(store.events("a", 1).get(1))
        .isEqualTo(new Event.StatusSet(clock.wallMs(), "round 1"));
    assertThat(store.events("a", 2).get(1))
        .isEqualTo(new Event.StatusSet(clock.wallMs(), "round 2"));
  }

  @Test
  @DisplayName("latest_execution_detection")
  void shouldLoadTheLatestExecution() {
    counted();
    assertThat(admin.get("a").execution()).isEqualTo(3);
    assertThat(store.load("a").length()).isEqualTo(3);
    History history = Objects.requireNonNull(store.load("a").history());
    assertThat(history.last()).isInstanceOf(Event.EventAwaited.class);
  }

  @Test
  @DisplayName("execution_id_sequencing")
  void shouldCountExecutionsFromOne() {
    Flows flows = counted();
    flows.raise("a", "end", "");
    assertThat(flows.await("a", COUNT, SOON)).isEqualTo(3);
    assertThat(admin.get("a").execution()).isEqualTo(3);
    assertThat(store.events("a", 4)).isEmpty();
  }

  @Test
  @DisplayName("continue_as_new_creates_new_execution")
  void shouldBeginANewExecutionWithItsInput() {
    counted();
    assertThat(store.events("a", 1).getLast()).isInstanceOf(Event.ContinuedAsNew.class);
    Event.Started started = (Event.Started) store.events("a", 2).getFirst();
    assertThat(new String(started.input(), StandardCharsets.UTF_8)).isEqualTo("2");
    assertThat(started.version()).isEqualTo("1.0");
  }

  @Test
  @DisplayName("execution_history_persistence")
  void shouldKeepTheHistoriesOfEarlierExecutionsUpToALimit() {
    // given
    Flows flows = serve(config().retention(Duration.ZERO, 2), COUNT);
    // when
    flows.start(COUNT, "a", 1);
    eventually(() -> assertThat(store.events("a", 3)).hasSize(3));
    // then
    assertThat(admin.executions("a")).extracting(ExecutionInfo::number).containsExactly(2L, 3L);
    assertThat(store.events("a", 2)).hasSize(3);
    assertThat(record("a").oldest()).isEqualTo(2);
  }

  @Test
  @DisplayName("ours: completions of old and of future executions change nothing")
  void shouldDropWhatIsForAnotherExecution() {
    // given
    Flows flows = counted();
    // when
    for (long execution : List.of(1L, 2L, 4L, 99L)) {
      send("a", new TurnMessage.Complete(first("a").withNumber(execution), 2, INPUT));
      send("a", new TurnMessage.Fire(first("a").withNumber(execution), 2));
    }
    flows.raise("a", "end", "");
    // then
    assertThat(flows.await("a", COUNT, SOON)).isEqualTo(3);
    assertThat(store.events("a", 3)).hasSize(5);
    assertNothingToDo();
  }
}
