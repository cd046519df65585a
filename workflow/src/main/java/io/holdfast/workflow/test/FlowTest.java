package io.holdfast.workflow.test;

import io.holdfast.api.Broker;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Definition;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowInfo;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.replay.Collectable;
import io.holdfast.workflow.worker.Registry;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A test of flows: the real engine in memory and a real worker, in a time of their own.
 *
 * <pre>
 *   try (FlowTest test = FlowTest.of(ORDER, CHARGE, SHIP)) {
 *     test.fake(CHARGE, (work, order) -&gt; "receipt");
 *     test.start(ORDER, "o-1", order);
 *     assertThat(test.await("o-1", ORDER)).isEqualTo("shipped");
 *   }
 * </pre>
 *
 * <p>Time stands still while something runs, and while the test itself does. As the test waits, in
 * {@link #await} or {@link #advance}, and nothing runs any more, time jumps to whatever is due
 * next: a flow that sleeps for a month takes no time. An activity that really blocks keeps time
 * from moving; one that should take long in the time of the flows calls {@link #sleep}.
 *
 * <p>{@link #with} runs the same test under faults as well.
 *
 * <p>Thread: any; most tests have one.
 */
public final class FlowTest implements AutoCloseable {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMinutes(5);
  private static final long FOREVER_NANOS = Long.MAX_VALUE / 2;
  private static final long PATIENCE_MS = 60_000;

  static {
    Collectable.prefer();
  }

  private final Thread owner = Thread.currentThread();
  private final Registry registry = new Registry();
  private final Stage stage;
  private final Flows flows;

  FlowTest(Fault fault, Definition... code) {
    for (Definition one : code) {
      registry.add(one);
    }
    FlowsConfig config = FlowsConfig.defaults().leases(LEASE, LEASE).waiting(POLL);
    this.stage = new Stage(registry, config, fault, PATIENCE_MS);
    this.flows = Flows.on(stage.client(), stage.config());
  }

  /** A test of this code, in which nothing goes wrong. */
  public static FlowTest of(Definition... code) {
    return new FlowTest(Fault.NONE, code);
  }

  /** Runs of a test of this code, with faults if it is told which. */
  public static FlowRuns with(Definition... code) {
    return new FlowRuns(code);
  }

  /** Has an activity done by other code from now on. */
  public <I, O> FlowTest fake(Activity<I, O> activity, Activity.WorkCode<I, O> code) {
    registry.add(activity.with(code));
    return this;
  }

  /**
   * Stops the worker gently, and goes on with one that knows this code as well. Code of the same
   * name, and version if it has one, is replaced.
   */
  public void deploy(Definition... code) {
    for (Definition one : code) {
      registry.add(one);
    }
    stage.replace();
  }

  /** Starts a flow; see {@link Flows#start}. */
  public <I> boolean start(Orchestration<I, ?> flow, String id, I input) {
    return flows.start(flow, id, input);
  }

  /** Raises an event; see {@link Flows#raise}. */
  public void raise(String id, String event, @Nullable Object data) {
    flows.raise(id, event, data);
  }

  /** Asks a flow to end; see {@link Flows#cancel}. */
  public void cancel(String id, String reason) {
    flows.cancel(id, reason);
  }

  /**
   * Waits for a flow to end, for as long as something can happen, and answers what it did.
   *
   * @throws FlowException if it failed
   * @throws AssertionError if it is blocked, or waits for what will not happen by itself
   */
  public <O> O await(String id, Orchestration<?, O> flow) {
    awaitEnd(id);
    return flows.await(id, flow, Duration.ZERO);
  }

  /**
   * Waits for a flow to end, however it does.
   *
   * @throws AssertionError if it is blocked, or waits for what will not happen by itself
   */
  public FlowInfo awaitEnd(String id) {
    FlowInfo ended =
        stage.await(
            () -> flows.find(id).filter(flow -> flow.status().isEnded()).orElse(null),
            Long.MAX_VALUE);
    if (ended == null) {
      throw new AssertionError(Stuck.describe(flows, stage.client(), stage.config().prefix(), id));
    }
    return ended;
  }

  /**
   * Waits until a flow is in a status, for as long as something can happen.
   *
   * @throws AssertionError if it does not come into that status by itself
   */
  public FlowInfo await(String id, FlowStatus status) {
    FlowInfo seen =
        stage.await(
            () -> flows.find(id).filter(flow -> flow.status() == status).orElse(null),
            Long.MAX_VALUE);
    if (seen == null) {
      throw new AssertionError(Stuck.describe(flows, stage.client(), stage.config().prefix(), id));
    }
    return seen;
  }

  /** Lets everything happen that can happen without more time. */
  public void settle() {
    stage.await(() -> null, stage.nowMs());
  }

  /** Lets so much time pass, and all happen that is due meanwhile, each at its time. */
  public void advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("time: expected it to go forward, but got " + time);
    }
    stage.await(() -> null, stage.nowMs() + time.toMillis());
  }

  /** The time of the flows. */
  public Instant now() {
    return Instant.ofEpochMilli(stage.nowMs());
  }

  /**
   * For the code of an activity: takes so much of the time of the flows. Leases are renewed and
   * timeouts happen meanwhile.
   *
   * @throws InterruptedException if the activity is cancelled, or takes longer than it may
   */
  public void sleep(Duration time) throws InterruptedException {
    sleepUntil(stage.clock().nanos() + time.toNanos());
  }

  /** For the code of an activity: hangs until it is cancelled, or has taken longer than it may. */
  public void hang() throws InterruptedException {
    sleepUntil(FOREVER_NANOS);
  }

  private void sleepUntil(long deadlineNanos) throws InterruptedException {
    if (Thread.currentThread().equals(owner)) {
      throw new IllegalStateException("only activities sleep; a test advances time");
    }
    while (stage.clock().nanos() < deadlineNanos) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      stage.clock().parkUntil(deadlineNanos);
    }
  }

  /** All else that can be asked of flows. What waits there lets time pass as well. */
  public Flows flows() {
    return flows;
  }

  /** The broker in which the flows are. */
  public Broker broker() {
    return stage.client();
  }

  /** How many times the first worker has stored something. */
  int commits() {
    return stage.commits();
  }

  /** Whether the worker died, as it was told to. */
  boolean died() {
    return stage.died();
  }

  @Override
  public void close() {
    stage.close();
  }
}
