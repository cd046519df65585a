package io.holdfast.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.FlowsListener;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.store.FetchedTurn;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a turn asks of the broker: each call more is a round trip for every turn of every flow. */
class BrokerCallsTest {
  private static final Orchestration<Integer, Integer> STEPS =
      Orchestration.named(
          "steps",
          Integer.class,
          Integer.class,
          (flow, count) -> {
            for (int i = 0; i < count; i++) {
              flow.run("step", () -> {});
              flow.event("more", Integer.class).await();
            }
            return count;
          });

  private static final Orchestration<Integer, Integer> EVENTS =
      Orchestration.named(
          "events",
          Integer.class,
          Integer.class,
          (flow, count) -> {
            for (int i = 0; i < count; i++) {
              flow.event("more", Integer.class).await();
            }
            return count;
          });

  private final EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory());
  private final List<String> calls = new ArrayList<>();

  private final FlowStore store =
      new FlowStore(
          new ForwardingBroker(broker) {
            @Override
            public synchronized Result<Committed> commit(CommitRequest request) {
              calls.add("commit of " + request.operations().size());
              return super.commit(request);
            }

            @Override
            public synchronized Result<JournalPage> journal(JournalRequest request) {
              Result<JournalPage> page = super.journal(request);
              calls.add("journal with " + page.orThrow().events().size());
              return page;
            }

            @Override
            public synchronized Result<StoredRecord> record(RecordRequest request) {
              calls.add("record");
              return super.record(request);
            }
          },
          new Keys("flows"));

  private final Flows flows = Flows.on(broker);
  private final Tools tools = tools();

  private Tools tools() {
    Registry registry = new Registry();
    registry.add(STEPS);
    registry.add(EVENTS);
    return new Tools(
        store, registry, FlowsConfig.defaults(), new Sticky(10, 1 << 20), FlowsListener.NONE);
  }

  @AfterEach
  void close() {
    broker.close();
  }

  /** Takes the next turn; answers what it asked of the broker. */
  private List<String> turn() throws InterruptedException {
    List<FetchedTurn> turns = store.fetchTurns(1, 1_000, 30_000, "w").items();
    assertThat(turns).hasSize(1);
    calls.clear();
    CountDownLatch over = new CountDownLatch(1);
    new Turn(tools, new Commits(store, ms -> {}, 30_000), turns.getFirst()).run(over::countDown);
    assertThat(over.await(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return List.copyOf(calls);
  }

  @Test
  void shouldOnlyCommitWithoutSteps() throws InterruptedException {
    // given
    store.prepare(tools.registry().tags());
    flows.start(EVENTS, "e", 2);
    // then: the ack, the events, that it has begun, its record, and that it is in another list
    assertThat(turn()).containsExactly("commit of 6");
    // when
    flows.raise("e", "more", 1);
    // then: the ack and the events
    assertThat(turn()).containsExactly("commit of 2");
  }

  @Test
  void shouldReadOnceBeforeTheFirstStepOfATurn() throws InterruptedException {
    // given
    store.prepare(tools.registry().tags());
    flows.start(STEPS, "s", 3);
    // then
    assertThat(turn()).containsExactly("record", "commit of 6");
    // when
    flows.raise("s", "more", 1);
    // then
    assertThat(turn()).containsExactly("journal with 0", "commit of 2");
  }
}
