package io.holdfast.workflow.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.PopRequest;
import io.holdfast.api.Popped;
import io.holdfast.api.Result;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two workers that have turns of the same flow one after the other. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TwoWorkersTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private static final Orchestration<String, String> TWICE =
      Orchestration.named(
          "twice",
          String.class,
          String.class,
          (flow, text) -> {
            String first = flow.event("go", String.class).await();
            flow.sleep(Duration.ofMillis(300));
            return text + first + flow.event("go", String.class).await();
          });

  /** A broker that gives nothing to its worker while it is shut. */
  private static final class Gate extends ForwardingBroker {
    private volatile boolean shut;

    Gate(Broker target) {
      super(target);
    }

    @Override
    public Result<Popped> pop(PopRequest request) {
      while (shut && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(1_000_000);
      }
      return super.pop(request);
    }
  }

  private Broker broker;
  private FlowStore store;
  private Gate gateA;
  private Gate gateB;
  private Flows a;
  private Flows b;

  @BeforeEach
  void open() {
    broker = EmbeddedBroker.open(EngineConfig.inMemory());
    store = new FlowStore(broker, new Keys("flows"));
    gateA = new Gate(broker);
    gateB = new Gate(broker);
    gateB.shut = true;
    FlowsConfig config = FlowsConfig.defaults().waiting(Duration.ofMillis(1));
    a = Flows.on(gateA, config.worker("a")).register(TWICE).serve();
    b = Flows.on(gateB, config.worker("b")).register(TWICE).serve();
  }

  @AfterEach
  void close() {
    a.close();
    b.close();
    broker.close();
  }

  /** Gives the next turn to one of the workers: the other has nothing on its way. */
  private void turnOf(Gate one, Gate other) {
    other.shut = true;
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> broker.stats().orThrow().parkedPops() == 0);
    one.shut = false;
  }

  private void awaitEvents(int count) {
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(2))
        .untilAsserted(() -> assertThat(store.events("f", 1)).hasSizeGreaterThanOrEqualTo(count));
  }

  private void send(TurnMessage message) {
    store.commit(store.changes().send("f", message)).orThrow();
  }

  @Test
  void shouldNotAckByAnOldMemoryWhatTheFlowWaitsFor() {
    // given: a has the first turn in memory, and b the second
    a.start(TWICE, "f", "x");
    awaitEvents(2);
    turnOf(gateB, gateA);
    a.raise("f", "go", "1");
    awaitEvents(4);
    // when: the timer comes to a, which knows of no timer
    turnOf(gateA, gateB);
    // then
    awaitEvents(6);
    assertThat(store.events("f", 1).get(4)).isInstanceOf(Event.Fired.class);
    a.raise("f", "go", "2");
    assertThat(a.await("f", TWICE, SOON)).isEqualTo("x12");
  }

  @Test
  void shouldCatchUpWithTheOtherWorker() {
    // given
    a.start(TWICE, "f", "x");
    awaitEvents(2);
    turnOf(gateB, gateA);
    a.raise("f", "go", "1");
    awaitEvents(6);
    // when: a has an old memory, and an event that it would take for the first
    turnOf(gateA, gateB);
    send(new TurnMessage.Raise("second", "go", "\"2\"".getBytes(StandardCharsets.UTF_8)));
    // then
    assertThat(a.await("f", TWICE, SOON)).isEqualTo("x12");
  }
}
