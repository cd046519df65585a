package io.holdfast.workflow.store;

import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes that are asked for side by side, stored in one commit: those that come while one is under
 * way go together with the next.
 *
 * <p>The broker is asked on a thread of its own, in the name of the process. One that knows who
 * asks by the thread must not be asked so.
 *
 * <p>If the broker refuses what several share, the one that it blames is tried by itself, and the
 * others together again. If it blames none, or too many, or does not answer, each is tried by
 * itself.
 *
 * <p>Thread: any; what is stored is told on a virtual thread of its own.
 */
public final class SharedCommits {
  private static final Logger LOG = LoggerFactory.getLogger(SharedCommits.class);

  /** Most that share a commit. */
  private static final int TOGETHER_MAX = 256;

  /** So many are blamed at most before those that are left part. */
  private static final int BLAMED_MAX = 16;

  private static final int OPERATIONS_MAX = 4_000;
  private static final long BYTES_MAX = 1 << 20;

  /** Changes that may share a commit with others. */
  public interface Part {
    Changes changes();

    /** All of it is stored. */
    void stored();

    /**
     * It was not stored together with others, and is to be tried by itself; on a thread of its own.
     *
     * @param inDoubt why nobody knows whether it was stored all the same; null if it was not
     */
    void apart(@Nullable UnreachableException inDoubt);
  }

  private final Function<CommitRequest, Result<Committed>> commit;
  private final Keys keys;
  private final Queue<Part> waiting = new ArrayDeque<>();
  private boolean busy;

  SharedCommits(Keys keys, Function<CommitRequest, Result<Committed>> commit) {
    this.keys = keys;
    this.commit = commit;
  }

  /** Has changes stored; their part is told when they are. */
  public void add(Part part) {
    synchronized (waiting) {
      waiting.add(part);
      if (busy) {
        return;
      }
      busy = true;
    }
    start(this::run);
  }

  private static void start(Runnable action) {
    Thread.ofVirtual().name("flow-commit").start(action);
  }

  private void run() {
    List<Part> some = next();
    boolean stored = false;
    UnreachableException inDoubt = null;
    try {
      stored = store(some);
    } catch (UnreachableException trouble) {
      inDoubt = trouble;
    } catch (RuntimeException | Error trouble) {
      LOG.debug("A commit of {} failed, and each is tried by itself.", some.size(), trouble);
    }
    // First of all the next one: the broker need not wait for what follows from this one.
    handOn();
    for (Part part : some) {
      if (stored) {
        tell(part);
      } else {
        UnreachableException why = inDoubt;
        start(() -> part.apart(why));
      }
    }
  }

  private void handOn() {
    synchronized (waiting) {
      busy = !waiting.isEmpty();
      if (!busy) {
        return;
      }
    }
    start(this::run);
  }

  private List<Part> next() {
    List<Part> some = new ArrayList<>();
    int operations = 0;
    long bytes = 0;
    synchronized (waiting) {
      for (Part first = waiting.peek(); first != null; first = waiting.peek()) {
        operations += first.changes().size();
        bytes += first.changes().bytes();
        boolean fits =
            some.size() < TOGETHER_MAX && operations <= OPERATIONS_MAX && bytes <= BYTES_MAX;
        if (!fits && !some.isEmpty()) {
          break;
        }
        some.add(waiting.remove());
      }
    }
    return some;
  }

  /** Stores some together; those that are blamed are taken out, and go their own way. */
  private boolean store(List<Part> some) {
    for (int blamed = 0; ; blamed++) {
      Changes all = new Changes(keys);
      some.forEach(part -> all.add(part.changes()));
      if (all.isEmpty()) {
        return true;
      }
      CommitRequest request = all.request();
      Result<Committed> result = commit.apply(request);
      if (result.isOk()) {
        return true;
      }
      Part culprit = blamed < BLAMED_MAX ? culprit(some, request, result.refusal()) : null;
      if (culprit == null || some.size() == 1) {
        return false;
      }
      some.remove(culprit);
      start(() -> culprit.apart(null));
    }
  }

  private static @Nullable Part culprit(List<Part> some, CommitRequest request, Refusal refusal) {
    int at = refusal.operation();
    if (at < 0 || at >= request.operations().size()) {
      return null;
    }
    Operation blamed = request.operations().get(at);
    return some.stream().filter(part -> part.changes().has(blamed)).findFirst().orElse(null);
  }

  private static void tell(Part part) {
    try {
      part.stored();
    } catch (RuntimeException | Error wrong) {
      LOG.error("What follows from a commit failed; the commit is stored.", wrong);
    }
  }

  /**
   * Stores changes, together with others if there are some, and waits until they are.
   *
   * @return why they were refused; null if they are stored
   * @throws UnreachableException if nobody knows whether they are
   */
  public @Nullable Refusal commit(Changes changes) {
    CompletableFuture<Result<Boolean>> answer = new CompletableFuture<>();
    add(
        new Part() {
          @Override
          public Changes changes() {
            return changes;
          }

          @Override
          public void stored() {
            answer.complete(Result.ok(true));
          }

          @Override
          public void apart(@Nullable UnreachableException inDoubt) {
            try {
              if (inDoubt != null) {
                throw inDoubt;
              }
              answer.complete(commit.apply(changes.request()).map(done -> true));
            } catch (RuntimeException | Error trouble) {
              answer.completeExceptionally(trouble);
            }
          }
        });
    Result<Boolean> result;
    try {
      result = answer.join();
    } catch (CompletionException thrown) {
      if (thrown.getCause() instanceof RuntimeException trouble) {
        throw trouble;
      }
      throw thrown;
    }
    return result.isOk() ? null : result.refusal();
  }
}
