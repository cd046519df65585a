package io.holdfast.workflow.worker;

import io.holdfast.api.Handle;
import io.holdfast.api.UnreachableException;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.Changes;
import io.holdfast.workflow.store.FlowStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stores what activities brought, each with the ack of its message; those that end while a commit
 * is under way share the next one.
 *
 * <p>So a flow with many activities gets many results in one turn. If the broker refuses a shared
 * commit, because one of the messages is somebody else's by now, each is stored by itself.
 *
 * <p>Thread: any; one of the callers commits for all.
 */
final class Results {
  private static final int TOGETHER_MAX = 64;
  private static final long BYTES_MAX = 1 << 20;

  private final FlowStore store;
  private final Commits commits;
  private final Queue<Result> waiting = new ArrayDeque<>();
  private boolean busy;

  private static final class Result {
    final Handle held;
    final String flow;
    final TurnMessage message;
    final Thread caller = Thread.currentThread();
    volatile boolean stored;
    volatile boolean leads;
    volatile @Nullable RuntimeException trouble;

    Result(Handle held, String flow, TurnMessage message) {
      this.held = held;
      this.flow = flow;
      this.message = message;
    }

    long bytes() {
      return message instanceof TurnMessage.Complete complete ? complete.result().length : 0;
    }
  }

  Results(FlowStore store, Commits commits) {
    this.store = store;
    this.commits = commits;
  }

  /** Stores a result, and waits until it is, or is of no use any more. */
  void store(Handle held, String flow, TurnMessage message) {
    Result mine = new Result(held, flow, message);
    synchronized (waiting) {
      waiting.add(mine);
      mine.leads = !busy;
      busy = true;
    }
    boolean interrupted = false;
    while (!mine.stored && !mine.leads) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    while (!mine.stored) {
      commit(next());
    }
    if (mine.leads) {
      handOver();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    RuntimeException trouble = mine.trouble;
    if (trouble != null) {
      throw trouble;
    }
  }

  private List<Result> next() {
    List<Result> some = new ArrayList<>();
    long bytes = 0;
    synchronized (waiting) {
      while (!waiting.isEmpty() && some.size() < TOGETHER_MAX && bytes < BYTES_MAX) {
        Result result = waiting.remove();
        bytes += result.bytes();
        some.add(result);
      }
    }
    return some;
  }

  /** The next one that waits commits from now on. */
  private void handOver() {
    Result next;
    synchronized (waiting) {
      next = waiting.peek();
      busy = next != null;
    }
    if (next != null) {
      next.leads = true;
      LockSupport.unpark(next.caller);
    }
  }

  private void commit(List<Result> some) {
    try {
      if (some.size() == 1 || !isStored(some)) {
        some.forEach(this::commitAlone);
      }
    } catch (RuntimeException trouble) {
      some.forEach(result -> result.trouble = trouble);
    } finally {
      for (Result result : some) {
        result.stored = true;
        LockSupport.unpark(result.caller);
      }
    }
  }

  private boolean isStored(List<Result> some) {
    Changes changes = store.changes();
    for (Result result : some) {
      changes.ack(List.of(result.held)).send(result.flow, result.message);
    }
    try {
      return store.commit(changes).isOk();
    } catch (UnreachableException inDoubt) {
      // What was stored all the same is known by its ack.
      return false;
    }
  }

  private void commitAlone(Result result) {
    commits.commit(
        List.of(result.held),
        left -> {
          Changes changes = store.changes();
          return left.isEmpty() ? changes : changes.ack(left).send(result.flow, result.message);
        });
  }
}
