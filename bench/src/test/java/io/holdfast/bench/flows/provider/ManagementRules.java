package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.workflow.FlowInfo;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.admin.ExecutionInfo;
import io.holdfast.workflow.admin.FlowLine;
import io.holdfast.workflow.admin.FlowQuery;
import io.holdfast.workflow.admin.Overview;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Group 8: what one can learn of flows without their code. */
abstract class ManagementRules extends ProviderFixture {
  private static final Orchestration<Integer, Integer> COUNT =
      Orchestration.named(
          "count",
          Integer.class,
          Integer.class,
          (flow, n) -> n == 3 ? n : flow.<Integer, Integer>continueAsNew(n + 1));

  ManagementRules(ProviderContract implementation) {
    super(implementation);
  }

  @Test
  @DisplayName("list_instances")
  void shouldListAllFlows() {
    begin("a");
    begin("b");
    admin.start("other", "1.0", "c", INPUT);
    assertThat(admin.list(FlowQuery.all()).items())
        .extracting(FlowLine::id)
        .containsExactlyInAnyOrder("a", "b", "c");
    assertThat(admin.list(FlowQuery.all().name("order")).items())
        .extracting(FlowLine::id)
        .containsExactly("a", "b");
  }

  @Test
  @DisplayName("list_instances_by_status")
  void shouldListFlowsByStatus() {
    begin("a");
    begin("b");
    end("b", 1, FlowStatus.COMPLETED);
    begin("c");
    end("c", 1, FlowStatus.FAILED);
    for (var expected :
        List.of(
            new FlowLine("a", "order", FlowStatus.RUNNING, "1.0", 0, 0, false),
            new FlowLine("b", "order", FlowStatus.COMPLETED, "1.0", 0, 0, false),
            new FlowLine("c", "order", FlowStatus.FAILED, "1.0", 0, 0, false))) {
      assertThat(admin.list(FlowQuery.all().status(expected.status())).items())
          .singleElement()
          .extracting(FlowLine::id, FlowLine::status, FlowLine::version)
          .containsExactly(expected.id(), expected.status(), expected.version());
    }
    assertThat(admin.list(FlowQuery.all().status(FlowStatus.BLOCKED)).items()).isEmpty();
  }

  private void counted() {
    Flows flows = serve(COUNT);
    flows.start(COUNT, "a", 1);
    flows.awaitEnd("a", SOON);
  }

  @Test
  @DisplayName("list_executions")
  void shouldListTheExecutionsOfAFlow() {
    counted();
    assertThat(admin.executions("a")).extracting(ExecutionInfo::number).containsExactly(1L, 2L, 3L);
  }

  @Test
  @DisplayName("get_instance_info")
  void shouldTellOfOneFlow() {
    counted();
    FlowInfo flow = admin.get("a");
    assertThat(flow.name()).isEqualTo("count");
    assertThat(flow.version()).isEqualTo("1.0");
    assertThat(flow.execution()).isEqualTo(3);
    assertThat(flow.status()).isEqualTo(FlowStatus.COMPLETED);
    assertThat(flow.output()).asString().isEqualTo("3");
    assertThat(admin.find("nobody")).isEmpty();
  }

  @Test
  @DisplayName("get_execution_info")
  void shouldTellOfOneExecution() {
    counted();
    ExecutionInfo first = admin.executions("a").getFirst();
    ExecutionInfo last = admin.executions("a").getLast();
    assertThat(first.end()).isEqualTo("continued as new");
    assertThat(first.events()).isEqualTo(2);
    assertThat(last.status()).isEqualTo(FlowStatus.COMPLETED);
    assertThat(admin.history("a", 2, 0, 10).events()).hasSize(2);
  }

  @Test
  @DisplayName("get_system_metrics")
  void shouldCountFlowsByStatus() {
    begin("a");
    begin("b");
    end("b", 1, FlowStatus.COMPLETED);
    Overview all = admin.overview(1_000);
    assertThat(all.flows().of(FlowStatus.RUNNING)).isEqualTo(1);
    assertThat(all.flows().of(FlowStatus.COMPLETED)).isEqualTo(1);
    assertThat(all.flows().total()).isEqualTo(2);
    assertThat(all.flows().exact()).isTrue();
  }

  @Test
  @DisplayName("get_queue_depths")
  void shouldTellWhatWaitsInTheQueues() {
    begin("a", call("one"), call("two"), timer(60_000));
    sendStart("b");
    Overview all = admin.overview(1_000);
    for (Overview.Depth depth : all.queues()) {
      if (depth.tag() == null) {
        assertThat(depth.counts().waiting()).isEqualTo(1);
        assertThat(depth.counts().delayed()).isEqualTo(1);
      } else {
        assertThat(depth.counts().waiting()).isEqualTo(2);
      }
    }
    assertThat(all.queues()).hasSize(2);
  }
}
