package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.lease.Delivery;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.admin.DeleteOptions;
import io.holdfast.workflow.admin.FlowQuery;
import io.holdfast.workflow.admin.FlowTree;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.FetchedTurn;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Group 12: flows are deleted as a whole, and do not come back. */
abstract class DeletionRules extends ProviderFixture {
  private static final Orchestration<String, String> LEAF =
      Orchestration.named("leaf", String.class, String.class, (flow, text) -> text);
  private static final Orchestration<String, String> CHILD =
      Orchestration.named(
          "child", String.class, String.class, (flow, text) -> flow.sub(LEAF, "l", text).await());
  private static final Orchestration<String, String> ROOT =
      Orchestration.named(
          "root", String.class, String.class, (flow, text) -> flow.sub(CHILD, "c", text).await());

  DeletionRules(ProviderContract implementation) {
    super(implementation);
  }

  /** A root r, its child c and its child l, all completed. */
  private void family() {
    Flows flows = serve(ROOT, CHILD, LEAF);
    flows.start(ROOT, "r", "x");
    assertThat(flows.await("r", ROOT, SOON)).isEqualTo("x");
  }

  private void assertGone(String id) {
    assertThat(admin.find(id)).isEmpty();
    assertThat(broker.left("/" + id + "/")).isEmpty();
    assertThat(admin.list(FlowQuery.all()).items()).noneMatch(line -> line.id().equals(id));
  }

  @Test
  @DisplayName("delete_terminal_instances")
  void shouldDeleteFlowsThatHaveEnded() {
    for (FlowStatus how : List.of(FlowStatus.COMPLETED, FlowStatus.FAILED, FlowStatus.CANCELLED)) {
      begin("a");
      end("a", 1, how);
      assertThat(admin.delete("a", DeleteOptions.CAREFUL)).isEqualTo(1);
      assertGone("a");
    }
  }

  @Test
  @DisplayName("delete_running_rejected_force_succeeds")
  void shouldDeleteAFlowThatRunsOnlyByForce() {
    begin("a", call("one"));
    assertThatThrownBy(() -> admin.delete("a", DeleteOptions.CAREFUL))
        .isInstanceOfSatisfying(
            FlowException.class,
            e -> assertThat(e.reason()).isEqualTo(FlowException.Reason.WRONG_STATUS));
    assertThat(history("a")).hasSize(2);
    admin.delete("a", DeleteOptions.FORCED);
    assertGone("a");
  }

  @Test
  @DisplayName("delete_nonexistent_instance")
  void shouldTellThatThereIsNothingToDelete() {
    assertThatThrownBy(() -> admin.delete("nobody", DeleteOptions.FORCED))
        .isInstanceOfSatisfying(
            FlowException.class,
            e -> assertThat(e.reason()).isEqualTo(FlowException.Reason.NOT_FOUND));
  }

  @Test
  @DisplayName("delete_cleans_queues_and_locks")
  void shouldTakeWorkTimersAndMessagesAlong() {
    // given
    begin("a", call("one"), timer(1_000));
    send("a", new TurnMessage.Raise("e1", "go", INPUT));
    fetchTurn();
    // when
    admin.delete("a", DeleteOptions.FORCED);
    // then
    assertThat(fetchWork(10).isEmpty()).isTrue();
    advanceMs(LEASE_MS + 1_000);
    assertNothingToDo();
    assertThat(turnsLeft()).isZero();
    begin("a");
    assertThat(history("a")).hasSize(1);
  }

  @Test
  @DisplayName("cascade_delete_hierarchy")
  void shouldDeleteAFlowWithThoseThatHangOnIt() {
    family();
    assertThat(admin.delete("r", DeleteOptions.WITH_CHILDREN)).isEqualTo(3);
    List.of("r", "c", "l").forEach(this::assertGone);
  }

  @Test
  @DisplayName("force_delete_prevents_ack_recreation")
  void shouldNotBringAFlowBackByATurnInFlight() {
    // given
    begin("a");
    send("a", new TurnMessage.Raise("e1", "go", INPUT));
    FetchedTurn turn = fetchTurn();
    // when
    admin.delete("a", DeleteOptions.FORCED);
    // then
    assertThat(store.commit(nextTurn(turn, 1, call("one"))).isOk()).isFalse();
    assertGone("a");
    assertThat(workWaiting()).isZero();
  }

  @Test
  @DisplayName("list_children")
  void shouldListTheChildrenOfAFlow() {
    family();
    assertThat(admin.children("r", null, 10).items()).containsExactly("c");
    assertThat(admin.children("l", null, 10).items()).isEmpty();
  }

  @Test
  @DisplayName("delete_get_parent_id")
  void shouldTellTheParentOfAFlow() {
    family();
    assertThat(admin.get("c").parent()).extracting(parent -> parent.flow()).isEqualTo("r");
    assertThat(admin.get("r").parent()).isNull();
  }

  @Test
  @DisplayName("delete_get_instance_tree")
  void shouldShowAFlowWithItsTree() {
    family();
    FlowTree tree = admin.tree("r");
    assertThat(tree.size()).isEqualTo(3);
    assertThat(tree.children().getFirst().children().getFirst().flow().id()).isEqualTo("l");
  }

  @Test
  @DisplayName("delete_instances_atomic")
  void shouldDeleteAllOrNone() {
    // given
    begin("a");
    end("a", 1, FlowStatus.COMPLETED);
    begin("b");
    // when, then
    assertThatThrownBy(() -> admin.delete(List.of("a", "b"), DeleteOptions.CAREFUL))
        .isInstanceOf(FlowException.class);
    assertThat(admin.find("a")).isPresent();
    end("b", 1, FlowStatus.COMPLETED);
    assertThat(admin.delete(List.of("a", "b"), DeleteOptions.CAREFUL)).isEqualTo(2);
    assertGone("a");
    assertGone("b");
  }

  @Test
  @DisplayName("delete_instances_atomic_force")
  void shouldDeleteAllByForce() {
    begin("a");
    begin("b", call("one"));
    assertThat(admin.delete(List.of("a", "b"), DeleteOptions.FORCED)).isEqualTo(2);
    assertGone("a");
    assertGone("b");
    assertThat(fetchWork(10).isEmpty()).isTrue();
  }

  @Test
  @DisplayName("delete_instances_atomic_orphan_detection")
  void shouldRefuseToLeaveAChildBehind() {
    family();
    assertThatThrownBy(() -> admin.delete(List.of("r", "c"), DeleteOptions.CAREFUL))
        .isInstanceOf(FlowException.class);
    assertThat(admin.find("r")).isPresent();
    assertThat(admin.delete(List.of("r", "c", "l"), DeleteOptions.CAREFUL)).isEqualTo(3);
    List.of("r", "c", "l").forEach(this::assertGone);
  }

  @Test
  @DisplayName("stale_activity_after_delete_recreate")
  void shouldNotAnswerANewFlowWithTheWorkOfADeletedOne() {
    // given
    begin("a", call("old"));
    Delivery old = fetchOneWork();
    admin.delete("a", DeleteOptions.FORCED);
    begin("a", call("new"));
    // when, then
    assertThat(complete(old, "old").isOk()).isFalse();
    assertNothingToDo();
    complete(fetchOneWork(), "new").orThrow();
    assertThat(messages(fetchTurn())).hasSize(1);
  }
}
