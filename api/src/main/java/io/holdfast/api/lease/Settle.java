package io.holdfast.api.lease;

import io.holdfast.api.Check;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import io.holdfast.api.message.MessageRef;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The end of one delivery.
 *
 * @param target which message, or which whole lease
 * @param outcome how it ended
 * @param error what went wrong, kept with the attempt; null for nothing to say
 * @param delayMs a nacked or released message returns only after this long; -1 for the queue's
 *     backoff (nack) or at once (release)
 * @param rest with nack or release: the later open messages of that partition in the same lease
 *     return as well, uncharged
 */
public record Settle(
    Target target, Outcome outcome, @Nullable String error, long delayMs, boolean rest) {
  /** How a delivery ends. */
  public enum Outcome {
    /** Done. */
    ACK,
    /** Failed: retry later, or die after too many failures. */
    NACK,
    /** Given back, uncharged. */
    RELEASE,
    /** Dead-lettered now. */
    KILL
  }

  /** What a settle names. */
  public sealed interface Target {
    /** One message of a lease. Fenced: a lease that is over settles nothing. */
    record Held(Handle handle) implements Target {
      public Held {
        Check.present("handle", handle);
      }
    }

    /** All that is still open in a lease. */
    record WholeLease(String leaseId) implements Target {
      public WholeLease {
        Check.name("leaseId", leaseId);
      }
    }

    /** A message in flight or come back, whoever holds it; refused under {@code requireLease}. */
    record Unfenced(String group, MessageRef message) implements Target {
      public Unfenced {
        Check.name("group", group);
        Check.present("message", message);
      }
    }

    /** A message by its producer's name, as held by a lease. */
    record HeldByName(String leaseId, long partition, String transactionId) implements Target {
      public HeldByName {
        Check.name("leaseId", leaseId);
        Check.notNegative("partition", partition);
        Check.key("transactionId", transactionId);
      }
    }
  }

  /** The delay that leaves it to the queue. */
  public static final long QUEUE_DELAY = -1;

  public Settle {
    Check.present("target", target);
    Check.present("outcome", outcome);
    Check.within("delayMs", delayMs, QUEUE_DELAY, Limits.DURATION_MS_MAX);
    if (error != null && error.length() > Limits.ERROR_CHARS_MAX) {
      error = error.substring(0, Limits.ERROR_CHARS_MAX);
    }
    if (rest && (outcome == Outcome.ACK || outcome == Outcome.KILL)) {
      throw new InvalidArgumentException("rest: expected only with nack or release");
    }
  }

  public static Settle ack(Handle handle) {
    return new Settle(new Target.Held(handle), Outcome.ACK, null, QUEUE_DELAY, false);
  }

  public static Settle ackAll(String leaseId) {
    return new Settle(new Target.WholeLease(leaseId), Outcome.ACK, null, QUEUE_DELAY, false);
  }

  public static Settle nack(Handle handle, @Nullable String error) {
    return new Settle(new Target.Held(handle), Outcome.NACK, error, QUEUE_DELAY, false);
  }

  public static Settle release(Handle handle) {
    return new Settle(new Target.Held(handle), Outcome.RELEASE, null, QUEUE_DELAY, false);
  }

  public static Settle releaseAll(String leaseId) {
    return new Settle(new Target.WholeLease(leaseId), Outcome.RELEASE, null, QUEUE_DELAY, false);
  }

  public static Settle kill(Handle handle, @Nullable String error) {
    return new Settle(new Target.Held(handle), Outcome.KILL, error, QUEUE_DELAY, false);
  }

  public static Settle unfenced(String group, UUID id, Outcome outcome, @Nullable String error) {
    return new Settle(
        new Target.Unfenced(group, MessageRef.id(id)), outcome, error, QUEUE_DELAY, false);
  }

  public Settle delayMs(long delay) {
    return new Settle(target, outcome, error, delay, rest);
  }

  public Settle withRest() {
    return new Settle(target, outcome, error, delayMs, true);
  }
}
