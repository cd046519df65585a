package io.holdfast.client.remote;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A request on a {@link FrameConnection}, until its answer has come or nobody waits for it any
 * more.
 *
 * <p>Invariant: it gets one outcome. An answer after that is late, and is given to its listener.
 *
 * <p>Thread: any.
 */
final class PendingCall {
  /** Receives the outcome of a call. */
  interface Listener {
    /**
     * The outcome of a call without a thread that waits for it: see {@link #reply}. It must not
     * block.
     */
    default void ended(PendingCall call) {}

    /** An answer came after the call had ended without one. It must not block. */
    default void late(Reply reply) {}
  }

  private static final int NOT_SENT_YET = 0;
  private static final int BEING_SENT = 1;
  private static final int WITHDRAWN = 2;

  final byte[] frame;

  /** Whether the server may wait before it answers. */
  final boolean waits;

  /** How long the answer may take, beyond that wait. */
  final long answerMs;

  private final Listener listener;
  private final @Nullable Thread waiter;
  private final AtomicReference<@Nullable Object> outcome = new AtomicReference<>();
  private volatile long deadlineNanos;
  private volatile int sending = NOT_SENT_YET;
  private volatile boolean stopped;
  private volatile boolean interrupted;
  volatile int id;

  /** The number of bytes that the connection has sent when this request is sent; 0: unknown. */
  volatile long endOffset;

  /**
   * @param waitMs how long the server may wait before it answers
   * @param waiter the thread that waits; null if there is a listener instead
   */
  PendingCall(
      byte[] frame, long waitMs, long answerMs, Listener listener, @Nullable Thread waiter) {
    this.frame = frame;
    this.waits = waitMs > 0;
    this.answerMs = answerMs;
    this.listener = listener;
    this.waiter = waiter;
    this.deadlineNanos = System.nanoTime() + (waitMs + answerMs) * 1_000_000;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  boolean isBlocking() {
    return waiter != null;
  }

  boolean isDone() {
    return outcome.get() != null;
  }

  /** Its bytes are about to be sent; false if it was withdrawn. */
  synchronized boolean beginSending() {
    if (sending == NOT_SENT_YET) {
      sending = BEING_SENT;
    }
    return sending == BEING_SENT;
  }

  /** Withdraws it; false if its bytes may be on their way. */
  synchronized boolean withdraw() {
    if (sending == NOT_SENT_YET) {
      sending = WITHDRAWN;
    }
    return sending == WITHDRAWN;
  }

  /** The server is to answer now; returns whether a frame has to be sent for that. */
  synchronized boolean stop() {
    if (stopped || !waits) {
      return false;
    }
    stopped = true;
    deadlineNanos = System.nanoTime() + answerMs * 1_000_000;
    return true;
  }

  /** Gives it its answer; false if it had ended without one, so that the answer is late. */
  boolean answer(Reply reply) {
    boolean inTime = outcome.compareAndSet(null, reply);
    if (!inTime) {
      listener.late(reply);
    }
    return inTime;
  }

  boolean fail(IOException failure) {
    return outcome.compareAndSet(null, failure);
  }

  /** Lets whoever waits for the outcome continue. Dependent actions run on this thread. */
  void tell() {
    if (waiter == null) {
      listener.ended(this);
    } else {
      LockSupport.unpark(waiter);
    }
  }

  /** The thread that waits for it was interrupted meanwhile. */
  void noteInterrupt() {
    interrupted = true;
  }

  boolean wasInterrupted() {
    return interrupted;
  }

  /**
   * The answer.
   *
   * @throws NotSentException if the request was not sent, or not all of it
   * @throws IOException if there is no answer
   */
  Reply reply() throws IOException {
    Object result = outcome.get();
    if (result instanceof Reply reply) {
      return reply;
    }
    if (result instanceof IOException failure) {
      throw failure;
    }
    throw new IllegalStateException("the call has not ended");
  }
}
