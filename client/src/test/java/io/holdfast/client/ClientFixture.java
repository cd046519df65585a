package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A broker in memory under a manual clock, and a client of it. */
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class ClientFixture {
  protected static final String QUEUE = "orders";

  protected final ManualClock clock = new ManualClock();
  protected Broker broker;
  protected LossyBroker lossy;
  protected Holdfast holdfast;

  @BeforeEach
  void open() {
    broker = EmbeddedBroker.open(engine(), clock);
    lossy = new LossyBroker(broker);
    holdfast = Holdfast.on(lossy, clock);
  }

  protected EngineConfig engine() {
    return EngineConfig.inMemory();
  }

  @AfterEach
  void close() {
    lossy.heal();
    broker.close();
  }

  protected void configure(QueueOption option, Object value) {
    broker.configure(ConfigureRequest.queue(QUEUE).set(option, value)).orThrow();
  }

  protected void push(String... texts) {
    for (String text : texts) {
      holdfast.queue(QUEUE).push(text);
    }
  }

  /** What waits in a queue, in the order of a group that has read nothing. */
  protected List<String> stored(String queue) {
    return broker
        .pop(PopRequest.queue(queue).group("reader-" + System.nanoTime()).batch(10_000))
        .orThrow()
        .messages()
        .stream()
        .map(delivery -> new String(delivery.message().payload(), StandardCharsets.UTF_8))
        .toList();
  }

  protected Counts counts() {
    return broker.queue(QUEUE).orThrow().counts();
  }

  protected long leases() {
    return broker.stats().orThrow().leases();
  }

  protected static void eventually(Runnable assertion) {
    await().pollInterval(Duration.ofMillis(2)).untilAsserted(assertion::run);
  }

  /** Moves time on, step by step, until something holds: others get to see each step. */
  protected void advanceUntil(Duration step, Runnable assertion) {
    await()
        .pollInterval(Duration.ofMillis(5))
        .untilAsserted(
            () -> {
              clock.advance(step);
              assertion.run();
            });
  }

  protected void assertNothingIsLeft() {
    eventually(() -> assertThat(leases()).isZero());
  }
}
