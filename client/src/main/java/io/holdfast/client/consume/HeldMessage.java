package io.holdfast.client.consume;

import io.holdfast.api.Refusal;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message in the hands of the application.
 *
 * <p>It may be settled by hand under any {@link AckMode} but {@code AT_DELIVERY}: the consumer then
 * leaves it alone. A settle that the broker refuses is thrown, except a repeat of one that has
 * happened already, which changes nothing.
 *
 * <p>Thread: any.
 */
public final class HeldMessage {
  /** Where a message is on its way from delivery to its end. */
  private enum Phase {
    OPEN,
    /** A settle of it is on its way. */
    ENDING,
    ENDED
  }

  private final Delivery delivery;
  private final HeldLease lease;
  private final Settling settling;
  private volatile Phase phase = Phase.OPEN;
  private volatile boolean cancelled;
  private volatile boolean done;

  /** A settle whose answer got lost: it may have taken effect. */
  private volatile @Nullable Settle unanswered;

  /** Whether the application itself has brought it to an end from which it does not come back. */
  private volatile boolean finished;

  /** Whether the application itself has given it back. */
  private volatile boolean givenBack;

  HeldMessage(Delivery delivery, HeldLease lease, Settling settling) {
    this.delivery = delivery;
    this.lease = lease;
    this.settling = settling;
  }

  // What it is

  public UUID id() {
    return message().id();
  }

  public String queue() {
    return message().queue();
  }

  public String partition() {
    return message().partition();
  }

  /** The group it was delivered to. */
  public String group() {
    return settling.id().group();
  }

  /** The producer's name for it. */
  public Optional<String> transactionId() {
    return Optional.ofNullable(message().transactionId());
  }

  /** The bytes as they were pushed; not copied. */
  public byte[] payload() {
    return message().payload();
  }

  /** The payload as UTF-8. */
  public String text() {
    return new String(payload(), StandardCharsets.UTF_8);
  }

  public Map<String, String> headers() {
    return message().headers();
  }

  public Instant createdAt() {
    return Instant.ofEpochMilli(message().createdMs());
  }

  /** Which delivery to this group this is, from 1. */
  public int attempt() {
    return delivery.attempt();
  }

  /** How often this group has nacked it. */
  public int failures() {
    return delivery.failures();
  }

  /** The message as the broker delivered it. */
  public Message message() {
    return delivery.message();
  }

  /** The lease that holds it; empty if it was acked at delivery. */
  public String leaseId() {
    return lease.id;
  }

  /**
   * What a settle names.
   *
   * @throws IllegalStateException if it was acked at delivery
   */
  public Handle handle() {
    if (!lease.exists()) {
      throw new IllegalStateException(
          "expected a message with a lease, but this one was acked at delivery");
    }
    return delivery.handle();
  }

  // What became of it

  /**
   * Whether the lease ended before the message did: it will be delivered again, perhaps it has been
   * already, and an ack would be refused.
   */
  public boolean isLeaseLost() {
    return lease.isLost();
  }

  /** Whether it was cancelled, or rescheduled, since it was delivered. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Whether it has been settled, or is just being settled. */
  public boolean isSettled() {
    return phase != Phase.OPEN;
  }

  // Settling it by hand

  /** It is done. */
  public SettleVerdict ack() {
    return settle(Settle.ack(handle()));
  }

  /**
   * It failed: it will be retried after its queue's backoff, or is dead after too many failures.
   */
  public SettleVerdict nack(@Nullable String error) {
    return settle(Settle.nack(handle(), error));
  }

  /** It failed, and is not to be retried before so long. */
  public SettleVerdict nack(@Nullable String error, Duration delay) {
    return settle(Settle.nack(handle(), error).delayMs(delay.toMillis()));
  }

  /** Gives it back, uncharged. */
  public SettleVerdict release() {
    return settle(Settle.release(handle()));
  }

  /** Gives it back, uncharged, not to be delivered before so long. */
  public SettleVerdict release(Duration delay) {
    return settle(Settle.release(handle()).delayMs(delay.toMillis()));
  }

  /** It becomes a dead letter now. */
  public SettleVerdict kill(@Nullable String error) {
    return settle(Settle.kill(handle(), error));
  }

  /** Makes the lease, with all it holds, last at least so long from now. */
  public void extendLease(Duration length) {
    handle();
    settling.extend(lease, length);
  }

  private SettleVerdict settle(Settle settle) {
    boolean first = phase == Phase.OPEN;
    beginSettle();
    SettleVerdict verdict;
    try {
      verdict = settling.now(settle, first ? firstOf(settle) : null);
    } catch (RuntimeException failed) {
      settleFailed(settle, failed);
      throw failed;
    }
    settled(settle, verdict);
    if (!verdict.applied() && verdict.status() != Status.ALREADY_SETTLED) {
      throw new RefusedException(
          Refusal.of(
              verdict.code(),
              "message "
                  + id()
                  + " could not be settled: its lease is over, or it was cancelled; if it was not"
                  + " cancelled it will be delivered again"));
    }
    return verdict;
  }

  // What the consumer and transactions do with it

  boolean isOpen() {
    return phase == Phase.OPEN && !cancelled;
  }

  void beginSettle() {
    if (phase == Phase.OPEN) {
      phase = Phase.ENDING;
    }
  }

  void settleFailed(Settle settle, RuntimeException failure) {
    if (failure instanceof UnreachableException lost && lost.isInDoubt()) {
      unanswered = settle;
    }
    if (phase == Phase.ENDING) {
      phase = Phase.OPEN;
    }
  }

  /** Whether an earlier settle of it may have taken effect without an answer. */
  boolean isInDoubt() {
    return unanswered != null;
  }

  /** The settle that took effect if the broker answers that the message is settled already. */
  Settle firstOf(Settle settle) {
    Settle earlier = unanswered;
    return earlier == null ? settle : earlier;
  }

  private void settled(Settle settle, SettleVerdict verdict) {
    phase = Phase.ENDED;
    switch (verdict.status()) {
      case ACKED, DEAD, DROPPED -> finished = true;
      case RETRYING, RELEASED -> givenBack = true;
      case CANCELLED -> cancelled = true;
      case ALREADY_SETTLED -> finished |= firstOf(settle).outcome() == Settle.Outcome.ACK;
      default -> {}
    }
  }

  /** A settle that was part of something bigger. */
  void settledWith(Settle settle, SettleVerdict verdict) {
    settled(settle, verdict);
    settling.decided(settle, verdict);
  }

  void markEnded() {
    phase = Phase.ENDED;
  }

  void markCancelled() {
    cancelled = true;
  }

  /** The handler has returned from it, and its ack will be sent. */
  void markDone() {
    done = true;
  }

  boolean isDone() {
    return done;
  }

  /** Whether it comes back, or may: those behind it in an ordered partition have to wait for it. */
  boolean isUnfinished() {
    return cancelled || givenBack || !(done || finished);
  }

  @Override
  public String toString() {
    return "message " + id() + " of " + queue() + "/" + partition() + ", attempt " + attempt();
  }
}
