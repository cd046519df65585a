package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.commit.Committed;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.Parent;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.FetchedTurn;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Group 1: a turn is stored as a whole or not at all. */
abstract class AtomicityRules extends ProviderFixture {
  AtomicityRules(ProviderContract implementation) {
    super(implementation);
  }

  @Test
  @DisplayName("atomicity_failure_rollback")
  void shouldChangeNothingIfOnePartIsRefused() {
    // given
    begin("a");
    send("a", new TurnMessage.Raise("e1", "go", INPUT));
    FetchedTurn turn = fetchTurn();
    // when: the journal holds one event, not three
    Result<Committed> refused =
        store.commit(
            nextTurn(turn, 3, call("work"), timer(0))
                .save("a", record("a"), running("a", 0).label("changed"))
                .send("b", start()));
    // then
    assertRefused(refused, ErrorCode.WRONG_POSITION);
    assertThat(history("a")).hasSize(1);
    assertThat(workWaiting()).isZero();
    assertThat(admin.get("a").label()).isNull();
    assertNothingToDo();
    abandon(turn.messages(), 0);
    assertThat(messages(fetchTurnSoon())).singleElement().isInstanceOf(TurnMessage.Raise.class);
  }

  @Test
  @DisplayName("multi_operation_atomic_ack")
  void shouldStoreAllPartsOfATurn() {
    // given
    sendStart("a");
    FetchedTurn turn = fetchTurn();
    Event.SubStarted sub = new Event.SubStarted(0, "child", "1.0", "c", INPUT);
    // when
    store
        .commit(firstTurn(turn, call("one"), call("two"), call("three"), timer(0), timer(0), sub))
        .orThrow();
    // then
    assertThat(history("a")).hasSize(7);
    assertThat(admin.get("a").execution()).isEqualTo(1);
    assertThat(fetchWork(10).items())
        .extracting(work -> order(work).activity())
        .containsExactly("one", "two", "three");
    List<FetchedTurn> next = fetch(10).items();
    assertThat(next).extracting(FetchedTurn::id).containsExactlyInAnyOrder("a", "c");
    for (FetchedTurn one : next) {
      if (one.id().equals("a")) {
        assertThat(messages(one))
            .containsExactly(
                new TurnMessage.Fire(first("a"), 4), new TurnMessage.Fire(first("a"), 5));
      } else {
        assertThat(((TurnMessage.Start) messages(one).getFirst()).parent())
            .isEqualTo(new Parent(first("a"), 6));
      }
    }
  }

  @Test
  @DisplayName("lock_released_only_on_successful_ack")
  void shouldLetGoOfAFlowOnlyWhenItsTurnIsStored() {
    // given
    sendStart("a");
    FetchedTurn turn = fetchTurn();
    send("a", new TurnMessage.Raise("e1", "go", INPUT));
    // when, then
    assertRefused(
        store.commit(firstTurn(turn).append(first("a"), 9, List.of(call("x")))),
        ErrorCode.WRONG_POSITION);
    assertNothingToDo();
    store.commit(firstTurn(turn)).orThrow();
    assertThat(messages(fetchTurn())).singleElement().isInstanceOf(TurnMessage.Raise.class);
  }

  @Test
  @DisplayName("concurrent_ack_prevention")
  void shouldStoreATurnOnceIfTwoStoreIt() {
    // given
    sendStart("a");
    FetchedTurn turn = fetchTurn();
    // when
    List<CompletableFuture<Result<Committed>>> both =
        IntStream.range(0, 2)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> store.commit(firstTurn(turn, call("x"))), Thread::startVirtualThread))
            .toList();
    // then
    assertThat(both.stream().filter(one -> one.join().isOk())).hasSize(1);
    assertThat(history("a")).hasSize(2);
    assertThat(workWaiting()).isEqualTo(1);
  }
}
