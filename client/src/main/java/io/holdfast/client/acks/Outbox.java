package io.holdfast.client.acks;

import io.holdfast.client.acks.AckSender.Order;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one subscription holds and has to settle: its batch of acks, and what it owes the broker.
 *
 * <p>Invariant: what is buffered or owed is also held, unless its lease is over.
 *
 * <p>Thread: any. Batches are sent one at a time, so that whoever flushes knows that all that was
 * buffered before has been sent. Listeners are called without a lock.
 */
final class Outbox {
  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

  private final AckBuffer buffer;
  private final AckBuffer.Key key;
  private final AckSender sender;
  private final AckListener listener;
  private final Runnable roomMade;
  private final Holdings holdings = new Holdings();
  private final ReentrantLock sending = new ReentrantLock();

  /** Nacks and releases that did not get through: sent again before the next poll. */
  private final Map<Bookmark, Order> owed = new LinkedHashMap<>();

  private boolean finished;

  Outbox(
      AckBuffer buffer,
      AckBuffer.Key key,
      AckSender sender,
      AckListener listener,
      Runnable roomMade) {
    this.buffer = buffer;
    this.key = key;
    this.sender = sender;
    this.listener = listener;
    this.roomMade = roomMade;
  }

  Holdings holdings() {
    return holdings;
  }

  boolean holds(Bookmark bookmark) {
    return holdings.contains(bookmark);
  }

  /** Whether "already settled" can only mean that an earlier try of the same has arrived. */
  boolean mayBeRepeated(Order order) {
    return holdings.isOnlyTried(order.bookmark(), order.settle().outcome());
  }

  void trying(Order order) {
    holdings.trying(order.bookmark(), order.settle().outcome());
  }

  /** Buffers an ack, and sends the batch if that fills it. */
  void buffer(Bookmark bookmark) {
    if (buffer.add(key, bookmark)) {
      flushByItself();
    }
  }

  /** Sends what is buffered; null if nothing was. What cannot be sent stays buffered. */
  @Nullable AckResult flush() {
    sending.lock();
    try {
      List<Bookmark> taken = buffer.take(key);
      if (taken.isEmpty()) {
        return null;
      }
      AckResult result = send(taken.stream().map(Order::ack).toList());
      if (!finished) {
        List<Bookmark> unsent = new ArrayList<>();
        for (int i = 0; i < taken.size(); i++) {
          if (!result.verdicts().get(i).isFinal()) {
            unsent.add(taken.get(i));
          }
        }
        buffer.putBack(key, unsent);
      }
      return result;
    } finally {
      sending.unlock();
    }
  }

  /** The same, telling the listener what became of it; null unless the broker gave no answer. */
  @Nullable RuntimeException flushByItself() {
    AckResult result = flush();
    if (result == null) {
      return null;
    }
    tell(told -> told.settled(result));
    return result.failure();
  }

  /** Settles at once. */
  private AckResult send(List<Order> orders) {
    orders.forEach(this::trying);
    AckResult result = sender.send(key.topic(), key.subId(), orders, this::mayBeRepeated);
    for (int i = 0; i < orders.size(); i++) {
      if (result.verdicts().get(i).isFinal()) {
        settled(orders.get(i).bookmark());
      }
    }
    return result;
  }

  /** The broker has decided on a message: it is no longer held. */
  void settled(Bookmark bookmark) {
    if (holdings.remove(bookmark)) {
      buffer.remove(key, bookmark);
      roomMade.run();
    }
  }

  /** Settles at once, telling the listener; what does not get through is owed. */
  void sendOrOwe(List<Order> orders) {
    AckResult result = send(orders);
    sending.lock();
    try {
      for (int i = 0; i < orders.size(); i++) {
        if (!result.verdicts().get(i).isFinal()) {
          owed.put(orders.get(i).bookmark(), orders.get(i));
        }
      }
    } finally {
      sending.unlock();
    }
    tell(told -> told.settled(result));
  }

  /** Sends what is owed; null if it got through. */
  @Nullable RuntimeException payDebts() {
    List<Order> debts;
    sending.lock();
    try {
      owed.keySet().removeIf(bookmark -> !holds(bookmark));
      debts = List.copyOf(owed.values());
    } finally {
      sending.unlock();
    }
    return debts.isEmpty() ? null : send(debts).failure();
  }

  /** Drops what is buffered and tells the listener; the messages are to be given back. */
  void disconnect(RuntimeException why) {
    AckResult cleared;
    sending.lock();
    try {
      cleared = clear("cleared, because the broker could not be reached", why);
    } finally {
      sending.unlock();
    }
    tell(told -> told.disconnected(key.subId(), cleared));
  }

  private AckResult clear(String reason, @Nullable RuntimeException why) {
    List<AckVerdict> verdicts = new ArrayList<>();
    for (Bookmark bookmark : buffer.take(key)) {
      owed.put(bookmark, Order.release(bookmark));
      verdicts.add(new AckVerdict(bookmark.text(), AckVerdict.Status.CLEARED, null, reason));
    }
    return new AckResult(key.topic(), key.subId(), verdicts, why);
  }

  /**
   * Sends the batch, or drops it and tells the listener; after that nothing is kept for later. Only
   * the first call does anything.
   */
  void finish(boolean flush) {
    AckResult result;
    sending.lock();
    try {
      if (finished) {
        return;
      }
      finished = true;
      result = flush ? flush() : clear("cleared, because the client was closed", null);
    } finally {
      sending.unlock();
    }
    if (!flush && result != null) {
      tell(told -> told.disconnected(key.subId(), result));
    } else if (result != null) {
      tell(told -> told.settled(result));
    }
  }

  /** Gives back all that is held, as far as the broker can be reached. */
  void giveBack() {
    List<Order> orders = new ArrayList<>();
    sending.lock();
    try {
      for (Bookmark bookmark : holdings.takeAll()) {
        Order debt = owed.remove(bookmark);
        orders.add(debt == null ? Order.release(bookmark) : debt);
      }
    } finally {
      sending.unlock();
    }
    if (!orders.isEmpty()) {
      AckResult result = sender.send(key.topic(), key.subId(), orders, any -> false);
      if (result.failure() != null) {
        LOG.warn(
            "Subscription {} could not give back {} messages; they return when their leases end.",
            key.subId(),
            orders.size(),
            result.failure());
      }
    }
  }

  void tell(Consumer<AckListener> event) {
    try {
      event.accept(listener);
    } catch (RuntimeException thrown) {
      LOG.error("A listener of subscription {} threw.", key.subId(), thrown);
    }
  }
}
