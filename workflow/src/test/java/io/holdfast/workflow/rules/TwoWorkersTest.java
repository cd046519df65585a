package io.holdfast.workflow.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two workers that have turns of the same flow one after the other. */
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TwoWorkersTest {
  private static final Duration SOON = WaitLimits.EVENT;

  private static final Duration SLEEP = Duration.ofMinutes(1);

  private static final Orchestration<String, String> TWICE =
      Orchestration.named(
          "twice",
          String.class,
          String.class,
          (flow, text) -> {
            String first = flow.event("go", String.class).await();
            flow.sleep(SLEEP);
            return text + first + flow.event("go", String.class).await();
          });

  /** How long a worker waits for a turn before it asks again. */
  private static final Duration WAIT = Duration.ofMillis(1);

  /** A broker that gives nothing to its worker while it is shut. */
  private static final class Gate extends ForwardingBroker {
    private final AtomicInteger passing = new AtomicInteger();
    private volatile boolean shut;

    Gate(Broker target) {
      super(target);
    }

    /** Whether no pop is on its way. */
    boolean isEmpty() {
      return passing.get() == 0;
    }

    @Override
    public Result<Popped> pop(PopRequest request) {
      // Counted before it looks: who shuts the gate and then sees nobody has nobody behind it.
      passing.incrementAndGet();
      while (shut && !Thread.currentThread().isInterrupted()) {
        passing.decrementAndGet();
        LockSupport.parkNanos(1_000_000);
        passing.incrementAndGet();
      }
      try {
        // Not sticky: a turn goes to whom the test lets pop.
        return super.pop(request.stickyMs(0));
      } finally {
        passing.decrementAndGet();
      }
    }
  }

  private final ManualClock clock = new ManualClock();
  private Broker broker;
  private FlowStore store;
  private Gate gateA;
  private Gate gateB;
  private Flows a;
  private Flows b;

  @BeforeEach
  void open() {
    broker = EmbeddedBroker.open(EngineConfig.inMemory(), clock);
    store = new FlowStore(broker, new Keys("flows"));
    gateA = new Gate(broker);
    gateB = new Gate(broker);
    gateB.shut = true;
    FlowsConfig config = FlowsConfig.defaults().waiting(WAIT).time(clock);
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
        .until(
            () -> {
              clock.advance(WAIT);
              return other.isEmpty();
            });
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
    clock.advance(SLEEP);
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
    awaitEvents(4);
    clock.advance(SLEEP);
    awaitEvents(6);
    // when: a has an old memory, and an event that it would take for the first
    turnOf(gateA, gateB);
    send(new TurnMessage.Raise("second", "go", "\"2\"".getBytes(StandardCharsets.UTF_8)));
    // then
    assertThat(a.await("f", TWICE, SOON)).isEqualTo("x12");
  }
}
