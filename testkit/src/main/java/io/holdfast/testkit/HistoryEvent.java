package io.holdfast.testkit;

import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.Position;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Something a client knows for certain about a call that was answered, or was not. */
sealed interface HistoryEvent {
  /**
   * The logical time in which a call ran; its effect happened at some moment inside.
   *
   * @param begin before the request left
   * @param end after the answer came
   */
  record Span(long begin, long end) {
    /** Whether everything of this call happened before anything of the other. */
    boolean before(Span other) {
      return end < other.begin;
    }

    /** Whether the effect of this call may have come before the effect of the other. */
    boolean mayPrecede(Span other) {
      return begin < other.end;
    }

    @Override
    public String toString() {
      return "[" + begin + ".." + end + "]";
    }
  }

  Span span();

  record Pushed(Span span, UUID id) implements HistoryEvent {}

  /** Pushes without an answer: they may have happened. */
  record PushUnanswered(Span span, int count) implements HistoryEvent {}

  /**
   * A delivery.
   *
   * @param leaseId empty for a delivery that settled
   * @param index its place in the answer
   * @param atMs a time at or after the grant
   */
  record Granted(
      Span span,
      String group,
      UUID id,
      Position position,
      String leaseId,
      long untilMs,
      int index,
      long atMs)
      implements HistoryEvent {
    boolean settledAtDelivery() {
      return leaseId.isEmpty();
    }
  }

  /**
   * The end of deliveries, or a try.
   *
   * @param group null where the lease tells
   * @param id null for all of the lease
   * @param leaseId null for an unfenced settle
   * @param status null if there was no answer
   * @param rest whether it may have ended other deliveries of the lease
   * @param atMs a time at or after the settle
   */
  record SettleTried(
      Span span,
      @Nullable String group,
      @Nullable UUID id,
      @Nullable String leaseId,
      SettleVerdict.@Nullable Status status,
      boolean rest,
      long atMs)
      implements HistoryEvent {
    boolean mayHaveApplied() {
      return status == null || applied();
    }

    boolean applied() {
      return status != null
          && switch (status) {
            case ACKED, RETRYING, RELEASED, DEAD, DROPPED -> true;
            case ALREADY_SETTLED, STALE_LEASE, NOT_FOUND, CANCELLED, LEASE_REQUIRED, NOT_APPLIED ->
                false;
          };
    }

    boolean forGood() {
      return status == SettleVerdict.Status.ACKED
          || status == SettleVerdict.Status.DEAD
          || status == SettleVerdict.Status.DROPPED;
    }
  }

  record Extended(Span span, String leaseId, long untilMs) implements HistoryEvent {}

  /** A seek, a requeue, a deleted group: for all messages of the group, or one. */
  record Replayed(Span span, String group, @Nullable UUID id) implements HistoryEvent {}

  /** A cancel or a reschedule, answered or not. */
  record Removed(Span span, UUID id) implements HistoryEvent {}

  /** A crash after which leases may be forgotten. */
  record Crashed(Span span) implements HistoryEvent {}
}
