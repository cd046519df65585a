package io.holdfast.client.consume;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.Settle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a worker has to tell the broker of the messages it holds.
 *
 * <p>Acks of a batch are sent together when it is handled, riding on the next pop. Those of a batch
 * that takes long do not wait for its end, and neither does a failure.
 *
 * <p>Invariant: a message leaves its batch's open ones in the same step in which its settle enters
 * the outbox, under the outbox's lock; so {@link #abandon} finds each in one of the two.
 *
 * <p>Thread: its worker; {@link #abandon} any.
 */
final class Books {
  /** How long an ack may wait for the rest of its batch. */
  private static final Duration ACK_WAIT_MAX = Duration.ofSeconds(1);

  private final Broker broker;
  private final TimeSource time;
  private final Reports reports;
  private final BooleanSupplier isSending;
  private final Outbox outbox;
  private long sendNanos;
  private boolean urgent;

  /**
   * @param isSending whether somebody else is just sending what is in the outbox
   */
  Books(Broker broker, TimeSource time, Reports reports, BooleanSupplier isSending) {
    this.broker = broker;
    this.time = time;
    this.reports = reports;
    this.isSending = isSending;
    this.outbox = new Outbox(reports);
  }

  Outbox outbox() {
    return outbox;
  }

  /** A batch begins. */
  void open() {
    sendNanos = time.nanos() + ACK_WAIT_MAX.toNanos();
    urgent = !isSending.getAsBoolean() && !outbox.isEmpty();
  }

  /**
   * A message failed.
   *
   * @param rest whether those behind it in its partition go back
   */
  void failed(HeldBatch batch, HeldMessage message, String error, boolean rest) {
    synchronized (outbox) {
      if (!batch.lease.exists() || batch.isOver() || !message.isOpen()) {
        return;
      }
      message.markEnded();
      Settle nack = Settle.nack(message.handle(), error);
      List<HeldMessage> behind = rest ? endBehind(batch, message) : List.of();
      if (message.isInDoubt()) {
        // The broker may refuse the nack of what is settled already, and its rest with it.
        outbox.add(nack, message);
        behind.forEach(later -> outbox.add(Settle.release(later.handle()), later));
      } else {
        outbox.add(rest ? nack.withRest() : nack, 1 + behind.size());
      }
      urgent = true;
    }
  }

  private static List<HeldMessage> endBehind(HeldBatch batch, HeldMessage failed) {
    List<HeldMessage> behind = new ArrayList<>();
    int from = batch.messages.indexOf(failed) + 1;
    for (HeldMessage message : batch.messages.subList(from, batch.messages.size())) {
      if (message.isOpen() && message.partition().equals(failed.partition())) {
        message.markEnded();
        behind.add(message);
      }
    }
    return behind;
  }

  /** Sends what should not wait for the end of the batch. What cannot be sent stays. */
  void sendWhatIsDue(HeldBatch batch) {
    boolean due = urgent || time.nanos() - sendNanos >= 0;
    if (!batch.lease.exists() || !due || isSending.getAsBoolean()) {
      return;
    }
    sendNanos = time.nanos() + ACK_WAIT_MAX.toNanos();
    urgent = false;
    synchronized (outbox) {
      if (batch.ackMode == AckMode.AFTER_HANDLER && !batch.isOver()) {
        ackEach(batch.done(), outbox);
      }
    }
    try {
      outbox.send(broker);
    } catch (RuntimeException failed) {
      reports.retrying(failed, ACK_WAIT_MAX);
    }
  }

  private static void ackEach(List<HeldMessage> messages, Outbox into) {
    for (HeldMessage message : messages) {
      message.markEnded();
      into.add(Settle.ack(message.handle()), message);
    }
  }

  /**
   * Messages of some partitions that were fetched too early go back.
   *
   * @return how many those were
   */
  int giveBack(HeldBatch batch, Set<String> partitions) {
    synchronized (outbox) {
      int count = 0;
      for (HeldMessage message : batch.open()) {
        if (!batch.isOver() && partitions.contains(message.partition())) {
          message.markEnded();
          // It may have gone back with the rest of the one that failed, and was counted there.
          outbox.add(Settle.release(message.handle()), 0);
          count++;
        }
      }
      return count;
    }
  }

  /** The worker has done what it could with a batch: the done is acked, the rest goes back. */
  void close(HeldBatch batch) {
    synchronized (outbox) {
      if (batch.end()) {
        settleAll(batch, outbox);
      }
    }
  }

  private static void settleAll(HeldBatch batch, Outbox into) {
    HeldLease lease = batch.lease;
    boolean all = lease.holdsOnly(batch);
    lease.remove(batch);
    if (!lease.exists()) {
      return;
    }
    List<HeldMessage> done = batch.ackMode == AckMode.AFTER_HANDLER ? batch.done() : List.of();
    List<HeldMessage> left = lease.isLost() ? List.of() : batch.left();
    boolean sure = !lease.isInDoubt() && done.stream().noneMatch(HeldMessage::isInDoubt);
    if (all && sure && !done.isEmpty() && left.isEmpty()) {
      done.forEach(HeldMessage::markEnded);
      into.add(Settle.ackAll(lease.id), done.size());
      return;
    }
    ackEach(done, into);
    for (HeldMessage message : left) {
      message.markEnded();
      into.add(Settle.release(message.handle()), message);
    }
    if (all && lease.isInDoubt()) {
      // What it may hold besides has to be free before the partition goes on.
      into.add(Settle.releaseAll(lease.id), 0);
    }
  }

  /**
   * Nobody waits for the worker any longer: its handler is interrupted, what is done is acked and
   * what is not goes back.
   *
   * @param next what was fetched and is not begun
   * @return what the broker has to be told
   */
  Outbox abandon(@Nullable HeldBatch batch, @Nullable HeldBatch next) {
    synchronized (outbox) {
      Outbox rest = outbox.abandon();
      if (next != null && next.end()) {
        settleAll(next, rest);
      }
      if (batch != null && batch.end()) {
        batch.disturb();
        settleAll(batch, rest);
      }
      return rest;
    }
  }
}
