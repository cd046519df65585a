package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.Parent;
import io.holdfast.workflow.store.FlowRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Group 7: when a flow comes into being, and with what. */
abstract class CreationRules extends ProviderFixture {
  private static final Orchestration<String, String> CHILD =
      Orchestration.named("child", String.class, String.class, (flow, text) -> text + "!");
  private static final Orchestration<String, String> PARENT =
      Orchestration.named(
          "parent", String.class, String.class, (flow, text) -> flow.sub(CHILD, text).await());

  CreationRules(ProviderContract implementation) {
    super(implementation);
  }

  @Test
  @DisplayName("instance_creation_via_metadata")
  void shouldMakeTheRecordWithTheFirstTurn() {
    // given
    sendStart("a");
    // when
    store.commit(firstTurn(fetchTurn())).orThrow();
    // then
    FlowRecord flow = record("a");
    assertThat(flow.name()).isEqualTo("order");
    assertThat(flow.version()).isEqualTo("1.0");
    assertThat(flow.status()).isEqualTo(FlowStatus.RUNNING);
    assertThat(flow.execution()).isEqualTo(1);
    assertThat(flow.parent()).isNull();
  }

  @Test
  @DisplayName("no_instance_creation_on_enqueue")
  void shouldMakeNoRecordForAStartThatIsOnlyOnItsWay() {
    // given
    Flows flows = Flows.on(broker, config());
    // when: as part of a commit of somebody else
    broker.commit(new CommitRequest(List.of(flows.starting(CHILD, "a", "x")), null)).orThrow();
    // then
    assertThat(admin.find("a")).isEmpty();
    serve(CHILD);
    eventually(() -> assertThat(admin.find("a")).isPresent());
    assertThat(flows.await("a", CHILD, SOON)).isEqualTo("x!");
  }

  @Test
  @DisplayName("null_version_handling")
  void shouldTakeTheNewestVersionIfNoneIsTold() {
    // given
    Orchestration<String, String> newer = CHILD.version("2.0", (flow, text) -> text + "?");
    admin.start("child", null, "a", "\"x\"".getBytes(StandardCharsets.UTF_8));
    assertThat(admin.get("a").version()).isNull();
    assertThat(admin.get("a").status()).isEqualTo(FlowStatus.PENDING);
    // when
    Flows flows = serve(CHILD, newer);
    // then
    assertThat(flows.await("a", CHILD, SOON)).isEqualTo("x?");
    assertThat(admin.get("a").version()).isEqualTo("2.0");
    assertThat(((Event.Started) history("a").getFirst()).version()).isEqualTo("2.0");
  }

  @Test
  @DisplayName("sub_orchestration_instance_creation")
  void shouldMakeTheRecordOfASubFlowWithItsParent() {
    // given
    Flows flows = serve(CHILD, PARENT);
    // when
    flows.start(PARENT, "p", "x");
    // then
    assertThat(flows.await("p", PARENT, SOON)).isEqualTo("x!");
    Event.SubStarted sub = (Event.SubStarted) history("p").get(1);
    FlowRecord child = record(sub.flow());
    assertThat(child.parent()).isEqualTo(new Parent(first("p"), 1));
    assertThat(child.name()).isEqualTo("child");
    assertThat(child.status()).isEqualTo(FlowStatus.COMPLETED);
  }
}
