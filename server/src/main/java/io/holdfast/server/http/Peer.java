package io.holdfast.server.http;

import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The client at the other end of a connection: its address, and whether it has gone.
 *
 * <p>A client that sends no more may still read, so a call that is at work is answered. A call that
 * waits ends when its client sends no more, because most clients that do are gone, or when its
 * caller would not be let in any more: its thread is interrupted, or its future cancelled.
 *
 * <p>Invariant: at most one call of a connection waits at a time.
 *
 * <p>Thread: any.
 */
public final class Peer {
  private final @Nullable SocketAddress address;
  private final Parked parked;
  private volatile boolean gone;
  private boolean ended;
  private @Nullable Runnable interrupt;
  private @Nullable Pass pass;

  /**
   * @param address null if it is not known
   * @param parked where it is found while a call of it waits
   */
  public Peer(@Nullable SocketAddress address, Parked parked) {
    this.address = address;
    this.parked = parked;
  }

  @Nullable SocketAddress address() {
    return address;
  }

  /** Whether no answer is to be sent, because nobody would get it. */
  public boolean isGone() {
    return gone;
  }

  /** The client sends no more, but may still read. */
  public synchronized void end() {
    ended = true;
    if (interrupt != null) {
      leave();
    }
  }

  /** The connection is closed. */
  public synchronized void leave() {
    ended = true;
    gone = true;
    if (interrupt != null) {
      interrupt.run();
    }
  }

  synchronized void leaveUnlessGood() {
    if (pass != null && !pass.isGood()) {
      leave();
    }
  }

  /** Waits in a way that an interrupt ends. */
  public <T> T watching(Pass caller, Supplier<T> wait) {
    watch(caller, Thread.currentThread()::interrupt);
    try {
      return wait.get();
    } finally {
      unwatch();
      if (gone) {
        // The rest of the call is not to be interrupted.
        Thread.interrupted();
      }
    }
  }

  /** Cancels a future when the client has gone, until it is completed. */
  public void watching(Pass caller, CompletableFuture<?> wait) {
    watch(caller, () -> wait.cancel(false));
    var _ = wait.whenComplete((value, failure) -> unwatch());
  }

  private void watch(Pass caller, Runnable whenGone) {
    parked.add(this);
    synchronized (this) {
      pass = caller;
      interrupt = whenGone;
      if (ended) {
        leave();
      }
    }
    // A token that is revoked from here on is found by Parked.
    leaveUnlessGood();
  }

  private void unwatch() {
    synchronized (this) {
      interrupt = null;
      pass = null;
    }
    parked.remove(this);
  }
}
