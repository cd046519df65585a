package io.holdfast.client.consume;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.message.Position;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one pop, and the thread that handles them.
 *
 * <p>Invariant: exactly one of the worker that handles it and the stop that cannot wait for it ends
 * it; only the handler's own thread is interrupted, and only while it is in the handler.
 *
 * <p>Thread: any, under the lock of its lease.
 */
final class HeldBatch {
  final HeldLease lease;
  final AckMode ackMode;
  final List<HeldMessage> messages;
  private boolean over;
  private @Nullable Thread handler;
  private List<HeldMessage> inHand = List.of();

  HeldBatch(HeldLease lease, List<Delivery> deliveries, AckMode ackMode, Settling settling) {
    this.lease = lease;
    this.ackMode = ackMode;
    this.messages =
        deliveries.stream().map(delivery -> new HeldMessage(delivery, lease, settling)).toList();
  }

  /** Whether somebody still works on it, or will. */
  boolean isWanted() {
    synchronized (lease) {
      return !over && openCount() > 0;
    }
  }

  int openCount() {
    return (int) messages.stream().filter(HeldMessage::isOpen).count();
  }

  /** The handler begins with some messages; false if it need not, because they are gone. */
  boolean enter(List<HeldMessage> current) {
    synchronized (lease) {
      if (over || lease.isLost()) {
        return false;
      }
      handler = Thread.currentThread();
      inHand = current;
      return true;
    }
  }

  /** The handler is done with them; an interrupt that came late is forgotten. */
  void leave() {
    synchronized (lease) {
      handler = null;
      inHand = List.of();
      Thread.interrupted();
    }
  }

  /** Messages were taken out of the lease; a handler that has only such ones is interrupted. */
  void cancelled(List<Position> positions) {
    synchronized (lease) {
      boolean news = false;
      for (HeldMessage message : messages) {
        if (message.isOpen() && positions.contains(message.handle().position())) {
          message.markCancelled();
          news = true;
        }
      }
      if (news && inHand.stream().allMatch(HeldMessage::isCancelled)) {
        disturb();
      }
    }
  }

  /** The handler is interrupted, if it runs. */
  void disturb() {
    synchronized (lease) {
      if (handler != null) {
        handler.interrupt();
      }
    }
  }

  /** Somebody ends it; false if somebody else has done so already. */
  boolean end() {
    synchronized (lease) {
      boolean mine = !over;
      over = true;
      return mine;
    }
  }

  boolean isOver() {
    synchronized (lease) {
      return over;
    }
  }

  /** What is still to be handled, or settled. */
  List<HeldMessage> open() {
    return messages.stream().filter(HeldMessage::isOpen).toList();
  }

  /** What the handler has done and nobody has settled: all of it is to be acked. */
  List<HeldMessage> done() {
    return messages.stream().filter(message -> message.isOpen() && message.isDone()).toList();
  }

  /** What has not been handled. */
  List<HeldMessage> left() {
    return messages.stream().filter(message -> message.isOpen() && !message.isDone()).toList();
  }

  /** The partitions in which a message of this batch is not done for good. */
  Set<String> unfinished() {
    return messages.stream()
        .filter(HeldMessage::isUnfinished)
        .map(HeldMessage::partition)
        .collect(Collectors.toSet());
  }

  /** The only partition it is of; null if there are several. */
  @Nullable String onlyPartition() {
    String first = messages.get(0).partition();
    return messages.stream().allMatch(message -> message.partition().equals(first)) ? first : null;
  }
}
