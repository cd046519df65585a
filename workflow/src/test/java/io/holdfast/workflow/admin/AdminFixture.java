package io.holdfast.workflow.admin;

import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.AppendedJournals;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Retry;
import io.holdfast.workflow.Task;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Flows in memory, with code that waits, works, fails and has children. */
abstract class AdminFixture {
  static final Duration SOON = WaitLimits.WORKLOAD;

  /** What blocked activities wait for, by the input of the activity. */
  static final Map<String, CountDownLatch> GATES = new ConcurrentHashMap<>();

  /** The inputs of such activities that ended, in whatever way. */
  static final Set<String> ENDED = ConcurrentHashMap.newKeySet();

  static final Activity<String, String> GATED =
      Activity.named(
          "gated",
          String.class,
          String.class,
          gate -> {
            try {
              GATES.computeIfAbsent(gate, name -> new CountDownLatch(1)).await();
              return gate;
            } finally {
              ENDED.add(gate);
            }
          });
  static final Activity<String, String> BROKEN =
      Activity.named(
          "broken",
          String.class,
          String.class,
          text -> {
            throw new IllegalStateException("no " + text);
          });
  static final Orchestration<String, String> ECHO =
      Orchestration.named("echo", String.class, String.class, (flow, text) -> text);
  static final Orchestration<String, String> WAITS =
      Orchestration.named(
          "waits",
          String.class,
          String.class,
          (flow, text) -> text + flow.event("go", String.class).await());
  static final Orchestration<String, String> WORKS =
      Orchestration.named(
          "works", String.class, String.class, (flow, gate) -> flow.call(GATED, gate).await());
  static final Orchestration<String, String> TRIES =
      Orchestration.named(
          "tries",
          String.class,
          String.class,
          (flow, text) ->
              flow.call(BROKEN, text, Retry.times(9).every(Duration.ofHours(1))).await());
  static final Orchestration<String, String> FAILS =
      Orchestration.named(
          "fails",
          String.class,
          String.class,
          (flow, text) -> {
            throw new IllegalStateException(text);
          });
  static final Orchestration<Integer, Integer> PARENT =
      Orchestration.named(
          "parent",
          Integer.class,
          Integer.class,
          (flow, n) -> {
            List<Task<String>> subs =
                IntStream.range(0, n).mapToObj(i -> flow.sub(ECHO, "child " + i)).toList();
            return flow.all(subs).await().size();
          });
  static final Orchestration<String, String> GUARDIAN =
      Orchestration.named(
          "guardian",
          String.class,
          String.class,
          (flow, child) -> flow.sub(WAITS, child, "x").await());
  static final Orchestration<Integer, Integer> LOOP =
      Orchestration.named(
          "loop",
          Integer.class,
          Integer.class,
          (flow, n) -> n == 0 ? 0 : flow.continueAsNew(n - 1));

  AppendedJournals broker;
  Flows flows;
  FlowAdmin admin;
  FlowStore store;

  @BeforeEach
  void open() {
    broker = new AppendedJournals(openBroker());
    store = new FlowStore(broker, new Keys("flows"));
    flows = serving(FlowsConfig.defaults());
    admin = flows.admin();
  }

  /** The broker of the test; those of a server are asked for elsewhere. */
  Broker openBroker() {
    return EmbeddedBroker.open(EngineConfig.inMemory());
  }

  private Flows serving(FlowsConfig config) {
    return Flows.on(broker, config)
        .register(GATED, BROKEN, ECHO, WAITS, WORKS, TRIES, FAILS, PARENT, GUARDIAN, LOOP)
        .serve();
  }

  @AfterEach
  void close() {
    GATES.values().forEach(CountDownLatch::countDown);
    flows.close();
    // Not before: an activity that ends would leave its mark for the next test.
    GATES.clear();
    ENDED.clear();
    broker.close();
  }

  /** Lets an activity end that waits. */
  static void openGate(String gate) {
    GATES.computeIfAbsent(gate, name -> new CountDownLatch(1)).countDown();
  }

  void awaitStatus(String id, FlowStatus status) {
    await()
        .atMost(SOON)
        .until(() -> admin.find(id).map(flow -> flow.status() == status).orElse(false));
  }

  /** Waits until a flow has something under way. */
  void awaitWaiting(String id) {
    await()
        .atMost(SOON)
        .until(() -> admin.find(id).isPresent() && !admin.show(id).waits().isEmpty());
  }

  /** How many rows a journal holds. */
  long length(String journal) {
    return broker.journal(new JournalRequest(journal, 0, 1)).orThrow().length();
  }

  void run(Orchestration<String, String> flow, String id, String input) {
    flows.start(flow, id, input);
    flows.awaitEnd(id, SOON);
  }
}
