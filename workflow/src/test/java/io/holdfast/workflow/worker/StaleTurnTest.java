package io.holdfast.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.FlowsListener;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.FetchedTurn;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker whose execution of a flow is behind loses nothing of what comes for it. */
class StaleTurnTest {
  private static final Activity<Integer, Integer> TWICE =
      Activity.named("twice", Integer.class, Integer.class, n -> 2 * n);

  private static final Orchestration<Integer, Integer> CALLS =
      Orchestration.named(
          "calls",
          Integer.class,
          Integer.class,
          (flow, n) -> {
            int more = flow.event("more", Integer.class).await();
            return flow.call(TWICE, more).await();
          });

  private static final Orchestration<Integer, Integer> LOOP =
      Orchestration.named(
          "loop",
          Integer.class,
          Integer.class,
          (flow, n) -> {
            if (n > 0) {
              return n;
            }
            return flow.continueAsNew(flow.event("more", Integer.class).await());
          });

  /** Other code of the same name, to which no history of {@link #CALLS} belongs. */
  private static final Orchestration<Integer, Integer> CALLS_AT_ONCE =
      Orchestration.named(
          "calls", Integer.class, Integer.class, (flow, n) -> flow.call(TWICE, n).await());

  private final EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory());
  private final FlowStore store = new FlowStore(broker, new Keys("flows"));
  private final Flows flows = Flows.on(broker);
  private final Tools one = tools(CALLS);
  private final Tools other = tools(CALLS);

  private Tools tools(Orchestration<Integer, Integer> calls) {
    Registry registry = new Registry();
    registry.add(calls);
    registry.add(LOOP);
    registry.add(TWICE);
    return new Tools(
        store, registry, FlowsConfig.defaults(), new Sticky(10, 1 << 20), FlowsListener.NONE);
  }

  @AfterEach
  void close() {
    broker.close();
  }

  private void turn(Tools worker) throws InterruptedException {
    List<FetchedTurn> turns = store.fetchTurns(1, 1_000, 30_000, "w").items();
    assertThat(turns).hasSize(1);
    CountDownLatch over = new CountDownLatch(1);
    new Turn(worker, new Commits(store, ms -> {}, 30_000), turns.getFirst()).run(over::countDown);
    assertThat(over.await(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldKeepResultsOfWhatAnotherWorkerAskedFor() throws InterruptedException {
    // given
    store.prepare(one.registry().tags());
    flows.start(CALLS, "c", 0);
    turn(one);
    flows.raise("c", "more", 4);
    turn(other);
    // when
    byte[] result = "8".getBytes(StandardCharsets.UTF_8);
    ExecutionId id = Objects.requireNonNull(store.flow("c")).executionId("c");
    store.commit(store.changes().send("c", new TurnMessage.Complete(id, 3, result))).orThrow();
    turn(one);
    // then
    assertThat(flows.find("c").orElseThrow().status()).isEqualTo(FlowStatus.COMPLETED);
  }

  @Test
  void shouldGoOnAsNewAfterAnotherWorkerEndedTheExecution() throws InterruptedException {
    // given
    store.prepare(one.registry().tags());
    flows.start(LOOP, "l", 0);
    turn(one);
    flows.raise("l", "more", 4);
    turn(other);
    // when
    turn(one);
    // then
    assertThat(flows.find("l").orElseThrow().status()).isEqualTo(FlowStatus.COMPLETED);
  }

  @Test
  void shouldNotStartAFlowThatWasTerminatedBeforeItBegan() throws InterruptedException {
    // given
    store.prepare(one.registry().tags());
    flows.start(CALLS, "c", 0);
    flows.admin().terminate("c", "not needed");
    turn(one);
    // when
    broker.commit(CommitRequest.of(flows.starting(CALLS, "c", 0))).orThrow();
    turn(one);
    // then
    assertThat(flows.find("c").orElseThrow().status()).isEqualTo(FlowStatus.TERMINATED);
  }

  @Test
  void shouldNotContinueAFlowThatAnotherWorkerBlocked() throws InterruptedException {
    // given
    store.prepare(one.registry().tags());
    flows.start(CALLS, "c", 0);
    turn(one);
    flows.raise("c", "more", 4);
    turn(tools(CALLS_AT_ONCE));
    assertThat(flows.find("c").orElseThrow().status()).isEqualTo(FlowStatus.BLOCKED);
    // when
    flows.raise("c", "more", 5);
    turn(one);
    // then
    assertThat(flows.find("c").orElseThrow().status()).isEqualTo(FlowStatus.BLOCKED);
    assertThat(flows.find("c").orElseThrow().kept()).isEqualTo(2);
    assertThat(store.events("c", 1)).noneMatch(Event.CallScheduled.class::isInstance);
    // when
    flows.admin().retry("c");
    turn(one);
    // then
    assertThat(store.events("c", 1))
        .filteredOn(Event.CallScheduled.class::isInstance)
        .singleElement()
        .extracting(
            call -> new String(((Event.CallScheduled) call).input(), StandardCharsets.UTF_8))
        .isEqualTo("4");
  }
}
