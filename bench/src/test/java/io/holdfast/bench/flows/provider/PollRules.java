package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.store.Fetched;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Group 9: a fetch waits for as long as it was asked to, and no longer. */
abstract class PollRules extends ProviderFixture {
  private static final long WAIT_MS = 5_000;

  PollRules(ProviderContract implementation) {
    super(implementation);
  }

  private Fetched<?> turns(long waitMs) {
    return store.fetchTurns(1, waitMs, LEASE_MS, "worker");
  }

  private Fetched<?> work(long waitMs) {
    return store.fetchWork(Activity.NO_TAG, 1, waitMs, LEASE_MS, "worker");
  }

  @Test
  @DisplayName("short_poll_returns_immediately")
  void shouldNotWaitForATurnUnlessAsked() {
    // The clock stands still: a fetch that waits would not come back.
    assertThat(turns(0).isEmpty()).isTrue();
  }

  @Test
  @DisplayName("short_poll_work_item_returns_immediately")
  void shouldNotWaitForWorkUnlessAsked() {
    assertThat(work(0).isEmpty()).isTrue();
  }

  private CompletableFuture<Fetched<?>> parked(Supplier<Fetched<?>> fetch) {
    CompletableFuture<Fetched<?>> answer = waiting(fetch);
    eventually(() -> assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(1));
    return answer;
  }

  private void assertWaitsForItsTime(Supplier<Fetched<?>> fetch) {
    CompletableFuture<Fetched<?>> answer = parked(fetch);
    advanceMs(WAIT_MS - 1);
    assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(1);
    assertThat(answer).isNotDone();
    advanceMs(1);
    assertThat(answer).succeedsWithin(SOON).matches(Fetched::isEmpty);
  }

  @Test
  @DisplayName("long_poll_waits_for_timeout")
  void shouldWaitForATurnForItsTime() {
    assertWaitsForItsTime(() -> turns(WAIT_MS));
  }

  @Test
  @DisplayName("long_poll_work_item_waits_for_timeout")
  void shouldWaitForWorkForItsTime() {
    assertWaitsForItsTime(() -> work(WAIT_MS));
  }

  @Test
  @DisplayName("fetch_respects_timeout_upper_bound")
  void shouldAnswerSoonAfterItsTimeHoweverLateItIs() {
    CompletableFuture<Fetched<?>> answer = parked(() -> turns(WAIT_MS));
    clock.advance(Duration.ofHours(1));
    assertThat(answer).succeedsWithin(SOON).matches(Fetched::isEmpty);
  }

  @Test
  @DisplayName("ours: a fetch that waits is woken by a turn")
  void shouldWakeWhoWaitsForATurn() {
    // given
    CompletableFuture<Fetched<?>> answer = parked(() -> turns(WAIT_MS));
    // when: no time passes
    sendStart("a");
    // then
    assertThat(answer).succeedsWithin(SOON).matches(fetched -> fetched.items().size() == 1);
  }

  @Test
  @DisplayName("ours: a fetch that waits is woken by work")
  void shouldWakeWhoWaitsForWork() {
    // given
    CompletableFuture<Fetched<?>> answer = parked(() -> work(WAIT_MS));
    // when
    begin("a", call("one"));
    // then
    assertThat(answer).succeedsWithin(SOON).matches(fetched -> fetched.items().size() == 1);
  }
}
