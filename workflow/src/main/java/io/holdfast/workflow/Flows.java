package io.holdfast.workflow;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.message.NewMessage;
import io.holdfast.workflow.admin.FlowAdmin;
import io.holdfast.workflow.message.Forms;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.replay.Collectable;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import io.holdfast.workflow.worker.FlowWorker;
import io.holdfast.workflow.worker.Registry;
import io.holdfast.workflow.worker.Verifier;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The flows in a broker: starts them and asks about them, and runs them if it is told to serve.
 *
 * <p>Thread: any.
 */
public final class Flows implements AutoCloseable {
  static {
    Collectable.prefer();
  }

  /** The pause before a broker that was unreachable is asked again. */
  private static final Duration UNREACHABLE_PAUSE = Duration.ofMillis(100);

  private final FlowsConfig config;
  private final FlowStore store;
  private final FlowAdmin admin;
  private final Registry registry = new Registry();
  private FlowsListener listener = FlowsListener.NONE;
  private @Nullable FlowWorker worker;

  private Flows(Broker broker, FlowsConfig config) {
    this.config = config;
    this.store = new FlowStore(broker, new Keys(config.prefix()));
    this.admin = new FlowAdmin(store, config.time());
  }

  /** The flows in a broker, with the usual settings. The broker stays open when this is closed. */
  public static Flows on(Broker broker) {
    return on(broker, FlowsConfig.defaults());
  }

  public static Flows on(Broker broker, FlowsConfig config) {
    return new Flows(broker, config);
  }

  /** Adds code that {@link #serve} will run. */
  public Flows register(Definition... code) {
    for (Definition one : code) {
      registry.add(one);
    }
    return this;
  }

  /** Has somebody told what happens, from the next {@link #serve} on. */
  public Flows listener(FlowsListener told) {
    listener = told;
    return this;
  }

  /**
   * Begins to run flows and activities, with the code that was registered. Flows that were blocked
   * and that this code fits go on.
   */
  public synchronized Flows serve() {
    if (worker != null) {
      throw new IllegalStateException("it serves already");
    }
    worker = new FlowWorker(store, registry, config, listener);
    return this;
  }

  /**
   * Starts a flow. A repeat of the same start changes nothing.
   *
   * @return whether it is new
   * @throws FlowException if a flow of that id exists, and is another one
   */
  public <I> boolean start(Orchestration<I, ?> flow, String id, I input) {
    return admin.start(flow.name(), flow.version(), id, config.payloads().write(input));
  }

  /**
   * The operation that starts a flow, to be made part of a commit: with the ack of a message, for
   * example. A flow of that id that exists already stays as it is.
   */
  public <I> Operation starting(Orchestration<I, ?> flow, String id, I input) {
    TurnMessage start =
        new TurnMessage.Start(flow.name(), flow.version(), config.payloads().write(input), null);
    return new Operation.PushMessage(
        NewMessage.to(store.keys().turns(), Forms.TURN.write(start)).partition(Names.checkedId(id)),
        true);
  }

  /** Raises an event for a flow, whether it has been started or not. */
  public void raise(String id, String event, @Nullable Object data) {
    admin.raise(id, event, config.payloads().write(data), null);
  }

  /** Raises an event; a repeat with the same event id changes nothing. */
  public void raise(String id, String event, @Nullable Object data, String eventId) {
    admin.raise(id, event, config.payloads().write(data), eventId);
  }

  /**
   * Waits for a flow to end, and answers what it did.
   *
   * @throws FlowException if it failed, does not exist, or has not ended by then
   */
  public <O> O await(String id, Orchestration<?, O> flow, Duration time) {
    return result(awaitEnd(id, time), flow);
  }

  /**
   * Waits for a flow to end, however it does. While the broker is unreachable, it tries again until
   * the time is over.
   *
   * @throws FlowException if it does not exist, or has not ended by then
   * @throws UnreachableException if the broker is unreachable by then, or the thread is interrupted
   *     while it is
   */
  public FlowInfo awaitEnd(String id, Duration time) {
    long deadline = config.time().nanos() + time.toNanos();
    long seen = -1;
    while (true) {
      long leftMs = Math.max(0, (deadline - config.time().nanos()) / 1_000_000);
      Optional<FlowAdmin.Seen> found;
      try {
        found = admin.await(id, seen, Math.min(leftMs, Limits.WAIT_MS_MAX));
      } catch (UnreachableException down) {
        if (leftMs == 0 || Thread.currentThread().isInterrupted()) {
          throw down;
        }
        config.time().parkUntil(config.time().nanos() + UNREACHABLE_PAUSE.toNanos());
        continue;
      }
      FlowAdmin.Seen now =
          found.orElseThrow(
              () ->
                  new FlowException(
                      FlowException.Reason.NOT_FOUND, "there is no flow with the id " + id));
      if (now.flow().status().isEnded()) {
        return now.flow();
      }
      if (leftMs == 0) {
        throw new FlowException(
            FlowException.Reason.TIMEOUT,
            "flow " + id + " has not ended within " + time + ": it is " + now.flow().status());
      }
      seen = now.version();
    }
  }

  @SuppressWarnings({"unchecked", "NullAway"})
  private <O> O result(FlowInfo ended, Orchestration<?, O> flow) {
    byte[] output = ended.output();
    if (ended.status() == FlowStatus.COMPLETED && output != null) {
      return (O) config.payloads().read(output, flow.outputType());
    }
    FlowException.Reason reason =
        switch (ended.status()) {
          case CANCELLED -> FlowException.Reason.CANCELLED;
          case TERMINATED -> FlowException.Reason.TERMINATED;
          default -> FlowException.Reason.FAILED;
        };
    throw new FlowException(
        reason,
        "flow " + ended.id() + " ended as " + ended.status() + ": " + ended.failure(),
        ended.failure());
  }

  public Optional<FlowInfo> find(String id) {
    return admin.find(id);
  }

  /** Asks a flow to end; its code may still make good for what it did. */
  public void cancel(String id, String reason) {
    admin.cancel(id, reason);
  }

  /**
   * Checks the registered code against the history of every flow that has not ended. Nothing is
   * changed and nothing is done: the code stops where its history ends.
   */
  public VerifyReport verify() {
    return verify(flow -> {});
  }

  /**
   * Checks the registered code against the history of every flow that has not ended.
   *
   * @param progress is told each flow that was checked
   */
  public VerifyReport verify(Consumer<Verified> progress) {
    return new Verifier(store, registry, config).run(progress);
  }

  /** Lists, histories, and all that can be done to flows without their code. */
  public FlowAdmin admin() {
    return admin;
  }

  /** How many turns and activities run here now. */
  public synchronized int busy() {
    FlowWorker mine = worker;
    return mine == null ? 0 : mine.busy();
  }

  /** How many flows wait in the memory of this process. */
  public synchronized int kept() {
    FlowWorker mine = worker;
    return mine == null ? 0 : mine.kept();
  }

  /** Stops to serve: finishes or gives back what it does. The broker stays open. */
  @Override
  public void close() {
    FlowWorker mine;
    synchronized (this) {
      mine = worker;
      worker = null;
    }
    if (mine != null) {
      mine.close();
    }
  }
}
