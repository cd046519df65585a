package io.holdfast.workflow.test;

import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives the turns of each flow to two workers alternately. From its third turn on, a flow is
 * therefore always in the memory of the worker that gets it, as it was two turns before.
 *
 * <p>One worker at a time pops from the broker, one flow at a time. If the flow is for the other
 * worker, that one gets the popped messages with their lease. The worker that does not pop is
 * parked in the time of the engine, as one that waits in the engine is.
 *
 * <p>Thread: any.
 */
final class AlternatingTurns {
  static final int WORKERS = 2;

  private static final long NANOS_PER_MS = 1_000_000;

  private static final Result<Popped> NOTHING =
      Result.ok(new Popped(List.of(), "", 0, Popped.Reason.EMPTY, 0, List.of()));

  private final TimeSource time;
  private final PopSource queue;
  private final Map<String, Integer> lastWorkers = new HashMap<>();
  private final List<Queue<Result<Popped>>> given = List.of(new ArrayDeque<>(), new ArrayDeque<>());
  private final Set<Thread> waiting = new HashSet<>();
  private boolean popping;

  /**
   * @param time of the engine
   * @param queue in which messages to flows are
   */
  AlternatingTurns(TimeSource time, String queue) {
    this.time = time;
    this.queue = new PopSource.WholeQueue(queue);
  }

  /**
   * The next turn for a worker; a pop from another queue goes to the broker.
   *
   * @param worker 0 or 1
   */
  Result<Popped> pop(int worker, PopRequest request, Function<PopRequest, Result<Popped>> broker) {
    if (!request.source().equals(queue)) {
      return broker.apply(request);
    }
    long deadlineNanos = time.nanos() + request.waitMs() * NANOS_PER_MS;
    while (true) {
      Result<Popped> mine = awaitPop(worker, deadlineNanos);
      if (mine != null) {
        return mine;
      }
      Result<Popped> popped = NOTHING;
      boolean isMine;
      try {
        long leftMs = Math.max(0, (deadlineNanos - time.nanos()) / NANOS_PER_MS);
        // Not sticky: the turn may be for the other worker.
        popped = broker.apply(request.partitions(1).waitMs(leftMs).stickyMs(0));
      } finally {
        isMine = endPop(worker, popped);
      }
      if (isMine) {
        return popped;
      }
    }
  }

  /**
   * Waits until the worker may pop.
   *
   * @return the turn that it was given instead, or nothing if its time is over; null if it may pop
   */
  private @Nullable Result<Popped> awaitPop(int worker, long deadlineNanos) {
    Thread thread = Thread.currentThread();
    try {
      while (true) {
        synchronized (this) {
          Result<Popped> mine = given.get(worker).poll();
          if (mine != null) {
            return mine;
          }
          if (!popping) {
            popping = true;
            return null;
          }
          if (thread.isInterrupted() || time.nanos() >= deadlineNanos) {
            return NOTHING;
          }
          waiting.add(thread);
        }
        time.parkUntil(deadlineNanos);
      }
    } finally {
      synchronized (this) {
        waiting.remove(thread);
      }
    }
  }

  /**
   * Lets the other worker pop, unless the turn is for it: then it gets the turn. Both in one step,
   * for a worker that pops is not woken for a turn that it is given.
   *
   * @return whether the turn is for the worker that popped it
   */
  private synchronized boolean endPop(int worker, Result<Popped> popped) {
    popping = false;
    boolean isMine = !popped.isOk() || popped.orThrow().isEmpty() || next(popped, worker) == worker;
    if (!isMine) {
      given.get(WORKERS - 1 - worker).add(popped);
    }
    waiting.forEach(LockSupport::unpark);
    return isMine;
  }

  /** The worker that is to have a turn: the one that did not have the last; at first the popper. */
  private int next(Result<Popped> popped, int popper) {
    String flow = popped.orThrow().messages().getFirst().message().partition();
    return lastWorkers.merge(flow, popper, (last, ignored) -> WORKERS - 1 - last);
  }

  /** Returns to the queue what was given to a worker that has stopped. */
  synchronized void close(Broker broker) {
    for (Queue<Result<Popped>> turns : given) {
      for (Result<Popped> turn : turns) {
        List<Settle> releases =
            turn.orThrow().messages().stream().map(Delivery::handle).map(Settle::release).toList();
        broker.settle(new SettleRequest(releases, false)).orThrow();
      }
      turns.clear();
    }
  }
}
