package io.holdfast.client.consume;

import io.holdfast.api.Broker;
import io.holdfast.api.Settle;
import io.holdfast.api.TimeSource;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker has to tell the broker of the messages it holds.
 *
 * <p>Acks of a lease are sent together when it is handled, riding on the next pop. Those of a batch
 * that takes long do not wait for its end, and neither does a failure.
 *
 * <p>Invariant: a message leaves its lease's open ones in the same step in which its settle enters
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
  private final Outbox outbox;
  private long sendNanos;
  private boolean urgent;

  Books(Broker broker, TimeSource time, Reports reports) {
    this.broker = broker;
    this.time = time;
    this.reports = reports;
    this.outbox = new Outbox(reports);
  }

  Outbox outbox() {
    return outbox;
  }

  /** A lease begins. */
  void open() {
    sendNanos = time.nanos() + ACK_WAIT_MAX.toNanos();
    urgent = !outbox.isEmpty();
  }

  /**
   * A message failed.
   *
   * @param rest whether those behind it in its partition go back
   */
  void failed(HeldLease lease, HeldMessage message, String error, boolean rest) {
    synchronized (outbox) {
      if (!lease.exists() || lease.isOver() || !message.isOpen()) {
        return;
      }
      message.markEnded();
      Settle nack = Settle.nack(message.handle(), error);
      int released = rest ? endBehind(lease, message) : 0;
      outbox.add(rest ? nack.withRest() : nack, 1 + released);
      urgent = true;
    }
  }

  private static int endBehind(HeldLease lease, HeldMessage failed) {
    int count = 0;
    int from = lease.messages.indexOf(failed) + 1;
    for (HeldMessage message : lease.messages.subList(from, lease.messages.size())) {
      if (message.isOpen() && message.partition().equals(failed.partition())) {
        message.markEnded();
        count++;
      }
    }
    return count;
  }

  /** Sends what should not wait for the end of the lease. What cannot be sent stays. */
  void sendWhatIsDue(HeldLease lease) {
    if (!lease.exists() || (!urgent && time.nanos() - sendNanos < 0)) {
      return;
    }
    sendNanos = time.nanos() + ACK_WAIT_MAX.toNanos();
    urgent = false;
    synchronized (outbox) {
      if (lease.ackMode == AckMode.AFTER_HANDLER && !lease.isOver()) {
        ackEach(lease.done(), outbox);
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
      into.add(Settle.ack(message.handle()), 1);
    }
  }

  /** The worker has done what it could with a lease: the done is acked, the rest goes back. */
  void close(HeldLease lease) {
    synchronized (outbox) {
      if (lease.end() && lease.exists()) {
        settleAll(lease, outbox);
      }
    }
  }

  private static void settleAll(HeldLease lease, Outbox into) {
    List<HeldMessage> done = lease.ackMode == AckMode.AFTER_HANDLER ? lease.done() : List.of();
    List<HeldMessage> left = lease.isLost() ? List.of() : lease.left();
    if (!done.isEmpty() && left.isEmpty()) {
      done.forEach(HeldMessage::markEnded);
      into.add(Settle.ackAll(lease.id), done.size());
    } else {
      ackEach(done, into);
      for (HeldMessage message : left) {
        message.markEnded();
        into.add(Settle.release(message.handle()), 1);
      }
    }
  }

  /**
   * Nobody waits for the worker any longer: its handler is interrupted, what is done is acked and
   * what is not goes back.
   *
   * @return what the broker has to be told
   */
  Outbox abandon(@Nullable HeldLease lease) {
    synchronized (outbox) {
      Outbox rest = outbox.abandon();
      if (lease != null && lease.end()) {
        lease.disturb();
        if (lease.exists()) {
          settleAll(lease, rest);
        }
      }
      return rest;
    }
  }
}
