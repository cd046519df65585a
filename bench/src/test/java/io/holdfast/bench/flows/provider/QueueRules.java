package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.Delivery;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.FetchedTurn;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Group 6: how turns and work lie in their queues. */
abstract class QueueRules extends ProviderFixture {
  QueueRules(ProviderContract implementation) {
    super(implementation);
  }

  @Test
  @DisplayName("worker_queue_fifo_ordering")
  void shouldGiveTheWorkOfAFlowInItsOrder() {
    begin("a", call("one"), call("two"), call("three"), call("four"), call("five"));
    for (String next : List.of("one", "two", "three", "four", "five")) {
      assertThat(order(fetchOneWork()).activity()).isEqualTo(next);
    }
  }

  @Test
  @DisplayName("worker_peek_lock_semantics")
  void shouldHideFetchedWorkAndKeepItUntilItIsDone() {
    // given
    begin("a", call("one"));
    // when
    fetchOneWork();
    // then
    assertThat(fetchWork(1).isEmpty()).isTrue();
    advanceMs(LEASE_MS + 1);
    Delivery again = fetchOneWorkSoon();
    complete(again, "1").orThrow();
    advanceMs(LEASE_MS + 1);
    assertThat(fetchWork(1).isEmpty()).isTrue();
  }

  @Test
  @DisplayName("worker_ack_atomicity")
  void shouldRemoveWorkAndTellItsFlowInOne() {
    // given
    begin("a", call("one"));
    Delivery work = fetchOneWork();
    // when: the ack is refused, so nobody is told
    advanceMs(LEASE_MS + 1);
    Delivery again = fetchOneWorkSoon();
    assertRefused(complete(work, "no"), ErrorCode.STALE_LEASE);
    assertNothingToDo();
    complete(again, "yes").orThrow();
    // then
    assertThat(messages(fetchTurn())).singleElement().isInstanceOf(TurnMessage.Complete.class);
    assertThat(workWaiting()).isZero();
  }

  @Test
  @DisplayName("timer_delayed_visibility")
  void shouldNeverFireATimerEarly() {
    // given
    begin("a", timer(5_000));
    // when, then
    assertNothingToDo();
    advanceMs(4_999);
    assertNothingToDo();
    advanceMs(1);
    assertThat(messages(fetchTurnSoon())).containsExactly(new TurnMessage.Fire(first("a"), 1));
  }

  @Test
  @DisplayName("ours: a wall clock that jumps back neither fires a timer early nor holds it up")
  void shouldFireATimerInTimeIfTheWallClockJumpsBack() {
    // given
    begin("a", timer(60_000));
    // when
    clock.jumpWall(Duration.ofDays(-2));
    advanceMs(59_999);
    // then: the clock of the broker may run slower, by one part in 200
    assertNothingToDo();
    advanceMs(400);
    assertThat(messages(fetchTurnSoon())).containsExactly(new TurnMessage.Fire(first("a"), 1));
  }

  @Test
  @DisplayName("ours: a wall clock that jumps ahead does not fire timers at once")
  void shouldNotFireATimerAtOnceIfTheWallClockJumpsAhead() {
    // given
    begin("a", timer(60_000));
    // when
    clock.jumpWall(Duration.ofDays(2));
    assertNothingToDo();
    advanceMs(29_999);
    // then: the clock of the broker may run at twice its pace, but does not leap
    assertNothingToDo();
    advanceMs(30_001);
    assertThat(messages(fetchTurnSoon())).containsExactly(new TurnMessage.Fire(first("a"), 1));
  }

  @Test
  @DisplayName("ours: the time of a flow never goes back")
  void shouldNeverTurnBackTheTimeOfAFlow() {
    // given
    Orchestration<String, Long> waits =
        Orchestration.named(
            "waits",
            String.class,
            Long.class,
            (flow, text) -> {
              long before = flow.now().toEpochMilli();
              flow.event("go", String.class).await();
              return flow.now().toEpochMilli() - before;
            });
    Flows flows = serve(waits);
    flows.start(waits, "a", "x");
    eventually(() -> assertThat(store.events("a", 1)).hasSize(2));
    // when
    clock.jumpWall(Duration.ofDays(-2));
    flows.raise("a", "go", "");
    // then
    assertThat(flows.await("a", waits, SOON)).isNotNegative();
  }

  @Test
  @DisplayName("lost_lock_token_handling")
  void shouldGiveAFlowAgainWhoseWorkerForgotIt() {
    // given
    sendStart("a");
    fetchTurn();
    // when: the worker is gone, and so is its lease
    advanceMs(LEASE_MS + 1);
    // then
    FetchedTurn again = fetchTurnSoon();
    store.commit(firstTurn(again)).orThrow();
    assertThat(history("a")).hasSize(1);
  }

  @Test
  @DisplayName("worker_item_immediate_visibility")
  void shouldShowWorkAtOnce() {
    begin("a", call("one"));
    assertThat(order(fetchOneWork()).activity()).isEqualTo("one");
  }

  @Test
  @DisplayName("worker_delayed_visibility_skips_future_items")
  void shouldPassOverWorkThatIsToCome() {
    // given
    begin("a", call("one"), call("two"));
    Delivery first = fetchOneWork();
    // when
    abandon(List.of(first), 10_000);
    // then
    assertThat(order(fetchOneWork()).activity()).isEqualTo("two");
    assertThat(fetchWork(1).isEmpty()).isTrue();
    advanceMs(10_000);
    assertThat(order(fetchOneWorkSoon()).activity()).isEqualTo("one");
  }

  @Test
  @DisplayName("orphan_queue_messages_dropped")
  void shouldDropWhatIsForNoFlowButKeepEvents() {
    // given
    Orchestration<String, String> waits =
        Orchestration.named(
            "waits", String.class, String.class, (f, s) -> f.event("go", String.class).await());
    send("a", new TurnMessage.Complete(first("a"), 1, INPUT));
    send("a", new TurnMessage.Cancel("nobody"));
    // when
    Flows flows = serve(waits);
    flows.raise("a", "go", "early");
    // then: an event before the start waits for it, all else goes
    eventually(() -> assertThat(store.load("a").inbox()).hasSize(1));
    assertThat(admin.find("a")).isEmpty();
    assertThat(broker.queue("flows").orThrow().counts().waiting()).isZero();
    flows.start(waits, "a", "x");
    assertThat(flows.await("a", waits, SOON)).isEqualTo("early");
  }
}
