package io.holdfast.client.acks;

import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Popped;
import io.holdfast.client.acks.AckSender.Order;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the messages of a lease to a handler one by one, and under auto-ack settles them.
 *
 * <p>It does not run past a failed message of an ordered partition that blocks: those behind it are
 * given back, uncharged.
 *
 * <p>Thread: the worker of its subscription; {@link #failed} may be called by any.
 */
final class Dispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  private final Topic topic;
  private final String subId;
  private final MessageHandler handler;
  private final BooleanSupplier autoAck;
  private final TimeSource time;
  private final Outbox outbox;

  /** The partitions of the current lease of which a message has failed. */
  private final Set<Long> failed = ConcurrentHashMap.newKeySet();

  Dispatcher(
      Topic topic,
      String subId,
      MessageHandler handler,
      BooleanSupplier autoAck,
      TimeSource time,
      Outbox outbox) {
    this.topic = topic;
    this.subId = subId;
    this.handler = handler;
    this.autoAck = autoAck;
    this.time = time;
    this.outbox = outbox;
  }

  /** A message was nacked by its holder. */
  void failed(Bookmark bookmark) {
    failed.add(bookmark.position().partition());
  }

  /**
   * Handles what a pop brought. What it does not get to stays held.
   *
   * @param overNanos when the lease is over for sure
   * @param goOn whether to begin another message; those settled at delivery are handled all the
   *     same
   * @param forced whether the handler has been interrupted, so that its failure is not the
   *     message's
   */
  void handle(
      Popped popped,
      QueueRules rules,
      long overNanos,
      BooleanSupplier goOn,
      BooleanSupplier forced) {
    failed.clear();
    Deque<Delivery> left = new ArrayDeque<>(popped.messages());
    while (!left.isEmpty() && !forced.getAsBoolean()) {
      QueueMessage message = QueueMessage.of(topic, subId, left.element(), popped.leaseUntilMs());
      if (message.isAckable() && !goOn.getAsBoolean()) {
        return;
      }
      if (message.isAckable() && time.nanos() - overNanos >= 0) {
        LOG.warn(
            "The lease of {} messages of subscription {} ended before they were handled; they will"
                + " be delivered again. Use a longer lease or a smaller batch.",
            left.size(),
            subId);
        left.clear();
      } else {
        Throwable thrown = call(message);
        Delivery handled = left.remove();
        if (!forced.getAsBoolean()) {
          end(message, handled, thrown, rules.blocks() ? left : new ArrayDeque<>());
        }
      }
    }
    if (rules.ordered() && left.isEmpty()) {
      // The partition is locked until its lease is settled: nothing more would come to fill it.
      outbox.flushByItself();
    }
  }

  private @Nullable Throwable call(QueueMessage message) {
    try {
      handler.handle(message);
      return null;
    } catch (Throwable thrown) {
      return thrown;
    } finally {
      // The mark of an interrupt would cut short the ack that follows.
      Thread.interrupted();
    }
  }

  private void end(
      QueueMessage message, Delivery handled, @Nullable Throwable thrown, Deque<Delivery> behind) {
    if (thrown != null) {
      outbox.tell(told -> told.handlerFailed(message, thrown));
    }
    List<Order> orders = new ArrayList<>();
    if (autoAck.getAsBoolean() && message.isAckable()) {
      Bookmark bookmark = Bookmark.of(handled.handle());
      // What is no longer held was settled by the handler itself.
      if (outbox.holds(bookmark)) {
        if (thrown == null) {
          outbox.buffer(bookmark);
        } else {
          orders.add(Order.nack(bookmark, thrown.toString()));
          failed(bookmark);
        }
      }
    }
    orders.addAll(takeBlocked(behind));
    if (!orders.isEmpty()) {
      outbox.sendOrOwe(orders);
    }
  }

  /** Takes out what is behind a failed message of its partition, to be given back. */
  private List<Order> takeBlocked(Deque<Delivery> behind) {
    List<Order> back = new ArrayList<>();
    for (Iterator<Delivery> rest = behind.iterator(); rest.hasNext(); ) {
      Delivery next = rest.next();
      if (failed.contains(next.message().position().partition())) {
        rest.remove();
        back.add(Order.release(Bookmark.of(next.handle())));
      }
    }
    return back;
  }
}
