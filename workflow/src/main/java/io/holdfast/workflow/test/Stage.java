package io.holdfast.workflow.test;

import io.holdfast.api.Broker;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.FlowsListener;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import io.holdfast.workflow.worker.FlowWorker;
import io.holdfast.workflow.worker.Registry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An engine, a worker, and the time they live in.
 *
 * <p>Invariant: time moves only while somebody outside waits for something, and only when nothing
 * else can happen before it does.
 *
 * <p>Thread: any.
 */
final class Stage implements AutoCloseable {
  private static final long FIRST_PAUSE_NANOS = 20_000;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000;

  /** How long threads may take to park again, on a machine that is busy with other things. */
  private static final long SETTLE_NANOS = 100_000_000;

  /** How long what a dead worker ran may take to end by itself. */
  private static final long ZOMBIE_MS = 1_000;

  private final VirtualTime time = new VirtualTime();
  private final VirtualTime.Seat engineSeat = time.newSeat();
  private final VirtualTime.Seat sleeperSeat = time.newSeat();
  private final EmbeddedBroker engine;
  private final Broker broker;
  private final ClientBroker client;
  private final Registry registry;
  private final FlowsConfig config;
  private final long patienceNanos;
  private Actor actor;
  private int deaths;

  /** A worker, the broker as it sees it, and its time. */
  private record Actor(FlowWorker worker, WorkerBroker broker, VirtualTime.Seat seat) {}

