package io.holdfast.workflow.test;

import io.holdfast.api.Broker;
import io.holdfast.api.Delivery;
import io.holdfast.api.PopRequest;
import io.holdfast.api.Popped;
import io.holdfast.api.Result;
import io.holdfast.api.Settle;
import io.holdfast.api.SettleRequest;
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

  private final VirtualTime.Seat time;
  private final Map<String, Integer> lastWorkers = new HashMap<>();
  private final List<Queue<Result<Popped>>> given =
      List.of(new ArrayDeque<>(), new ArrayDeque<>());
  private final Set<Thread> waiting = new HashSet<>();
  private boolean popping;

  AlternatingTurns(VirtualTime.Seat time) {
    this.time = time;
  }

  /**
   * The next turn for a worker.
   *
   * @param worker 0 or 1
   */
  Result<Popped> pop(
      int worker, PopRequest request, Function<PopRequest, Result<Popped>> broker) {
    long deadlineNanos = time.nanos() + request.waitMs() * NANOS_PER_MS;
    while (true) {
      Result<Popped> mine = awaitPop(worker, deadlineNanos);
      if (mine != null) {
        return mine;
      }
      Result<Popped> popped;
      try {
        long leftMs = Math.max(0, (deadlineNanos - time.nanos()) / NANOS_PER_MS);
        popped = broker.apply(request.partitions(1).waitMs(leftMs));
      } finally {
        endPop();
      }
      if (!popped.isOk() || popped.orThrow().isEmpty() || isFor(worker, popped)) {
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

  private synchronized void endPop() {
    popping = false;
    waiting.forEach(LockSupport::unpark);
  }

  /** Whether a turn is for this worker; otherwise it is given to the other one. */
  private synchronized boolean isFor(int worker, Result<Popped> popped) {
    String flow = popped.orThrow().messages().getFirst().message().partition();
    int next =
        lastWorkers.merge(flow, worker, (last, popper) -> WORKERS - 1 - last);
    if (next == worker) {
      return true;
    }
    given.get(next).add(popped);
    waiting.forEach(LockSupport::unpark);
    return false;
  }

  /** Returns to the queue what was given to a worker that has stopped. */
  synchronized void close(Broker broker) {
    for (Queue<Result<Popped>> turns : given) {
      for (Result<Popped> turn : turns) {
        List<Settle> releases =
            turn.orThrow().messages().stream()
                .map(Delivery::handle)
                .map(Settle::release)
                .toList();
        broker.settle(new SettleRequest(releases, false)).orThrow();
      }
      turns.clear();
    }
  }
}
