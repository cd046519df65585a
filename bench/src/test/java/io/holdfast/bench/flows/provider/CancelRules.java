package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Extended;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.TaskKind;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.Fetched;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Group 11: work that nobody wants any more.
 *
 * <p>A fetch does not tell the status of the flow, as the model's does: work that is not wanted is
 * taken back in the commit that ends the wish for it, so that what can be fetched is wanted. Work
 * that the code never awaited is wanted as well.
 */
abstract class CancelRules extends ProviderFixture {
  private static final Activity<Integer, Integer> TWICE =
      Activity.named("twice", Integer.class, Integer.class, n -> 2 * n);

  CancelRules(ProviderContract implementation) {
    super(implementation);
  }

  private Orchestration<String, String> calling(Orchestration.Code<String, String> then) {
    return Orchestration.named(
        "calling",
        String.class,
        String.class,
        (flow, text) -> {
          flow.call(TWICE, 1);
          return then.run(flow, text);
        });
  }

  private Flows startedWith(Orchestration.Code<String, String> then) {
    Orchestration<String, String> flow = calling(then);
    Flows flows = serve(flow);
    flows.start(flow, "a", "x");
    return flows;
  }

  @Test
  @DisplayName("fetch_returns_running")
  void shouldGiveWorkOfAFlowThatRuns() {
    startedWith((flow, text) -> flow.event("go", String.class).await());
    assertThat(order(fetchOneWorkSoon()).flow()).isEqualTo("a");
    assertThat(admin.get("a").status()).isEqualTo(FlowStatus.RUNNING);
  }

  @Test
  @DisplayName("fetch_returns_terminal_completed")
  void shouldGiveWorkThatACompletedFlowNeverAwaited() {
    Flows flows = startedWith((flow, text) -> text);
    assertThat(flows.awaitEnd("a", SOON).status()).isEqualTo(FlowStatus.COMPLETED);
    Delivery work = fetchOneWorkSoon();
    complete(work, "2").orThrow();
    // then: what it answers is acked, and changes nothing
    eventually(() -> assertThat(turnsLeft()).isZero());
    assertThat(history("a").getLast()).isInstanceOf(Event.FlowCompleted.class);
  }

  @Test
  @DisplayName("fetch_returns_terminal_failed")
  void shouldGiveWorkThatAFailedFlowNeverAwaited() {
    Flows flows =
        startedWith(
            (flow, text) -> {
              throw new IllegalStateException(text);
            });
    assertThat(flows.awaitEnd("a", SOON).status()).isEqualTo(FlowStatus.FAILED);
    assertThat(order(fetchOneWorkSoon()).activity()).isEqualTo("twice");
  }

  @Test
  @DisplayName("fetch_returns_terminal_continued_as_new")
  void shouldGiveWorkOfAnEarlierExecutionAndDropItsAnswer() {
    // given
    Flows flows =
        startedWith(
            (flow, text) ->
                text.equals("x")
                    ? flow.continueAsNew("y")
                    : flow.event("go", String.class).await());
    eventually(() -> assertThat(store.events("a", 2)).hasSize(3));
    // when
    Fetched<Delivery> both = fetchWork(10);
    both.items().forEach(work -> complete(work, "2").orThrow());
    flows.raise("a", "go", "done");
    // then
    assertThat(both.items()).extracting(work -> order(work).execution()).containsExactly(1L, 2L);
    flows.awaitEnd("a", SOON);
    assertThat(store.events("a", 2).stream().filter(Event.Completed.class::isInstance))
        .hasSizeLessThanOrEqualTo(1);
  }

  @Test
  @DisplayName("fetch_returns_missing")
  void shouldDropTheAnswerOfWorkWhoseFlowIsGone() {
    // given
    begin("a", call("twice"));
    store.commit(store.changes().remove("a", record("a"), store.record("a").version())).orThrow();
    // when
    complete(fetchOneWork(), "2").orThrow();
    serve(calling((flow, text) -> text));
    // then
    eventually(() -> assertThat(turnsLeft()).isZero());
    assertThat(admin.find("a")).isEmpty();
    assertThat(history("a")).isEmpty();
  }

  private Event.TaskCancelled cancelled(long task) {
    return new Event.TaskCancelled(clock.wallMs(), task, TaskKind.CALL, Activity.NO_TAG);
  }

  /** Cancels tasks of the flow in a turn of it. */
  private void cancel(long position, Event... events) {
    send("a", new TurnMessage.Raise("e" + position, "go", INPUT));
    store.commit(nextTurn(fetchTurn(), position, events)).orThrow();
  }

  @Test
  @DisplayName("renew_returns_running")
  void shouldRenewWorkThatIsWanted() {
    begin("a", call("one"));
    Fetched<Delivery> work = fetchWork(1);
    assertThat(extend(work.leaseId(), LEASE_MS).orThrow().cancelled()).isEmpty();
  }

