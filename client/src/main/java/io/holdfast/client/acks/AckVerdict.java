package io.holdfast.client.acks;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import org.jspecify.annotations.Nullable;

/**
 * What became of the settle of one bookmark.
 *
 * @param code the broker's refusal; null if it did not refuse
 * @param reason in words, never empty
 */
public record AckVerdict(String bookmark, Status status, @Nullable ErrorCode code, String reason) {
  /** The possible verdicts. */
  public enum Status {
    ACKED,
    /** The message will be retried, or is dead after too many failures. */
    NACKED,
    /**
     * Given back, uncharged, because it is behind a failed message of an ordered partition; or its
     * lease was over already.
     */
    RELEASED,
    /** An earlier try of this client, whose answer was lost, had arrived. */
    REPEATED,
    /** The broker said no: the lease is over, or settled it otherwise. It will not change. */
    REFUSED,
    /** The request was not accepted: it surely had no effect. */
    UNSENT,
    /** No answer came: the request may have had its effect. */
    IN_DOUBT,
    /** Dropped from its batch before it was sent, because the client lost its broker or closed. */
    CLEARED
  }

  static AckVerdict of(AckSender.Order order, SettleVerdict verdict, boolean repeated) {
    String text = order.bookmark().text();
    return switch (verdict.status()) {
      case ACKED -> new AckVerdict(text, Status.ACKED, null, "acked");
      case RETRYING -> nacked(text, "failed " + verdict.failures() + " times, will be retried");
      case DEAD -> nacked(text, "a dead letter after " + verdict.failures() + " failures");
      case DROPPED -> nacked(text, "dropped after " + verdict.failures() + " failures");
      case RELEASED -> new AckVerdict(text, Status.RELEASED, null, "given back");
      case ALREADY_SETTLED ->
          repeated
              ? new AckVerdict(text, Status.REPEATED, null, "an earlier try had arrived")
              : refused(text, verdict);
      case STALE_LEASE ->
          order.settle().outcome() == Settle.Outcome.RELEASE
              ? new AckVerdict(text, Status.RELEASED, null, "given back before: its lease is over")
              : refused(text, verdict);
      case NOT_FOUND, CANCELLED, LEASE_REQUIRED, NOT_APPLIED -> refused(text, verdict);
    };
  }

  private static AckVerdict nacked(String bookmark, String reason) {
    return new AckVerdict(bookmark, Status.NACKED, null, reason);
  }

  private static AckVerdict refused(String bookmark, SettleVerdict verdict) {
    ErrorCode code = verdict.code();
    String why =
        switch (code) {
          case STALE_LEASE -> "expected a live lease, but it expired, was released or is another's";
          case ALREADY_SETTLED -> "expected an open message, but this lease has settled it before";
          case CANCELLED -> "the message was cancelled or rescheduled while it was held";
          case NOT_FOUND -> "expected a message that is held, but there is none";
          default -> "the broker refused it";
        };
    return new AckVerdict(bookmark, Status.REFUSED, code, code + ": " + why);
  }

  /** Whether the message is settled as it was asked to be. */
  public boolean isApplied() {
    return switch (status) {
      case ACKED, NACKED, RELEASED, REPEATED -> true;
      case REFUSED, UNSENT, IN_DOUBT, CLEARED -> false;
    };
  }

  /** Whether the broker has decided, so that another try would change nothing. */
  boolean isFinal() {
    return isApplied() || status == Status.REFUSED;
  }
}
