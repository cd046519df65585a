package io.holdfast.server.queen;

import io.holdfast.api.Limits;
import io.holdfast.api.MessageRef;
import io.holdfast.api.PopRequest;
import io.holdfast.api.Settle;
import io.holdfast.api.Settle.Outcome;
import io.holdfast.api.Settle.Target;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Shape;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is to become of one message, as JSON has it. */
final class AckItem {
  static final Shape SHAPE =
      Shape.fields(
          Shape.required("transactionId", Shape.TEXT, "The message's name, or else its id."),
          Shape.required("partitionId", Shape.TEXT, "Its partition, as the pop told it."),
          Shape.optional(
              "leaseId", Shape.TEXT, "The lease that holds it; without it the ack is not fenced."),
          Shape.optional(
              "status",
              Shape.words("completed", "failed", "retry", "dlq", "release", "kill"),
              "completed: done. failed: retry later, or dead. retry or release: give back,"
                  + " uncharged. dlq or kill: a dead letter now."),
          Shape.optional("consumerGroup", Shape.TEXT, "The group, if there is no leaseId."),
          Shape.optional("error", Shape.TEXT, "Why it failed."),
          Shape.optional("delaySeconds", Shape.NUMBER, "With failed or release: come back then."),
          Shape.optional(
              "rest",
              Shape.FLAG,
              "With failed or release: give the later messages of the partition back too."));

  static final String[] FIELDS = {
    "transactionId",
    "partitionId",
    "leaseId",
    "status",
    "consumerGroup",
    "error",
    "delaySeconds",
    "rest"
  };

  @Nullable String transactionId;
  @Nullable String partitionId;
  @Nullable String leaseId;
  @Nullable String group;
  private Outcome outcome = Outcome.ACK;
  private @Nullable String error;
  private long delayMs = Settle.QUEUE_DELAY;
  private boolean rest;

  /** Reads the object the reader stands on. */
  static AckItem read(JsonIn in) {
    AckItem item = new AckItem();
    String place = in.place();
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (!item.readField(field, in)) {
        throw in.unknown(FIELDS);
      }
    }
    item.check(place);
    return item;
  }

  /** Reads a field if it is one of an ack. */
  boolean readField(String field, JsonIn in) {
    switch (field) {
      case "transactionId" -> transactionId = in.text();
      case "partitionId" -> partitionId = in.text();
      case "leaseId" -> leaseId = in.textOrNull();
      case "status" -> outcome = in.isNull() ? Outcome.ACK : outcome(in);
      case "consumerGroup" -> group = in.textOrNull();
      case "error" -> error = in.textOrNull();
      case "delaySeconds" ->
          delayMs = in.isNull() ? Settle.QUEUE_DELAY : in.secondsAsMs(Limits.DURATION_MS_MAX);
      case "rest" -> rest = in.flag();
      default -> {
        return false;
      }
    }
    return true;
  }

  private static Outcome outcome(JsonIn in) {
    return switch (in.text().toLowerCase(Locale.ROOT)) {
      case "completed", "success", "acked", "ok", "ack" -> Outcome.ACK;
      case "failed", "nack" -> Outcome.NACK;
      case "retry", "release" -> Outcome.RELEASE;
      case "dlq", "kill" -> Outcome.KILL;
      default -> throw in.wrong("completed, failed, retry, dlq, release or kill");
    };
  }

  void check(String place) {
    String prefix = place.isEmpty() ? "" : place + '.';
    if (transactionId == null || transactionId.isEmpty()) {
      throw missing(prefix + "transactionId", " is required");
    }
    if (partitionId == null || partitionId.isEmpty()) {
      throw missing(prefix + "partitionId", " is required to ensure message uniqueness");
    }
  }

  private static Problem missing(String field, String why) {
    return Problem.required(field, field + why);
  }

  /** What the broker is asked, for a group and under a lease unless the item names its own. */
  Settle settle(String place, @Nullable String itsGroup, @Nullable String itsLease) {
    String name = String.valueOf(transactionId);
    String lease = leaseId == null || leaseId.isEmpty() ? itsLease : leaseId;
    String asked = group == null || group.isEmpty() ? itsGroup : group;
    try {
      Target target =
          lease != null && !lease.isEmpty()
              ? new Target.HeldByName(lease, partition(), name)
              : new Target.Unfenced(
                  asked == null || asked.isEmpty() ? PopRequest.QUEUE_MODE : asked,
                  new MessageRef.InPartition(partition(), name));
      return new Settle(target, outcome, error, delayMs, rest);
    } catch (IllegalArgumentException refused) {
      throw Problem.argument(place, refused);
    }
  }

  long partition() {
    return PartitionIds.number(String.valueOf(partitionId));
  }
}
