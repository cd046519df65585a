package io.holdfast.workflow.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.testkit.ManualClock;
import io.holdfast.workflow.FlowStatus;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RetentionTest extends AdminFixture {
  private final ManualClock clock = new ManualClock(Instant.now());

  @Test
  void shouldDeleteFlowsThatEndedLongAgo() {
    // given
    run(ECHO, "e", "x");
    flows.start(PARENT, "p", 3);
    flows.awaitEnd("p", SOON);
    flows.start(WAITS, "w", "x");
    awaitWaiting("w");
    Retention retention = new Retention(store, clock, Duration.ofDays(1).toMillis());
    // when: not yet
    retention.sweep();
    assertThat(admin.find("e")).isPresent();
    // when
    clock.advance(Duration.ofHours(25));
    assertThat(retention.sweep()).isFalse();
    // then
    assertThat(admin.list(FlowQuery.all()).items()).extracting(FlowLine::id).containsExactly("w");
  }

  @Test
  void shouldKeepForEverIfItIsToldSo() {
    // given
    run(ECHO, "e", "x");
    clock.advance(Duration.ofDays(4_000));
    // when
    new Retention(store, clock, 0).sweep();
    // then
    assertThat(admin.find("e")).isPresent();
  }

  @Test
  void shouldSweepInBoundedPieces() {
    // given
    flows.start(PARENT, "p", 700);
    flows.awaitEnd("p", SOON);
    clock.advance(Duration.ofDays(2));
    Retention retention = new Retention(store, clock, Duration.ofDays(1).toMillis());
    // then
    assertThat(retention.sweep()).isTrue();
    assertThat(admin.list(FlowQuery.all().limit(1_000)).items()).hasSize(201);
    assertThat(retention.sweep()).isFalse();
    assertThat(admin.list(FlowQuery.all()).items()).isEmpty();
  }

  @Test
  void shouldKeepAFailedChildThatItsParentMayRetry() {
    // given: a parent that waits, and a child of it that was terminated
    flows.start(GUARDIAN, "g", "child");
    awaitWaiting("child");
    admin.terminate("child", "enough");
    flows.awaitEnd("g", SOON);
    Retention retention = new Retention(store, clock, Duration.ofDays(1).toMillis());
    // when: both are old, the child is found first
    clock.advance(Duration.ofDays(2));
    retention.sweep();
    // then: they go together
    assertThat(admin.find("child")).isEmpty();
    assertThat(admin.find("g")).isEmpty();
  }

  @Test
  void shouldForgetEventsWhoseFlowNeverCame() {
    // given
    flows.raise("never", "go", "x");
    await().atMost(SOON).until(() -> length(store.keys().inbox("never")) == 1);
    Retention retention = new Retention(store, clock, 0);
    // when: not yet
    clock.advance(Duration.ofDays(6));
    retention.sweep();
    assertThat(length(store.keys().inbox("never"))).isEqualTo(1);
    // when
    clock.advance(Duration.ofDays(2));
    retention.sweep();
    // then
    assertThat(length(store.keys().inbox("never"))).isZero();
    flows.start(WAITS, "never", "x");
    awaitWaiting("never");
    assertThat(admin.get("never").status()).isEqualTo(FlowStatus.RUNNING);
  }
}
