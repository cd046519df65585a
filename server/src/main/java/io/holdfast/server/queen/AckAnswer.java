package io.holdfast.server.queen;

import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Shape;
import org.jspecify.annotations.Nullable;

/** What became of a settle, in JSON: the words of the seed and the keys of Queen. */
public final class AckAnswer {
  static final Shape SHAPE =
      Shape.fields(
          Shape.required("index", Shape.WHOLE, "Which of the request."),
          Shape.required(
              "transactionId", Shape.TEXT, "As it was sent; null of a seq or of a whole lease."),
          Shape.optional("leaseId", Shape.TEXT, "The lease, if all of it was settled."),
          Shape.optional("count", Shape.WHOLE, "Then: how many messages of it."),
          Shape.required("success", Shape.FLAG, "Whether it was applied."),
          Shape.required(
              "message",
              Shape.words(
                  "acknowledged",
                  "failed_retry",
                  "failed_dlq",
                  "failed_dropped",
                  "released",
                  "invalid_lease",
                  "not_found",
                  "cancelled",
                  "lease_required",
                  "not_applied"),
              "What became of it."),
          Shape.required("error", Shape.orNull(Shape.TEXT), "Why it was not applied, or null."),
          Shape.optional("code", Shape.TEXT, "The same for programs."),
          Shape.required("leaseReleased", Shape.FLAG, "Whether the lease is over with it."),
          Shape.required("dlq", Shape.FLAG, "Whether it is a dead letter now."),
          Shape.required("noop", Shape.FLAG, "Whether the lease had settled it before."),
          Shape.optional("retryCount", Shape.WHOLE, "How often it has failed."),
          Shape.optional("nextRetryAt", Shape.TIME, "When it comes back."));

  private AckAnswer() {}

  static void write(JsonOut out, int index, AckItem item, SettleVerdict verdict) {
    out.beginObject().put("index", index);
    writeFields(out, item, verdict);
    out.endObject();
  }

  /** Writes what became of it into an object that is begun. */
  public static void writeFields(JsonOut out, AckItem item, SettleVerdict verdict) {
    out.put("transactionId", item.transactionId);
    if (item.isWhole()) {
      out.put("leaseId", item.leaseId).put("count", verdict.count());
    }
    out.put("success", verdict.applied())
        .put("message", word(verdict.status()))
        .put("error", error(verdict.status()));
    if (!verdict.applied()) {
      out.put("code", verdict.code().name());
    }
    out.put("leaseReleased", verdict.leaseOver())
        .put("dlq", verdict.status() == Status.DEAD)
        .put("noop", verdict.status() == Status.ALREADY_SETTLED);
    if (verdict.status() == Status.RETRYING || verdict.status() == Status.RELEASED) {
      out.put("retryCount", verdict.failures()).putTime("nextRetryAt", verdict.visibleAtMs());
    }
  }

  static String word(Status status) {
    return switch (status) {
      case ACKED -> "acknowledged";
      case RETRYING -> "failed_retry";
      case DEAD -> "failed_dlq";
      case DROPPED -> "failed_dropped";
      case RELEASED -> "released";
      case ALREADY_SETTLED, NOT_FOUND -> "not_found";
      case STALE_LEASE -> "invalid_lease";
      case CANCELLED -> "cancelled";
      case LEASE_REQUIRED -> "lease_required";
      case NOT_APPLIED -> "not_applied";
    };
  }

  static @Nullable String error(Status status) {
    return switch (status) {
      case ACKED, RETRYING, DEAD, DROPPED, RELEASED -> null;
      case ALREADY_SETTLED -> "The lease has settled this message already";
      case NOT_FOUND -> "Message not found among those in flight";
      case STALE_LEASE -> "Lease validation failed";
      case CANCELLED -> "The message was cancelled";
      case LEASE_REQUIRED -> "The queue takes acknowledgements under a lease only: send leaseId";
      case NOT_APPLIED ->
          "Not applied, because another one of the request was refused, or because the request would"
              + " make dead letters of more than 16 MiB";
    };
  }
}
