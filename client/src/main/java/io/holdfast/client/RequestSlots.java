package io.holdfast.client;

import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.OpenedSession;
import io.holdfast.api.commit.RequestNumber;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The slots in which a client numbers its requests, so that the broker executes none of them twice.
 * A session is opened when the first slot is needed, and another one when its slots are used up or
 * the broker has dropped it.
 *
 * <p>Invariant: a slot is used by one request at a time, and its sequence only grows. There are as
 * many slots as there were requests at the same time.
 *
 * <p>Thread: any.
 */
public final class RequestSlots {
  private static final class Session {
    private final String id;
    private int slots;
    private volatile boolean dropped;

    Session(String id) {
      this.id = id;
    }
  }

  /** A slot, used by one request. */
  final class Slot {
    private final Session session;
    private final int index;
    private long sequence;

    private Slot(Session session, int index) {
      this.session = session;
      this.index = index;
    }

    RequestNumber number() {
      return new RequestNumber(session.id, index, sequence);
    }

    /** The broker does not know the session any more. */
    void sessionDropped() {
      session.dropped = true;
    }

    /** The request has ended, whatever became of it. */
    void release() {
      lock.lock();
      try {
        free.push(this);
      } finally {
        lock.unlock();
      }
    }
  }

  private final Supplier<Result<OpenedSession>> opener;
  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock opening = new ReentrantLock();
  private final ArrayDeque<Slot> free = new ArrayDeque<>();
  private final Supplier<? extends CompletableFuture<Result<OpenedSession>>> asyncOpener;
  private @Nullable Session current;
  private @Nullable CompletableFuture<Result<OpenedSession>> beingOpened;

  /**
   * @param opener opens a session at the broker
   */
  public RequestSlots(Supplier<Result<OpenedSession>> opener) {
    this(opener, () -> CompletableFuture.supplyAsync(opener, RequestSlots::runOnThread));
  }

  /**
   * @param opener opens a session at the broker
   * @param asyncOpener does so without blocking
   */
  public RequestSlots(
      Supplier<Result<OpenedSession>> opener,
      Supplier<? extends CompletableFuture<Result<OpenedSession>>> asyncOpener) {
    this.opener = opener;
    this.asyncOpener = asyncOpener;
  }

  private static void runOnThread(Runnable task) {
    Thread thread = new Thread(task, "holdfast-session");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Takes a slot for a request that has not been sent yet.
   *
   * @return the broker's refusal if it does not open a session
   * @throws UnreachableException if it cannot be asked to; the request has had no effect
   */
  Result<Slot> take() {
    Slot slot = takeKnown();
    if (slot != null) {
      return Result.ok(slot);
    }
    opening.lock();
    try {
      while (true) {
        slot = takeKnown();
        if (slot != null) {
          return Result.ok(slot);
        }
        Result<OpenedSession> opened = opener.get();
        if (!opened.isOk()) {
          return Result.refused(opened.refusal());
        }
        begin(new Session(opened.orThrow().id()));
      }
    } catch (UnreachableException unopened) {
      throw notOpened(unopened);
    } finally {
      opening.unlock();
    }
  }

  private static UnreachableException notOpened(UnreachableException cause) {
    return new UnreachableException(
        "no session could be opened: " + cause.getMessage(), false, cause);
  }

  /** {@link #take} without blocking; requests that need a session wait for the same one. */
  CompletableFuture<Result<Slot>> takeAsync() {
    Slot slot = takeKnown();
    if (slot != null) {
      return CompletableFuture.completedFuture(Result.ok(slot));
    }
    return session()
        .thenCompose(
            opened ->
                opened.isOk()
                    ? takeAsync()
                    : CompletableFuture.completedFuture(Result.refused(opened.refusal())));
  }

  private CompletableFuture<Result<OpenedSession>> session() {
    CompletableFuture<Result<OpenedSession>> result;
    lock.lock();
    try {
      if (beingOpened != null) {
        return beingOpened;
      }
      result = new CompletableFuture<>();
      beingOpened = result;
    } finally {
      lock.unlock();
    }
    Completion.then(asyncOpener.get(), (opened, failure) -> opened(result, opened, failure));
    return result;
  }

  private void opened(
      CompletableFuture<Result<OpenedSession>> result,
      @Nullable Result<OpenedSession> opened,
      @Nullable Throwable failure) {
    lock.lock();
    try {
      beingOpened = null;
      if (opened != null && opened.isOk()) {
        current = new Session(opened.orThrow().id());
      }
    } finally {
      lock.unlock();
    }
    if (opened != null) {
      result.complete(opened);
      return;
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof UnreachableException unopened) {
      result.completeExceptionally(notOpened(unopened));
    } else {
      result.completeExceptionally(
          cause == null ? new IllegalStateException("no session was opened") : cause);
    }
  }

  private void begin(Session session) {
    lock.lock();
    try {
      current = session;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Slot takeKnown() {
    lock.lock();
    try {
      Slot slot = free.poll();
      while (slot != null && slot.session.dropped) {
        slot = free.poll();
      }
      Session session = current;
      if (slot == null
          && session != null
          && !session.dropped
          && session.slots < Limits.SESSION_SLOTS_MAX) {
        slot = new Slot(session, session.slots++);
      }
      if (slot != null) {
        slot.sequence++;
      }
      return slot;
    } finally {
      lock.unlock();
    }
  }
}
