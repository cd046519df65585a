package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.Handle;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.Fetched;
import io.holdfast.workflow.store.FetchedTurn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Group 3: one worker at a time has a flow. */
abstract class LockRules extends ProviderFixture {
  LockRules(ProviderContract implementation) {
    super(implementation);
  }

  @Test
  @DisplayName("exclusive_instance_lock")
  void shouldGiveAFlowToOneWorkerOnly() {
    // given
    sendStart("a");
    // when
    FetchedTurn turn = fetchTurn();
    // then
    assertNothingToDo();
    store.commit(firstTurn(turn)).orThrow();
    assertNothingToDo();
  }

  @Test
  @DisplayName("lock_token_uniqueness")
  void shouldGiveEveryFetchItsOwnLease() {
    // given
    Set<String> leases = ConcurrentHashMap.newKeySet();
    // when
    for (int i = 0; i < 5; i++) {
      sendStart("f" + i);
      leases.add(fetch(1).leaseId());
    }
    // then
    assertThat(leases).hasSize(5);
  }

  @Test
  @DisplayName("invalid_lock_token_rejection")
  void shouldRefuseTheLeaseOfAnotherFlow() {
    // given
    sendStart("a");
    FetchedTurn first = fetchTurn();
    sendStart("b");
    Fetched<FetchedTurn> second = fetch(1);
    // when: the message of one flow with the lease of the other
    var forged = new Handle(second.leaseId(), first.handles().getFirst().position());
    // then
    assertRefused(
        store.commit(store.changes().ack(List.of(forged))),
        ErrorCode.STALE_LEASE,
        ErrorCode.NOT_FOUND);
    store.commit(firstTurn(first)).orThrow();
  }

  @Test
  @DisplayName("concurrent_instance_fetching")
  void shouldGiveTenFlowsToTenWorkersOnceEach() throws InterruptedException {
    // given
    IntStream.range(0, 10).forEach(i -> sendStart("f" + i));
    List<String> got = Collections.synchronizedList(new ArrayList<>());
    // when
    inThreads(10, () -> fetch(1).items().forEach(turn -> got.add(turn.id())));
    // then: nobody went away with nothing
    assertThat(got).hasSize(10).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("completions_arriving_during_lock_blocked")
  void shouldKeepWhatComesDuringATurnForTheNext() {
    // given
    begin("a", call("one"));
    send("a", new TurnMessage.Raise("e1", "go", INPUT));
    FetchedTurn turn = fetchTurn();
    // when
    complete(fetchOneWork(), "1").orThrow();
    // then
    assertNothingToDo();
    store.commit(nextTurn(turn, 2, call("two"))).orThrow();
    assertThat(messages(fetchTurn())).singleElement().isInstanceOf(TurnMessage.Complete.class);
  }

  @Test
  @DisplayName("cross_instance_lock_isolation")
  void shouldNotHoldUpOtherFlows() {
    // given
    sendStart("a");
    sendStart("b");
    // when
    FetchedTurn first = fetchTurn();
    FetchedTurn second = fetchTurn();
    // then
    assertThat(List.of(first.id(), second.id())).containsExactlyInAnyOrder("a", "b");
    store.commit(firstTurn(second)).orThrow();
    store.commit(firstTurn(first)).orThrow();
  }

  @Test
  @DisplayName("message_tagging_during_lock")
  void shouldBringAllThatCameInItsOrder() {
    // given
    sendStart("a");
    for (int i = 0; i < 5; i++) {
      send("a", new TurnMessage.Raise("e" + i, "go", INPUT));
    }
    // when
    FetchedTurn turn = fetchTurn();
    // then
    assertThat(messages(turn)).hasSize(6);
    assertThat(messages(turn).stream().skip(1).map(m -> ((TurnMessage.Raise) m).id()))
        .containsExactly("e0", "e1", "e2", "e3", "e4");
    assertThat(turn.handles())
        .extracting(Handle::leaseId)
        .containsOnly(turn.handles().getFirst().leaseId());
  }

  @Test
  @DisplayName("ack_only_affects_locked_messages")
  void shouldAckOnlyWhatWasFetched() {
    // given
    sendStart("a");
    FetchedTurn turn = fetchTurn();
    send("a", new TurnMessage.Raise("late", "go", INPUT));
    // when
    store.commit(firstTurn(turn)).orThrow();
    // then
    assertThat(messages(fetchTurn()))
        .singleElement()
        .extracting(m -> ((TurnMessage.Raise) m).id())
        .isEqualTo("late");
  }

  @Test
  @DisplayName("multi_threaded_lock_contention")
  void shouldLetOneOfManyHaveAFlow() throws InterruptedException {
    // given
    sendStart("a");
    List<String> got = Collections.synchronizedList(new ArrayList<>());
    // when
    inThreads(10, () -> fetch(1).items().forEach(turn -> got.add(turn.id())));
    // then
    assertThat(got).containsExactly("a");
  }

  @Test
  @DisplayName("multi_threaded_no_duplicate_processing")
  void shouldHandleTwentyFlowsOnceWithFortyWorkers() throws InterruptedException {
    // given
    IntStream.range(0, 20).forEach(i -> sendStart("f" + i));
    List<String> done = Collections.synchronizedList(new ArrayList<>());
    // when
    inThreads(
        40,
        () -> {
          for (FetchedTurn turn : fetch(1).items()) {
            store.commit(firstTurn(turn, call("x"))).orThrow();
            done.add(turn.id());
          }
        });
    // then
    assertThat(done).hasSize(20).doesNotHaveDuplicates();
    assertThat(workWaiting()).isEqualTo(20);
  }

  @Test
  @DisplayName("multi_threaded_lock_expiration_recovery")
  void shouldGiveAFlowToOneOfManyWhenItsLeaseIsOver() throws InterruptedException {
    // given
    sendStart("a");
    fetchTurn();
    List<FetchedTurn> got = Collections.synchronizedList(new ArrayList<>());
    inThreads(5, () -> got.addAll(fetch(1).items()));
    assertThat(got).isEmpty();
    // when
    advanceMs(LEASE_MS + 1);
    // then
    eventually(
        () -> {
          try {
            inThreads(5, () -> got.addAll(fetch(1).items()));
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          assertThat(got).hasSize(1);
        });
    store.commit(firstTurn(got.getFirst())).orThrow();
  }

  @Test
  @DisplayName("ours: a lost race keeps searching under load")
  void shouldNeverAnswerNothingWhileThereIsSomethingToDo() throws InterruptedException {
    // given: as many flows as fetches, all at once, many times over
    int workers = 8;
    int rounds = 25;
    IntStream.range(0, workers * rounds).forEach(i -> sendStart("f" + i));
    Set<String> got = ConcurrentHashMap.newKeySet();
    List<Integer> empty = Collections.synchronizedList(new ArrayList<>());
    // when
    inThreads(
        workers,
        () -> {
          for (int i = 0; i < rounds; i++) {
            List<FetchedTurn> turns = fetch(1).items();
            if (turns.isEmpty()) {
              empty.add(i);
            }
            turns.forEach(turn -> got.add(turn.id()));
          }
        });
    // then
    assertThat(empty).isEmpty();
    assertThat(got).hasSize(workers * rounds);
  }

  private static void inThreads(int count, Runnable work) throws InterruptedException {
    List<Throwable> trouble = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  work.run();
                } catch (Throwable e) {
                  trouble.add(e);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(trouble).isEmpty();
  }
}
