package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.FlowsListener;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Task;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.FetchedTurn;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the model does not try: lost answers, storage in trouble, and flows in a crowd. */
abstract class DisturbedRules extends ProviderFixture {
  private static final Activity<Integer, Integer> TWICE =
      Activity.named("twice", Integer.class, Integer.class, n -> 2 * n);
  private static final Orchestration<Integer, Integer> SUM =
      Orchestration.named(
          "sum",
          Integer.class,
          Integer.class,
          (flow, n) -> {
            List<Task<Integer>> tasks =
                IntStream.range(0, n).mapToObj(i -> flow.call(TWICE, i)).toList();
            int sum = flow.<Integer>all(tasks).await().stream().mapToInt(i -> i).sum();
            flow.sleep(Duration.ZERO);
            return sum + flow.call(TWICE, 1).await();
          });

  DisturbedRules(ProviderContract implementation) {
    super(implementation);
  }

  /** A broker in which something goes wrong with every second commit of a worker. */
  private static final class Troubled extends ForwardingBroker {
    private final AtomicInteger commits = new AtomicInteger();
    private final boolean applied;
    final AtomicInteger troubles = new AtomicInteger();

    Troubled(Broker target, boolean applied) {
      super(target);
      this.applied = applied;
    }

    @Override
    public Result<Committed> commit(CommitRequest request) {
      boolean settles =
          request.operations().stream().anyMatch(Operation.SettleMessage.class::isInstance);
      if (!settles || commits.incrementAndGet() % 2 == 0) {
        return super.commit(request);
      }
      troubles.incrementAndGet();
      if (applied) {
        super.commit(request);
        throw new UnreachableException("the answer got lost", true, new IOException("lost"));
      }
      return Result.refused(ErrorCode.READ_FAILED, "the disk is in trouble");
    }
  }

  private void assertSumsUpOnce(Troubled broker) {
    Flows flows = serve(broker, config(), FlowsListener.NONE, SUM, TWICE);
    flows.start(SUM, "a", 5);
    assertThat(flows.await("a", SUM, SOON)).isEqualTo(22);
    assertThat(broker.troubles.get()).isPositive();
    List<Event> history = history("a");
    assertThat(history.stream().filter(Event.CallScheduled.class::isInstance)).hasSize(6);
    assertThat(history.stream().filter(Event.Completed.class::isInstance)).hasSize(6);
    assertThat(history.stream().filter(Event.FlowCompleted.class::isInstance)).hasSize(1);
    assertThat(workWaiting()).isZero();
  }

  @Test
  @DisplayName("ours: a commit whose answer got lost has its effect once")
  void shouldHaveOneEffectIfAnswersGetLost() {
    assertSumsUpOnce(new Troubled(broker, true));
  }

  @Test
  @DisplayName("ours: storage in trouble is tried again, and fails no flow")
  void shouldFailNoFlowIfTheStorageIsInTrouble() {
    assertSumsUpOnce(new Troubled(broker, false));
  }

  @Test
  @DisplayName("ours: the same turn stored twice, because the first answer got lost")
  void shouldRefuseTheRepeatOfATurn() {
    sendStart("a");
    FetchedTurn turn = fetchTurn();
    store.commit(firstTurn(turn, call("one"))).orThrow();
    assertThat(store.commit(firstTurn(turn, call("one"))).isOk()).isFalse();
    assertThat(history("a")).hasSize(2);
    assertThat(workWaiting()).isEqualTo(1);
  }

  @Test
  @DisplayName("ours: a flow with very many messages does not starve the others")
  void shouldServeOthersBesideAFlowWithManyMessages() {
    // given
    for (int i = 0; i < 3_000; i++) {
      if (i % 500 == 0) {
        sendStart("other" + i);
      }
      send("busy", new TurnMessage.Raise("e" + i, "go", INPUT));
    }
    // when: each fetch takes what it gets, and the others come within the first few
    int fetches = 0;
    int others = 0;
    while (others < 6) {
      List<FetchedTurn> turns = fetch(4).items();
      others += (int) turns.stream().filter(turn -> !turn.id().equals("busy")).count();
      turns.forEach(turn -> store.commit(store.changes().ack(turn.handles())).orThrow());
      fetches++;
      assertThat(fetches).isLessThan(10);
    }
    // then: and the busy one has its turn as well
    assertThat(turnsLeft()).isLessThan(3_000);
  }

  @Test
  @DisplayName("ours: a flow with thousands of activities does not starve the others")
  void shouldDoTheWorkOfOthersBesideAFlowWithVeryMuch() {
    // given: the work of one lies in one partition, and workers take from all in turn
    sendStart("busy");
    Event[] calls = IntStream.range(0, 3_000).mapToObj(i -> call("much")).toArray(Event[]::new);
    store.commit(firstTurn(fetchTurn(), calls)).orThrow();
    begin("other", call("little"));
    // when
    int fetched = 0;
    boolean found = false;
    while (!found) {
      var work = fetchWork(16).items();
      found = work.stream().anyMatch(one -> order(one).flow().equals("other"));
      fetched += work.size();
      // then
      assertThat(fetched).isLessThan(200);
    }
  }

  @Test
  @DisplayName("ours: a worker with few slots serves all of many flows")
  void shouldServeManyFlowsWithOneSlot() {
    FlowsConfig one = config().slots(1, 1);
    Flows flows = serve(one, SUM, TWICE);
    for (int i = 0; i < 20; i++) {
      flows.start(SUM, "f" + i, 2);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(flows.await("f" + i, SUM, SOON)).isEqualTo(4);
    }
  }
}
