package io.holdfast.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Verified.Verdict;
import io.holdfast.workflow.admin.DeleteOptions;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class VerifyTest {
  private static final Duration SOON = WaitLimits.EVENT;
  private static final AtomicInteger STEPS = new AtomicInteger();

  static final Activity<String, String> PACK =
      Activity.named("pack", String.class, String.class, text -> "packed " + text);
  static final Activity<String, String> WRAP =
      Activity.named("wrap", String.class, String.class, text -> "wrapped " + text);

  static final Orchestration<String, String> ORDER =
      Orchestration.named(
          "order",
          String.class,
          String.class,
          (flow, text) -> {
            String packed = flow.call(PACK, text).await();
            return packed + flow.event("go", String.class).await();
          });

  /** The same name and version, but it calls something else. */
  static final Orchestration<String, String> CHANGED =
      Orchestration.named(
          "order",
          String.class,
          String.class,
          (flow, text) -> {
            String packed = flow.call(WRAP, text).await();
            return packed + flow.event("go", String.class).await();
          });

  /** It does more, but only after what has happened. */
  static final Orchestration<String, String> LONGER =
      Orchestration.named(
          "order",
          String.class,
          String.class,
          (flow, text) -> {
            String packed = flow.call(PACK, text).await();
            Task<String> go = flow.event("go", String.class);
            flow.run("count", Integer.class, STEPS::incrementAndGet);
            return packed + go.await();
          });

  private final EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory());
  private final FlowStore store = new FlowStore(broker, new Keys("flows"));

  @AfterEach
  void close() {
    STEPS.set(0);
    broker.close();
  }

  private static void awaitStatus(Flows flows, String id, FlowStatus status) {
    await()
        .atMost(SOON)
        .until(() -> flows.find(id).map(flow -> flow.status() == status).orElse(false));
  }

  /** A flow that waits for its event. */
  private void parked(String id) {
    try (Flows flows = Flows.on(broker).register(ORDER, PACK).serve()) {
      flows.start(ORDER, id, "x");
      await().atMost(SOON).until(() -> flows.admin().history(id, 0, 0, 10).length() == 4);
    }
  }

  private FlowRecord flow(String id) {
    return Objects.requireNonNull(store.flow(id));
  }

  @Test
  void shouldFindNothingWrongWithTheSameCode() {
    // given
    parked("a");
    parked("b");
    List<String> told = new ArrayList<>();
    // when
    VerifyReport report = Flows.on(broker).register(ORDER).verify(flow -> told.add(flow.id()));
    // then
    assertThat(report.isFine()).isTrue();
    assertThat(report.total()).isEqualTo(2);
    assertThat(report.troubles()).isEmpty();
    assertThat(told).containsExactly("a", "b");
  }

  @Test
  void shouldShowWhereTheCodeDiffers() {
    // given
    parked("a");
    long length = store.load("a").length();
    // when
    VerifyReport report = Flows.on(broker).register(CHANGED).verify();
    // then
    assertThat(report.isFine()).isFalse();
    assertThat(report.of(Verdict.DIFFERS)).isEqualTo(1);
    Verified trouble = report.troubles().getFirst();
    assertThat(trouble.id()).isEqualTo("a");
    assertThat(trouble.words())
        .contains("history: event 1 (call of activity 'pack')")
        .contains("code:    call of activity 'wrap'");
    assertThat(store.load("a").length()).isEqualTo(length);
    assertThat(flow("a").status()).isEqualTo(FlowStatus.RUNNING);
  }

  @Test
  void shouldDoNothingBeyondTheHistory() {
    // given
    parked("a");
    // when: the code would do a step next
    VerifyReport report = Flows.on(broker).register(LONGER).verify();
    // then
    assertThat(report.isFine()).isTrue();
    assertThat(STEPS).hasValue(0);
    assertThat(store.load("a").length()).isEqualTo(4);
  }

  @Test
  void shouldTellUnknownCodeAndUnreadableHistories() {
    // given
    parked("a");
    parked("b");
    broker
        .commit(
            CommitRequest.of(
                new Operation.AppendJournal(
                    store.keys().history(Objects.requireNonNull(store.flow("b")).executionId("b")),
                    4,
                    List.of("damaged".getBytes(StandardCharsets.UTF_8)))))
        .orThrow();
    // when
    VerifyReport unknown = Flows.on(broker).register(PACK).verify();
    VerifyReport known = Flows.on(broker).register(ORDER).verify();
    // then
    assertThat(unknown.of(Verdict.UNKNOWN_CODE)).isEqualTo(1);
    assertThat(unknown.of(Verdict.UNREADABLE)).isEqualTo(1);
    assertThat(unknown.troubles().getFirst().words()).contains("'order' in version 1.0");
    assertThat(known.of(Verdict.FINE)).isEqualTo(1);
    assertThat(known.of(Verdict.UNREADABLE)).isEqualTo(1);
    assertThat(known.troubles().getFirst().words()).contains("event 4");
  }

  @Test
  void shouldHealBlockedFlowsWithCodeThatFits() {
    // given: a flow that bad code blocked
    parked("a");
    try (Flows bad = Flows.on(broker).register(CHANGED, PACK, WRAP).serve()) {
      bad.raise("a", "go", "!");
      awaitStatus(bad, "a", FlowStatus.BLOCKED);
    }
    assertThat(Flows.on(broker).register(CHANGED).verify().of(Verdict.DIFFERS)).isEqualTo(1);
    // when: workers with code that does not fit, and then with code that does
    try (Flows bad = Flows.on(broker).register(CHANGED, PACK, WRAP).serve()) {
      bad.start(CHANGED, "b", "y");
      await().atMost(SOON).until(() -> bad.admin().history("b", 0, 0, 10).length() == 4);
      assertThat(bad.find("a").orElseThrow().status()).isEqualTo(FlowStatus.BLOCKED);
      bad.admin().delete("b", DeleteOptions.FORCED);
    }
    try (Flows one = Flows.on(broker).register(ORDER, PACK).serve();
        Flows two = Flows.on(broker).register(ORDER, PACK).serve()) {
      // then: what came meanwhile was kept
      assertThat(one.await("a", ORDER, SOON)).isEqualTo("packed x!");
      assertThat(two.find("a").orElseThrow().kept()).isZero();
    }
  }

  @Test
  void shouldNotHealAFlowOfWhichWorkersDied() {
    // given: a flow that was blocked because of an activity that no worker survived
    parked("a");
    FlowRecord flow = flow("a");
    String reason = "3 workers died while they did activity 'pack' (event 1).";
    store
        .commit(store.changes().save("a", flow, flow.blocked(BlockCause.WORKERS_DIED, reason, 1)))
        .orThrow();
    // when
    try (Flows flows = Flows.on(broker).register(ORDER, PACK).serve()) {
      flows.start(ORDER, "b", "y");
      flows.raise("b", "go", "!");
      flows.awaitEnd("b", SOON);
      // then
      assertThat(flows.find("a").orElseThrow().status()).isEqualTo(FlowStatus.BLOCKED);
      flows.admin().retry("a");
      awaitStatus(flows, "a", FlowStatus.RUNNING);
    }
  }
}
