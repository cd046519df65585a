package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.admin.FlowLine;
import io.holdfast.workflow.admin.FlowQuery;
import io.holdfast.workflow.admin.PurgeFilter;
import io.holdfast.workflow.admin.Purged;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Group 13: many flows that have ended are deleted at once. */
abstract class BulkRules extends ProviderFixture {
  BulkRules(ProviderContract implementation) {
    super(implementation);
  }

  private void ended(String id, FlowStatus how) {
    begin(id);
    end(id, 1, how);
  }

  private List<String> left() {
    return admin.list(FlowQuery.all()).items().stream().map(FlowLine::id).sorted().toList();
  }

  @Test
  @DisplayName("filter_combinations")
  void shouldDeleteWhatAFilterIsAbout() {
    // given
    ended("done", FlowStatus.COMPLETED);
    ended("failed", FlowStatus.FAILED);
    ended("gone", FlowStatus.CANCELLED);
    // when, then
    assertThat(admin.purge(PurgeFilter.ended().name("other"), false).deleted()).isZero();
    assertThat(admin.purge(PurgeFilter.ended().status(FlowStatus.FAILED), true).matched())
        .isEqualTo(1);
    assertThat(left()).containsExactly("done", "failed", "gone");
    admin.purge(PurgeFilter.ended().status(FlowStatus.FAILED), false);
    assertThat(left()).containsExactly("done", "gone");
    admin.purge(PurgeFilter.ended().name("order"), false);
    assertThat(left()).isEmpty();
  }

  @Test
  @DisplayName("safety_and_limits")
  void shouldNeverDeleteWhatRunsNorMoreThanAsked() {
    // given
    for (int i = 0; i < 5; i++) {
      ended("f" + i, FlowStatus.COMPLETED);
    }
    begin("runs");
    // when
    Purged some = admin.purge(PurgeFilter.ended().limit(2), false);
    // then
    assertThat(some.deleted()).isEqualTo(2);
    assertThat(some.more()).isTrue();
    admin.purge(PurgeFilter.ended(), false);
    assertThat(left()).containsExactly("runs");
    assertThatThrownBy(() -> PurgeFilter.ended().status(FlowStatus.RUNNING))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("completed_before_filter")
  void shouldDeleteWhatEndedBeforeATime() {
    // given
    ended("old", FlowStatus.COMPLETED);
    advanceMs(60_000);
    long beforeMs = clock.wallMs();
    advanceMs(60_000);
    ended("new", FlowStatus.COMPLETED);
    // when
    admin.purge(PurgeFilter.ended().endedBefore(beforeMs), false);
    // then
    assertThat(left()).containsExactly("new");
  }

  @Test
  @DisplayName("cascades_to_children")
  void shouldDeleteTheChildrenAsWell() {
    // given
    Orchestration<String, String> child =
        Orchestration.named("child", String.class, String.class, (flow, text) -> text);
    Orchestration<String, String> parent =
        Orchestration.named(
            "parent", String.class, String.class, (flow, text) -> flow.sub(child, text).await());
    Flows flows = serve(child, parent);
    flows.start(parent, "p", "x");
    flows.await("p", parent, SOON);
    assertThat(left()).hasSize(2);
    // when
    Purged purged = admin.purge(PurgeFilter.ended().name("parent"), false);
    // then
    assertThat(purged.matched()).isEqualTo(1);
    assertThat(purged.deleted()).isEqualTo(2);
    assertThat(left()).isEmpty();
  }
}
