package io.holdfast.server.queen;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.Settle.Target;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.Position;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Shape;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is to become of one message, or of all that a lease still holds, as JSON has it. */
public final class AckItem {
  private static final String STATUS_TEXT =
      "completed (default): done. failed: retry later, or dead. retry or release: give back,"
          + " uncharged. dlq or kill: a dead letter now.";
  static final Shape STATUS = Shape.words("completed", "failed", "retry", "dlq", "release", "kill");
  static final Shape.Field STATUS_FIELD = Shape.optional("status", STATUS, STATUS_TEXT);

  public static final Shape SHAPE =
      Shape.fields(
          Shape.optional(
              "transactionId", Shape.TEXT, "The message's name, or else its id; or see seq."),
          Shape.required("partitionId", Shape.TEXT, "Its partition, as the pop told it."),
          Shape.optional(
              "leaseId", Shape.TEXT, "The lease that holds it; without it the ack is not fenced."),
          STATUS_FIELD,
          Shape.optional("consumerGroup", Shape.TEXT, "The group, if there is no leaseId."),
          Shape.optional("error", Shape.TEXT, "Why it failed."),
          Shape.optional("delaySeconds", Shape.NUMBER, "With failed or release: come back then."),
          Shape.optional(
              "rest",
              Shape.FLAG,
              "With failed or release: give the later messages of the partition back too."),
          Shape.optional(
              "seq", Shape.WHOLE, "With leaseId, instead of transactionId: its number, as popped."),
          Shape.optional("priority", Shape.WHOLE, "With seq: its lane, as popped; 0 if not said."));

  public static final List<String> FIELDS =
      List.of(
          "transactionId",
          "partitionId",
          "leaseId",
          "status",
          "consumerGroup",
          "error",
          "delaySeconds",
          "rest",
          "seq",
          "priority");

  private static final long NO_SEQ = -1;

  @Nullable String transactionId;
  @Nullable String partitionId;
  @Nullable String leaseId;
  @Nullable String group;
  private Outcome outcome = Outcome.ACK;
  private @Nullable String error;
  private long delayMs = Settle.QUEUE_DELAY;
  private boolean rest;
  private long seq = NO_SEQ;
  private int lane;

  /** Reads the object the reader stands on. */
  static AckItem read(JsonIn in) {
    return read(in, false);
  }

  /** The same, where a lease alone may stand for all it holds. */
  static AckItem readOneOrWhole(JsonIn in) {
    return read(in, true);
  }

  private static AckItem read(JsonIn in, boolean wholeAllowed) {
    AckItem item = new AckItem();
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (!item.readField(field, in)) {
        throw in.unknown(FIELDS);
      }
    }
    item.check(in::place, wholeAllowed);
    return item;
  }

  /** Reads a field if it is one of an ack. */
  public boolean readField(String field, JsonIn in) {
    switch (field) {
      case "transactionId" -> transactionId = in.textOrNull();
      case "partitionId" -> partitionId = in.textOrNull();
      case "leaseId" -> leaseId = in.textOrNull();
      case "status" -> outcome = in.isNull() ? Outcome.ACK : outcome(in);
      case "consumerGroup" -> group = in.textOrNull();
      case "error" -> error = in.textOrNull();
      case "delaySeconds" ->
          delayMs = in.isNull() ? Settle.QUEUE_DELAY : in.secondsAsMs(Limits.DURATION_MS_MAX);
      case "rest" -> rest = in.flag();
      case "seq" -> seq = in.number(0, Long.MAX_VALUE);
      case "priority" -> lane = (int) in.number(0, Integer.MAX_VALUE);
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

  /** Says that all was read: what it names must be clear now. */
  public void check(Supplier<String> place, boolean wholeAllowed) {
    if (wholeAllowed && isWhole()) {
      return;
    }
    boolean bySeq = seq != NO_SEQ;
    if (bySeq && isBlank(leaseId)) {
      throw Problem.field(
          Problem.in(place.get(), "seq"), "expected leaseId with it, but there is none");
    }
    if (bySeq && transactionId != null) {
      throw Problem.field(
          Problem.in(place.get(), "seq"), "expected this or transactionId, but got both");
    }
    if (!bySeq && isBlank(transactionId)) {
      throw missing(Problem.in(place.get(), "transactionId"), " is required");
    }
    if (isBlank(partitionId)) {
      throw missing(
          Problem.in(place.get(), "partitionId"), " is required to ensure message uniqueness");
    }
  }

  /** Whether it names a lease alone. */
  boolean isWhole() {
    return !isBlank(leaseId) && transactionId == null && partitionId == null && seq == NO_SEQ;
  }

  private static boolean isBlank(@Nullable String text) {
    return text == null || text.isEmpty();
  }

  private static Problem missing(String field, String why) {
    return Problem.required(field, field + why);
  }

  /** What the broker is asked, for a group and under a lease unless the item names its own. */
  public Settle settle(
      Supplier<String> place, @Nullable String itsGroup, @Nullable String itsLease) {
    try {
      return new Settle(target(itsGroup, itsLease), outcome, error, delayMs, rest);
    } catch (InvalidArgumentException refused) {
      throw Problem.argument(place.get(), refused);
    }
  }

  private Target target(@Nullable String itsGroup, @Nullable String itsLease) {
    String lease = isBlank(leaseId) ? itsLease : leaseId;
    if (lease == null || lease.isEmpty()) {
      String asked = isBlank(group) ? itsGroup : group;
      return new Target.Unfenced(
          asked == null || asked.isEmpty() ? PopRequest.QUEUE_MODE : asked, message());
    }
    if (isWhole()) {
      return new Target.WholeLease(lease);
    }
    return seq == NO_SEQ
        ? new Target.HeldByName(lease, partition(), String.valueOf(transactionId))
        : new Target.Held(new Handle(lease, new Position(partition(), lane, seq)));
  }

  /** Whether it may be meant for a group: it is the one it names, or it names none. */
  boolean isOf(String itsGroup) {
    return isBlank(group) || itsGroup.equals(group);
  }

  /** The message it names. */
  MessageRef message() {
    return new MessageRef.InPartition(partition(), String.valueOf(transactionId));
  }

  private long partition() {
    return PartitionIds.number(String.valueOf(partitionId));
  }
}
