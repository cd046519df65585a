package io.holdfast.server.leases;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.Settle.Target;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.Position;
import io.holdfast.json.Field;
import io.holdfast.json.Fields;
import io.holdfast.json.Json;
import io.holdfast.json.JsonException;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.PartitionIds;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How one message, or all that a lease still holds, is to be settled, as JSON.
 *
 * @param seq negative if the message is not named by it
 * @param wantsArray whether it has both error and consumerGroup, be they null: Queen's own clients
 *     send both in each ack, and those from 1.0 on read an array
 */
public record AckItem(
    @Nullable String transactionId,
    @Nullable String partitionId,
    @Nullable String leaseId,
    @Nullable String group,
    Outcome outcome,
    @Nullable String error,
    long delayMs,
    boolean rest,
    long seq,
    int lane,
    boolean wantsArray) {
  private static final long NO_SEQ = -1;

  private static final Field<String> TRANSACTION_ID =
      Field.text("transactionId", "The message's name, or else its id; or see seq.");
  private static final Field<String> PARTITION_ID =
      Field.text("partitionId", "Its partition, as the pop told it.");
  private static final Field<String> LEASE_ID =
      Field.text("leaseId", "The lease that holds it; without it the ack is not fenced.");
  static final Field<Outcome> STATUS =
      Field.optional(
          "status",
          Json.words(AckItem::outcome, "completed", "failed", "retry", "dlq", "release", "kill"),
          Outcome.ACK,
          "completed (default): done. failed: retry later, or dead. retry or release: give back,"
              + " uncharged. dlq or kill: a dead letter now.");
  private static final Field<String> GROUP =
      Field.text("consumerGroup", "The group, if there is no leaseId.");
  static final Field<String> ERROR = Field.text("error", "Why it failed.");
  static final Field<Long> DELAY =
      Field.optional(
          "delaySeconds",
          Json.seconds(Limits.DURATION_MS_MAX),
          Settle.QUEUE_DELAY,
          "With failed or release: come back then.");
  private static final Field<Boolean> REST =
      Field.flag(
          "rest", "With failed or release: give the later messages of the partition back too.");
  private static final Field<Long> SEQ =
      Field.optional(
          "seq",
          Json.whole(0, Long.MAX_VALUE),
          NO_SEQ,
          "With leaseId, instead of transactionId: its number, as popped.");
  private static final Field<Integer> PRIORITY =
      Field.optional(
          "priority",
          Json.integer(0, Integer.MAX_VALUE),
          0,
          "With seq: its lane, as popped; 0 if not said.");

  public static final Fields FIELDS =
      Fields.of(
          TRANSACTION_ID, PARTITION_ID, LEASE_ID, STATUS, GROUP, ERROR, DELAY, REST, SEQ, PRIORITY);

  /** One message. */
  public static final JsonType<AckItem> ONE = Json.object(in -> read(in).checked(false), FIELDS);

  /** One message, or a lease alone, which stands for all that it holds. */
  public static final JsonType<AckItem> ONE_OR_WHOLE =
      Json.object(in -> read(in).checked(true), FIELDS);

  private static @Nullable Outcome outcome(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "completed", "success", "acked", "ok", "ack" -> Outcome.ACK;
      case "failed", "nack" -> Outcome.NACK;
      case "retry", "release" -> Outcome.RELEASE;
      case "dlq", "kill" -> Outcome.KILL;
      default -> null;
    };
  }

  /** The item of an object that has at least {@link #FIELDS}. */
  public static AckItem read(Values in) {
    return new AckItem(
        in.find(TRANSACTION_ID),
        in.find(PARTITION_ID),
        in.find(LEASE_ID),
        in.find(GROUP),
        in.get(STATUS),
        in.find(ERROR),
        in.get(DELAY),
        in.get(REST),
        in.get(SEQ),
        in.get(PRIORITY),
        in.names(GROUP) && in.names(ERROR));
  }

  /** All that a lease holds. */
  static AckItem ofLease(String leaseId, Values in) {
    return new AckItem(
        null,
        null,
        leaseId,
        null,
        in.get(STATUS),
        in.find(ERROR),
        in.get(DELAY),
        false,
        NO_SEQ,
        0,
        false);
  }

  /**
   * The item itself, if it is clear what it names.
   *
   * @param wholeAllowed whether it may name a lease alone
   */
  public AckItem checked(boolean wholeAllowed) {
    if (wholeAllowed && isWhole()) {
      return this;
    }
    boolean bySeq = seq != NO_SEQ;
    if (bySeq && isBlank(leaseId)) {
      throw new InvalidArgumentException("seq: expected leaseId with it, but there is none");
    }
    if (bySeq && transactionId != null) {
      throw new InvalidArgumentException("seq: expected this or transactionId, but got both");
    }
    if (!bySeq && isBlank(transactionId)) {
      throw JsonException.missing("transactionId", "transactionId is required");
    }
    if (isBlank(partitionId)) {
      throw JsonException.missing(
          "partitionId", "partitionId is required to ensure message uniqueness");
    }
    return this;
  }

  /** Whether it names a lease alone. */
  boolean isWhole() {
    return !isBlank(leaseId) && transactionId == null && partitionId == null && seq == NO_SEQ;
  }

  private static boolean isBlank(@Nullable String text) {
    return text == null || text.isEmpty();
  }

  /** What the broker is asked, for a group and under a lease unless the item names its own. */
  public Settle settle(@Nullable String itsGroup, @Nullable String itsLease) {
    return new Settle(target(itsGroup, itsLease), outcome, error, delayMs, rest);
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
  public boolean isOf(String itsGroup) {
    return isBlank(group) || itsGroup.equals(group);
  }

  /** The message it names. */
  public MessageRef message() {
    return new MessageRef.InPartition(partition(), String.valueOf(transactionId));
  }

  private long partition() {
    return PartitionIds.number(String.valueOf(partitionId));
  }
}
