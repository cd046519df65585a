package io.holdfast.workflow.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.queue.Counts;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.admin.FlowAdmin;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Flows in a broker in memory, with a clock that stands still. */
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class FlowFixture {
  protected static final Duration SOON = WaitLimits.WORKLOAD;

  private final List<Flows> serving = new ArrayList<>();
  protected final ManualClock clock = new ManualClock();
  protected Witness broker;
  protected FlowStore store;
  protected FlowAdmin admin;

  @BeforeEach
  void open() {
    broker = new Witness(EmbeddedBroker.open(EngineConfig.inMemory(), clock));
    store = new FlowStore(broker, new Keys("flows"));
    store.prepare(List.of(Activity.NO_TAG));
    admin = new FlowAdmin(store, clock);
  }

  @AfterEach
  void close() {
    serving.forEach(Flows::close);
    broker.close();
  }

  protected FlowsConfig config() {
    return FlowsConfig.defaults().time(clock);
  }

  protected Flows flows(FlowsConfig config) {
    return flows(broker, config);
  }

  /** Flows that see the broker in another way, and are closed with the test. */
  protected Flows flows(Broker seen, FlowsConfig config) {
    Flows flows = Flows.on(seen, config);
    serving.add(flows);
    return flows;
  }

  protected Flows flows() {
    return flows(config());
  }

  /** Flows that keep nothing in memory: each turn begins with a replay. */
  protected Flows cold() {
    return flows(config().kept(0, 0));
  }

  protected void send(String id, TurnMessage message) {
    store.commit(store.changes().send(id, message)).orThrow();
  }

  /** The name of an execution of a flow that has begun. */
  protected ExecutionId execution(String id, long number) {
    return Objects.requireNonNull(store.flow(id)).executionId(id).withNumber(number);
  }

  protected static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  protected void advance(Duration by) {
    clock.advance(by);
  }

  protected static void eventually(Runnable assertion) {
    await().atMost(SOON).pollInterval(Duration.ofMillis(3)).untilAsserted(assertion::run);
  }

  protected void awaitEvents(String id, int count) {
    eventually(() -> assertThat(store.events(id, 1)).hasSizeGreaterThanOrEqualTo(count));
  }

  /**
   * Waits for the end of a flow while time goes by, so that leases of the dead end; slowly enough
   * for the living to renew theirs on a busy machine.
   */
  protected <O> O awaitWhileTimePasses(Flows flows, String id, Orchestration<?, O> flow) {
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(
            () -> {
              clock.advance(Duration.ofSeconds(5));
              assertThat(admin.get(id).status()).isEqualTo(FlowStatus.COMPLETED);
            });
    return flows.await(id, flow, SOON);
  }

  protected long count(String id, Class<? extends Event> kind) {
    return store.events(id, 1).stream().filter(kind::isInstance).count();
  }

  /** Everything that was sent to flows has been settled. */
  protected void assertAllSettled() {
    eventually(
        () -> {
          Counts counts = broker.queue(store.keys().turns()).orThrow().counts();
          assertThat(counts.waiting() + counts.returned() + counts.inFlight()).isZero();
          assertThat(counts.dead()).isZero();
        });
  }
}
