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
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An engine, its workers, and the time they live in. There is one worker, or two that alternate.
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
  private final boolean isAlternating;
  private AlternatingTurns turns;
  private List<Actor> actors;
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
    this.isAlternating = fault instanceof Fault.TwoWorkers;
    this.turns = new AlternatingTurns(engineSeat, config.prefix());
    this.actors = newActors(fault);
  }

  private List<Actor> newActors(Fault its) {
    if (!isAlternating) {
      return List.of(newActor(its, WorkerBroker.Pops.DIRECT));
    }
    AlternatingTurns shared = turns;
    return IntStream.range(0, AlternatingTurns.WORKERS)
        .mapToObj(number -> newActor(its, (request, direct) -> shared.pop(number, request, direct)))
        .toList();
  }

  private Actor newActor(Fault its, WorkerBroker.Pops pops) {
    VirtualTime.Seat seat = time.newSeat();
    WorkerBroker seen = new WorkerBroker(broker, seat, its, pops);
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
    return actors.stream().mapToInt(actor -> actor.broker.commits()).sum();
  }

  /** Whether a worker died, as it was told to. */
  synchronized boolean died() {
    return deaths > 0 || isDead();
  }

  private boolean isDead() {
    return actors.stream().anyMatch(actor -> actor.broker.isDead());
  }

  /** Puts other workers in the place of those there are, which end gently. */
  synchronized void replace() {
    reviveIfDead();
    closeWorkers();
    actors.forEach(actor -> time.remove(actor.seat));
    turns = new AlternatingTurns(engineSeat, config.prefix());
    actors = newActors(Fault.NONE);
  }

  private void closeWorkers() {
    actors.forEach(this::close);
    turns.close(engine);
  }

  private void close(Actor actor) {
    // Those that sleep would sleep for ever: time does not move here.
    boolean asleep = busy() == sleeperSeat.parked();
    if (asleep) {
      actor.worker.close(0);
    } else {
      actor.worker.close();
    }
  }

  /** A worker that died is followed by another one, of the same code. */
  private void reviveIfDead() {
    if (!isDead()) {
      return;
    }
    deaths++;
    for (Actor dead : actors) {
      dead.worker.kill(false);
      awaitGone(dead);
      time.remove(dead.seat);
    }
    actors = newActors(Fault.NONE);
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
        + busy()
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
    long dueMs = engine.dueMs();
    for (Actor actor : actors) {
      dueMs = Math.min(dueMs, actor.broker.nextLookMs(engineSeat));
    }
    boolean calm = settled && isCalm() && calls == calls() && parks == time.parks();
    if (!calm || dueMs <= time.nowMs()) {
      return -1;
    }
    return busy() == 0 ? dueMs : Math.min(dueMs, dueForWorkersMs());
  }

  /** What those wait for that run something. */
  private long dueForWorkersMs() {
    long sooner = sleeperSeat.dueMs();
    for (Actor actor : actors) {
      sooner = Math.min(sooner, actor.seat.dueMs());
      for (Thread thread : actor.broker.others()) {
        sooner = Math.min(sooner, engineSeat.dueMs(thread, Long.MAX_VALUE));
      }
    }
    return sooner;
  }

  private int busy() {
    return actors.stream().mapToInt(actor -> actor.worker.busy()).sum();
  }

  private long calls() {
    return actors.stream().mapToLong(actor -> actor.broker.calls()).sum() + client.calls();
  }

  private boolean isCalm() {
    int parked = 1;
    for (Actor actor : actors) {
      int waiting = parkedCalls(actor);
      if (waiting < 0) {
        return false;
      }
      parked += waiting;
    }
    return busy() == sleeperSeat.parked()
        && engineSeat.parked() == parked
        && client.underWay() == 0;
  }

  /** How many calls of a worker wait in the engine; -1 if the worker does something else. */
  private int parkedCalls(Actor actor) {
    FlowWorker worker = actor.worker;
    int polls = parked(actor.broker.polls());
    int watches = parked(actor.broker.others());
    boolean calm =
        polls == worker.fetchers()
            && watches == worker.renewing()
            && !worker.isHealing()
            && actor.seat.parked() == 1
            && !actor.broker.isDead();
    return calm ? polls + watches : -1;
  }

  /** How many of some threads there are, if all of them wait in the engine; -1 if one does not. */
  private int parked(Iterable<Thread> threads) {
    int parked = 0;
    for (Thread thread : threads) {
      if (!engineSeat.isParked(thread)) {
        return -1;
      }
      parked++;
    }
    return parked;
  }

  @Override
  public synchronized void close() {
    if (isDead()) {
      actors.forEach(actor -> actor.worker.kill(true));
    } else {
      closeWorkers();
    }
    engine.close();
  }
}
