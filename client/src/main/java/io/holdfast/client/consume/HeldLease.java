package io.holdfast.client.consume;

import io.holdfast.api.Popped;
import io.holdfast.api.Position;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one pop, the lease that holds them, and the thread that handles them.
 *
 * <p>Invariant: exactly one of the worker that handles it and the stop that cannot wait for it ends
 * it; only the handler's own thread is interrupted, and only while it is in the handler.
 *
 * <p>Thread: any.
 */
final class HeldLease {
  final String id;
  final long lengthMs;
  final AckMode ackMode;
  final List<HeldMessage> messages;
  private volatile long endNanos;
  private volatile boolean lost;
  private boolean over;
  private @Nullable Thread handler;
  private List<HeldMessage> inHand = List.of();

  HeldLease(Popped popped, long lengthMs, long endNanos, AckMode ackMode, Settling settling) {
    this.id = popped.leaseId();
    this.lengthMs = lengthMs;
    this.ackMode = ackMode;
    this.endNanos = endNanos;
    this.messages =
        popped.messages().stream()
            .map(delivery -> new HeldMessage(delivery, this, settling))
            .toList();
  }

  /** Whether there is a lease at all: what was acked at delivery has none. */
  boolean exists() {
    return !id.isEmpty();
  }

  boolean isLost() {
    return lost;
  }

  long endNanos() {
    return endNanos;
  }

  /** The lease lasts at least until then. */
  void extendTo(long nanos) {
    synchronized (this) {
      if (nanos - endNanos > 0) {
        endNanos = nanos;
      }
    }
  }

  /** Whether somebody still works on it and would be sorry to lose it. */
  synchronized boolean isWanted() {
    return !over && !lost && openCount() > 0;
  }

  private int openCount() {
    return (int) messages.stream().filter(HeldMessage::isOpen).count();
  }

  /** The handler begins with some messages; false if it need not, because they are gone. */
  synchronized boolean enter(List<HeldMessage> current) {
    if (over || lost) {
      return false;
    }
    handler = Thread.currentThread();
    inHand = current;
    return true;
  }

  /** The handler is done with them; an interrupt that came late is forgotten. */
  synchronized void leave() {
    handler = null;
    inHand = List.of();
    Thread.interrupted();
  }

  /**
   * The lease has ended under the handler.
   *
   * @return how many messages that concerns; 0 if nobody minds
   */
  int lose() {
    synchronized (this) {
      if (!isWanted()) {
        return 0;
      }
      int open = openCount();
      lost = true;
      interrupt();
      return open;
    }
  }

  /** Messages were taken out of the lease; a handler that has only such ones is interrupted. */
  synchronized void cancelled(List<Position> positions) {
    boolean news = false;
    for (HeldMessage message : messages) {
      if (message.isOpen() && positions.contains(message.handle().position())) {
        message.markCancelled();
        news = true;
      }
    }
    if (news && inHand.stream().allMatch(HeldMessage::isCancelled)) {
      interrupt();
    }
  }

  private void interrupt() {
    if (handler != null) {
      handler.interrupt();
    }
  }

  /** Somebody ends it; false if somebody else has done so already. */
  synchronized boolean end() {
    boolean mine = !over;
    over = true;
    return mine;
  }

  synchronized boolean isOver() {
    return over;
  }

  /** The handler is interrupted, if it runs. */
  synchronized void disturb() {
    interrupt();
  }

  /** What the handler has done and nobody has settled: all of it is to be acked. */
  List<HeldMessage> done() {
    return messages.stream().filter(message -> message.isOpen() && message.isDone()).toList();
  }

  /** What has not been handled. */
  List<HeldMessage> left() {
    return messages.stream().filter(message -> message.isOpen() && !message.isDone()).toList();
  }
}
