package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.admin.ExecutionInfo;
import io.holdfast.workflow.admin.FlowQuery;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Group 14: histories of executions that are over are deleted. */
abstract class PruneRules extends ProviderFixture {
  private static final Orchestration<Integer, String> ROUNDS =
      Orchestration.named(
          "rounds",
          Integer.class,
          String.class,
          (flow, n) -> {
            String told = flow.event("go", String.class).await();
            return told.equals("end") ? told : flow.continueAsNew(n + 1);
          });

  PruneRules(ProviderContract implementation) {
    super(implementation);
  }

  /** A flow in its fourth execution, each a second after the other. */
  private Flows rounds(Flows flows, String id) {
    flows.start(ROUNDS, id, 1);
    for (long execution = 2; execution <= 4; execution++) {
      long number = execution;
      advanceMs(1_000);
      flows.raise(id, "go", "on");
      eventually(() -> assertThat(store.events(id, number)).hasSize(2));
    }
    return flows;
  }

  private Flows served() {
    return serve(ROUNDS);
  }

  private void assertKept(String id, Long... numbers) {
    assertThat(admin.executions(id)).extracting(ExecutionInfo::number).containsExactly(numbers);
  }

  @Test
  @DisplayName("prune_options_combinations")
  void shouldKeepTheLastOrTheNewestExecutions() {
    // given
    rounds(served(), "a");
    // when, then
    assertThat(admin.prune("a", 3, 0)).isEqualTo(1);
    assertKept("a", 2L, 3L, 4L);
    long endOfThird = admin.executions("a").get(1).endedMs();
    assertThat(admin.prune("a", 1, endOfThird)).isEqualTo(1);
    assertKept("a", 3L, 4L);
    assertThat(admin.prune("a", 1, 0)).isEqualTo(1);
    assertKept("a", 4L);
  }

  @Test
  @DisplayName("prune_safety")
  void shouldNeverTouchTheCurrentExecution() {
    // given
    Flows flows = rounds(served(), "a");
    // when
    admin.prune("a", 1, Long.MAX_VALUE);
    assertThatThrownBy(() -> admin.prune("a", 0, 0)).isInstanceOf(IllegalArgumentException.class);
    // then
    assertKept("a", 4L);
    flows.raise("a", "go", "end");
    assertThat(flows.await("a", ROUNDS, SOON)).isEqualTo("end");
    assertThat(admin.prune("a", 1, 0)).isZero();
    assertKept("a", 4L);
  }

  @Test
  @DisplayName("prune_bulk")
  void shouldPruneManyFlows() {
    Flows flows = served();
    rounds(flows, "a");
    rounds(flows, "b");
    assertThat(admin.prune(FlowQuery.all().name("rounds"), 2, 0)).isEqualTo(4);
    assertKept("a", 3L, 4L);
    assertKept("b", 3L, 4L);
  }

  @Test
  @DisplayName("prune_bulk_includes_running_instances")
  void shouldPruneFlowsThatRunAsWell() {
    Flows flows = rounds(served(), "a");
    assertThat(admin.prune(FlowQuery.all().status(FlowStatus.RUNNING), 1, 0)).isEqualTo(3);
    assertKept("a", 4L);
    flows.raise("a", "go", "end");
    assertThat(flows.await("a", ROUNDS, SOON)).isEqualTo("end");
  }
}