  Stage(Registry registry, FlowsConfig config, Fault fault, long patienceMs) {
    this.registry = registry;
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMs);
    this.engine = EmbeddedBroker.open(EngineConfig.inMemory(), engineSeat);
    this.broker =
        fault instanceof Fault.Twice twice
            ? new DoublingBroker(engine, config.prefix(), twice.lateMs())
            : engine;
    this.client = new ClientBroker(broker, this);
    this.config = fault instanceof Fault.Replay ? config.kept(0, 0) : config;
    this.actor = newActor(fault);
  }

  private Actor newActor(Fault its) {
    VirtualTime.Seat seat = time.newSeat();
    WorkerBroker seen = new WorkerBroker(broker, seat, its);
    FlowStore store = new FlowStore(seen, new Keys(config.prefix()));
    FlowWorker worker =
        new FlowWorker(
            store,
            registry,
            config.time(seat).worker("worker-" + (deaths + 1)),
            FlowsListener.NONE);
    return new Actor(worker, seen, seat);
  }

  /** The broker for those who are not the worker; their waits let time pass. */
  Broker client() {
    return client;
  }

  /** The clock for those who are not the worker. */
  VirtualTime.Seat clock() {
    return sleeperSeat;
  }

  FlowsConfig config() {
    return config.time(sleeperSeat);
  }

  long nowMs() {
    return time.nowMs();
  }

  /** How many times the first worker stored something. */
  synchronized int commits() {
    return actor.broker.commits();
  }

  /** Whether a worker died, as it was told to. */
  synchronized boolean died() {
    return deaths > 0 || actor.broker.isDead();
  }

  /** Puts another worker in the place of the one there is, which ends gently. */
  synchronized void replace() {
    reviveIfDead();
    actor.worker.close();
    time.remove(actor.seat);
    actor = newActor(Fault.NONE);
  }

  /** A worker that died is followed by another one, of the same code. */
  private void reviveIfDead() {
    if (!actor.broker.isDead()) {
      return;
    }
    deaths++;
    Actor dead = actor;
    dead.worker.kill(false);
    awaitGone(dead);
    time.remove(dead.seat);
    actor = newActor(Fault.NONE);
  }

  private void awaitGone(Actor dead) {
    long begun = System.nanoTime();
    boolean interrupted = false;
    while (dead.worker.busy() > 0 || dead.broker.underWay() > 0) {
      // Those that sleep would sleep for ever: time moves only for the living.
      boolean asleep = dead.worker.busy() <= sleeperSeat.parked();
      long lasted = System.nanoTime() - begun;
      if (!interrupted && (asleep || lasted > TimeUnit.MILLISECONDS.toNanos(ZOMBIE_MS))) {
        interrupted = true;
        dead.worker.kill(true);
      }
      if (lasted > 2 * TimeUnit.MILLISECONDS.toNanos(ZOMBIE_MS)) {
        return;
      }
      LockSupport.parkNanos(FIRST_PAUSE_NANOS);
    }
  }

  /**
   * Waits until there is something to see, and lets time pass for it.
   *
   * @param look answers null as long as there is nothing
   * @param untilMs how far time may go; {@link Long#MAX_VALUE} for as far as there is something due
   * @return what was seen; null if there was nothing by then
   */
  <T> @Nullable T await(Supplier<@Nullable T> look, long untilMs) {
    long begun = System.nanoTime();
    long pauseNanos = FIRST_PAUSE_NANOS;
    while (true) {
      T seen = look.get();
      if (seen != null) {
        return seen;
      }
      synchronized (this) {
        reviveIfDead();
        long dueMs = quiet();
        if (dueMs >= 0) {
          seen = look.get();
          long toMs = Math.min(dueMs, untilMs);
          if (seen != null || toMs == Long.MAX_VALUE || time.nowMs() >= untilMs) {
            return seen;
          }
          time.moveTo(toMs);
          pauseNanos = FIRST_PAUSE_NANOS;
          continue;
        }
      }
      if (System.nanoTime() - begun > patienceNanos) {
        throw new AssertionError(impatient());
      }
      LockSupport.parkNanos(pauseNanos);
      pauseNanos = Math.min(LONGEST_PAUSE_NANOS, pauseNanos + pauseNanos / 8);
    }
  }

  private synchronized String impatient() {
    return "This took longer than "
        + TimeUnit.NANOSECONDS.toSeconds(patienceNanos)
        + " s of real time. "
        + actor.worker.busy()
        + " turns and activities run, of which "
        + sleeperSeat.parked()
        + " sleep in FlowTest; the others keep time from moving.";
  }

  /**
   * Whether nothing happens before time moves, and what it may move to then.
   *
   * @return {@link Long#MAX_VALUE} if nothing is due; -1 if something is going on
   */
  private long quiet() {
    long calls = calls();
    if (!isCalm()) {
      return -1;
    }
    // The second answer comes after all who waited for something of before the first were told.
    engine.dueMs();
    engine.dueMs();
    // Who has nothing to do parks again.
    time.shake();
    boolean settled = false;
    long begun = System.nanoTime();
    while (!settled && calls == calls() && System.nanoTime() - begun < SETTLE_NANOS) {
      settled = isCalm();
      if (!settled) {
        LockSupport.parkNanos(FIRST_PAUSE_NANOS / 2);
      }
    }
    long parks = time.parks();
    long dueMs = Math.min(engine.dueMs(), actor.broker.nextLookMs(engineSeat));
    boolean calm = settled && isCalm() && calls == calls() && parks == time.parks();
    if (!calm || dueMs <= time.nowMs()) {
      return -1;
    }
    if (actor.worker.busy() == 0) {
      return dueMs;
    }
    long sooner = Math.min(sleeperSeat.dueMs(), actor.seat.dueMs());
    for (Thread thread : actor.broker.others()) {
      sooner = Math.min(sooner, engineSeat.dueMs(thread, Long.MAX_VALUE));
    }
    return Math.min(dueMs, sooner);
  }

  private long calls() {
    return actor.broker.calls() + client.calls();
  }

  private boolean isCalm() {
    FlowWorker worker = actor.worker;
    int polls = 0;
    for (Thread thread : actor.broker.polls()) {
      if (!engineSeat.isParked(thread)) {
        return false;
      }
      polls++;
    }
    int watches = 0;
    for (Thread thread : actor.broker.others()) {
      if (!engineSeat.isParked(thread)) {
        return false;
      }
      watches++;
    }
    return polls == worker.fetchers()
        && watches == worker.renewing()
        && !worker.isHealing()
        && worker.busy() == sleeperSeat.parked()
        && actor.seat.parked() == 1
        && engineSeat.parked() == polls + watches + 1
        && client.underWay() == 0
        && !actor.broker.isDead();
  }

  @Override
  public synchronized void close() {
    if (actor.broker.isDead()) {
      actor.worker.kill(true);
    } else {
      actor.worker.close();
    }
    engine.close();
  }
}
