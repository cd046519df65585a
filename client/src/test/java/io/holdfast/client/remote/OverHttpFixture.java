package io.holdfast.client.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.queue.Counts;
import io.holdfast.client.Holdfast;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A server, a client of it, and a network between them that can be disturbed. */
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class OverHttpFixture {
  protected static final String QUEUE = "orders";

  /**
   * Far less than any wait or deadline of what is tested, and far more than a busy machine needs.
   */
  protected static final Duration PROMPT = Duration.ofSeconds(18);

  /** The broker on the server's side. */
  protected Broker engine;

  protected Relay relay;

  /** The broker on the client's side. */
  protected RemoteBroker remote;

  protected Holdfast holdfast;
  private TestServer server;

  @BeforeEach
  void connect() throws IOException {
    engine = EmbeddedBroker.open(EngineConfig.inMemory());
    server = TestServer.of(served(engine));
    relay = new Relay(server.port());
    remote =
        RemoteBroker.at(
            RemoteConfig.of(relay.address())
                .frames(usesFrames())
                .retries(3, Duration.ofMillis(1), Duration.ofMillis(5))
                .rest(5, Duration.ofMillis(20))
                .timeouts(WaitLimits.EVENT, WaitLimits.EVENT));
    holdfast = Holdfast.on(remote);
  }

  /** Whether requests share connections. */
  protected boolean usesFrames() {
    return false;
  }

  /** What the server serves: the engine, or something before it that watches or disturbs. */
  protected Broker served(Broker broker) {
    return broker;
  }

  @AfterEach
  void disconnect() {
    remote.close();
    relay.close();
    server.close();
  }

  protected void cut() {
    relay.mode(Relay.Mode.REFUSE);
    relay.cut();
  }

  /** Lets all through again, and waits until the client has noticed. */
  protected void restore() {
    relay.mode(Relay.Mode.PASS);
    await()
        .pollInterval(Duration.ofMillis(5))
        .ignoreException(UnreachableException.class)
        .until(() -> remote.stats().isOk());
  }

  protected int parked() {
    return engine.stats().orThrow().parkedPops();
  }

  protected long acked() {
    return engine.stats().orThrow().totals().acked();
  }

  protected Counts counts(String queue) {
    return engine.queue(queue).orThrow().counts();
  }

  protected void assertAllIsSettled(String queue) {
    Counts counts = counts(queue);
    assertThat(counts.waiting() + counts.inFlight() + counts.returned() + counts.dead()).isZero();
  }

  protected static void eventually(Runnable assertion) {
    await().pollInterval(Duration.ofMillis(5)).untilAsserted(assertion::run);
  }

  /** Runs something that has to be over soon. */
  protected static void promptly(Runnable action) {
    long began = System.nanoTime();
    action.run();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(PROMPT);
  }
}
