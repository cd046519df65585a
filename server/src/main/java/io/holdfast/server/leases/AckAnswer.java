package io.holdfast.server.leases;

import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a settle, as JSON: in the words of seed 001, with the keys of Queen.
 *
 * @param index which of the request
 */
public record AckAnswer(int index, AckItem item, SettleVerdict verdict) {
  /** All fields but the index. */
  public static final JsonObject<AckAnswer> FIELDS =
      JsonObject.of(AckAnswer.class)
          .textOrNull(
              "transactionId",
              answer -> answer.item.transactionId(),
              "As it was sent; null of a seq or of a whole lease.")
          .optional(
              "leaseId",
              Json.TEXT,
              answer -> answer.item.isWhole() ? answer.item.leaseId() : null,
              "The lease, if all of it was settled.")
          .optional(
              "count",
              Json.WHOLE,
              answer -> answer.item.isWhole() ? (long) answer.verdict.count() : null,
              "Then: how many messages of it.")
          .flag("success", answer -> answer.verdict.applied(), "Whether it was applied.")
          .field(
              "message",
              Json.word(
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
              answer -> word(answer.status()),
              "What became of it.")
          .textOrNull("error", answer -> error(answer.status()), "Why it was not applied, or null.")
          .optional(
              "code",
              Json.TEXT,
              answer -> answer.verdict.applied() ? null : answer.verdict.code().name(),
              "The same for programs.")
          .flag(
              "leaseReleased",
              answer -> answer.verdict.leaseOver(),
              "Whether the lease is over with it.")
          .flag("dlq", answer -> answer.status() == Status.DEAD, "Whether it is a dead letter now.")
          .flag(
              "noop",
              answer -> answer.status() == Status.ALREADY_SETTLED,
              "Whether the lease had settled it before.")
          .optional(
              "retryCount",
              Json.WHOLE,
              answer -> answer.comesBack() ? (long) answer.verdict.failures() : null,
              "How often it has failed.")
          .optional(
              "nextRetryAt",
              Json.TIME,
              answer -> answer.comesBack() ? answer.verdict.visibleAtMs() : null,
              "When it comes back.");

  public static final JsonType<AckAnswer> TYPE =
      JsonObject.of(AckAnswer.class)
          .whole("index", AckAnswer::index, "Which of the request.")
          .include(FIELDS, answer -> answer)
          .type();

  /** The answers to items, in their order. */
  public static List<AckAnswer> of(List<AckItem> items, List<SettleVerdict> verdicts) {
    List<AckAnswer> answers = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      answers.add(new AckAnswer(i, items.get(i), verdicts.get(i)));
    }
    return answers;
  }

  private Status status() {
    return verdict.status();
  }

  private boolean comesBack() {
    return status() == Status.RETRYING || status() == Status.RELEASED;
  }

  public static String word(Status status) {
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

  public static @Nullable String error(Status status) {
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