  @Test
  @DisplayName("renew_returns_terminal")
  void shouldTellAtTheRenewalWhatIsNotWanted() {
    // given
    Orchestration<String, String> waits =
        calling((flow, text) -> flow.event("go", String.class).await());
    Flows flows = serve(waits);
    flows.start(waits, "a", "x");
    eventually(() -> assertThat(workWaiting()).isEqualTo(1));
    Fetched<Delivery> work = fetchWork(1);
    // when
    admin.terminate("a", "enough");
    flows.awaitEnd("a", SOON);
    // then
    assertNotWanted(work);
  }

  /** A lease is told so, or is over because nothing is left in it. */
  private void assertNotWanted(Fetched<Delivery> work) {
    Result<Extended> result = extend(work.leaseId(), LEASE_MS);
    if (result.isOk()) {
      assertThat(result.orThrow().cancelled())
          .containsExactly(work.items().getFirst().message().position());
    } else {
      assertThat(result.refusal().code()).isEqualTo(ErrorCode.STALE_LEASE);
    }
  }

  @Test
  @DisplayName("renew_returns_missing")
  void shouldRefuseToRenewWhatNeverWas() {
    assertThat(extend("no-such-lease", LEASE_MS).isOk()).isFalse();
  }

  @Test
  @DisplayName("ack_work_item_none_deletes_without_enqueue")
  void shouldRemoveWorkWithoutAnAnswerIfThereIsNone() {
    begin("a", call("one"));
    Delivery work = fetchOneWork();
    store.commit(store.changes().ack(List.of(work.handle()))).orThrow();
    assertNothingToDo();
    advanceMs(LEASE_MS + 1);
    assertThat(fetchWork(1).isEmpty()).isTrue();
  }

  @Test
  @DisplayName("cancelled_activities_deleted_from_worker_queue")
  void shouldTakeBackWorkThatWaits() {
    begin("a", call("one"), call("two"));
    cancel(3, cancelled(1));
    assertThat(fetchWork(10).items())
        .extracting(work -> order(work).activity())
        .containsExactly("two");
  }

  @Test
  @DisplayName("ack_work_item_fails_when_entry_deleted")
  void shouldRefuseTheAnswerOfWorkThatWasTakenBack() {
    begin("a", call("one"));
    Delivery work = fetchOneWork();
    cancel(2, cancelled(1));
    assertRefused(
        complete(work, "1"), ErrorCode.CANCELLED, ErrorCode.STALE_LEASE, ErrorCode.NOT_FOUND);
    assertNothingToDo();
  }

  @Test
  @DisplayName("renew_fails_when_entry_deleted")
  void shouldTellAtTheRenewalThatWorkWasTakenBack() {
    begin("a", call("one"));
    Fetched<Delivery> work = fetchWork(1);
    cancel(2, cancelled(1));
    assertNotWanted(work);
  }

  @Test
  @DisplayName("cancelling_nonexistent_activities_is_idempotent")
  void shouldTakeBackWhatIsNotThere() {
    begin("a", call("one"));
    complete(fetchOneWork(), "1").orThrow();
    store.commit(nextTurn(fetchTurn(), 2, cancelled(1), cancelled(77))).orThrow();
    cancel(4, cancelled(1));
    assertThat(history("a")).hasSize(5);
  }

  @Test
  @DisplayName("batch_cancellation_deletes_multiple_activities")
  void shouldTakeBackManyInOneTurn() {
    begin("a", call("one"), call("two"), call("three"), call("four"));
    cancel(5, cancelled(1), cancelled(2), cancelled(4));
    assertThat(fetchWork(10).items())
        .extracting(work -> order(work).activity())
        .containsExactly("three");
  }

  @Test
  @DisplayName("same_activity_in_worker_items_and_cancelled_is_noop")
  void shouldQueueNothingThatIsTakenBackInTheSameTurn() {
    begin("a", call("one"), cancelled(1));
    assertThat(fetchWork(10).isEmpty()).isTrue();
  }

  @Test
  @DisplayName("orphan_activity_after_instance_force_deletion")
  void shouldFinishWorkWhoseFlowIsGoneWithoutATrace() {
    // given
    begin("a", call("twice"));
    Delivery work = fetchOneWork();
    store.commit(store.changes().remove("a", record("a"), store.record("a").version())).orThrow();
    // when
    advanceMs(LEASE_MS + 1);
    Delivery again = fetchOneWorkSoon();
    assertRefused(complete(work, "late"), ErrorCode.STALE_LEASE);
    complete(again, "2").orThrow();
    // then
    assertThat(fetchWork(1).isEmpty()).isTrue();
    assertThat(messages(fetchTurn())).hasSize(1);
    assertThat(store.load("a").flow()).isNull();
  }
}
