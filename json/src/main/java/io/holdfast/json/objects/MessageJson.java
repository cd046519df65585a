package io.holdfast.json.objects;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageState;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Parts of messages as JSON, which several answers share. */
public final class MessageJson {
  /** The header that has the trace id of a message. */
  public static final String TRACE_ID = "traceId";

  /** A list ends once its payloads are this large. */
  public static final int PAYLOAD_BYTES_MAX = 4 << 20;

  /** The names of a message, its position, and when it was pushed. */
  public static final JsonObject<Message> IDENTITY =
      JsonObject.of(Message.class)
          .id("id", Message::id, "The message's id.")
          .id("messageId", Message::id, "The same.")
          .textOrId(
              "transactionId", Message::transactionId, Message::id, "Its name, or else its id.")
          .text(
              "partitionId",
              message -> PartitionIds.text(message.position().partition()),
              "Its partition, as acks name it.")
          .queue("queue", Message::queue, "Its queue.")
          .text("partition", Message::partition, "Its partition.")
          .text(
              "queuePath",
              message -> message.queue() + '/' + message.partition(),
              "Queue and partition.")
          .whole("priority", message -> message.position().lane(), "Its lane.")
          .whole("seq", message -> message.position().seq(), "Its number in the partition.")
          .textOrNull(
              "traceId", message -> message.headers().get(TRACE_ID), "As it was pushed, or null.")
          .nothing("producerSub", "Always null.")
          .time("createdAt", Message::createdMs, "When it was pushed.");

  public static final JsonObject<Message> HEADERS =
      JsonObject.of(Message.class)
          .optional(
              "headers",
              Json.map(Json.TEXT),
              message -> message.headers().isEmpty() ? null : message.headers(),
              "Its headers, if it has any.");

  /** A message by itself: as it was pushed. */
  public static final JsonType<Message> MESSAGE =
      JsonObject.of(Message.class)
          .include(IDENTITY, message -> message)
          .time("visibleAt", Message::visibleMs, "When it entered, or will enter, its lane.")
          .payload("data", message -> message, "The payload, byte for byte.")
          .include(HEADERS, message -> message)
          .type();

  /** How a failed delivery ended. */
  public static final JsonObject<Attempt> FAILURE =
      JsonObject.of(Attempt.class)
          .field("cause", Json.constant(Attempt.Cause.class), Attempt::cause, "How it failed.")
          .textOrNull("worker", Attempt::worker, "Who held it, or null.")
          .timeOrNull("leasedAt", Attempt::leasedMs, "When it was delivered, or null if never.")
          .time("endedAt", Attempt::endedMs, "When it failed.")
          .textOrNull("error", Attempt::error, "The worker's error text, or null.");

  public static final JsonType<Attempt> ATTEMPT =
      JsonObject.of(Attempt.class)
          .whole("attempt", Attempt::number, "Which delivery it was, from 1.")
          .include(FAILURE, attempt -> attempt)
          .type();

  public static final JsonType<MessageState> STATE = Json.constant(MessageState.class);

  /** A state in Queen's words. */
  public static final JsonType<MessageState> STATUS =
      Json.word("pending", "processing", "completed", "dead_letter", "delayed")
          .from(MessageJson::status);

  /** The groups of a queue in Queen's words: consumers that compete, groups that all get all. */
  public static final JsonType<List<String>> MODE =
      new JsonObject<List<String>>()
          .flag("hasQueueMode", MessageJson::hasQueueMode, "Whether it is popped without a group.")
          .whole("busGroupsCount", MessageJson::named, "Number of named groups that read it.")
          .field(
              "type",
              Json.word("queue", "bus", "hybrid", "none"),
              MessageJson::mode,
              "Both in a word.")
          .type();

  private MessageJson() {}

  private static boolean hasQueueMode(List<String> groups) {
    return groups.contains(PopRequest.QUEUE_MODE);
  }

  private static int named(List<String> groups) {
    return groups.size() - (hasQueueMode(groups) ? 1 : 0);
  }

  private static String mode(List<String> groups) {
    boolean queue = hasQueueMode(groups);
    return named(groups) == 0 ? (queue ? "queue" : "none") : queue ? "hybrid" : "bus";
  }

  private static String status(MessageState state) {
    return switch (state) {
      case DELAYED -> "delayed";
      case WAITING, RETURNED -> "pending";
      case IN_FLIGHT -> "processing";
      case SETTLED -> "completed";
      case DEAD -> "dead_letter";
    };
  }

  /** The states of a word of Queen's or of ours. */
  public static Set<MessageState> states(String word) {
    return switch (word) {
      case "pending" -> Set.of(MessageState.WAITING, MessageState.RETURNED);
      case "processing" -> Set.of(MessageState.IN_FLIGHT);
      case "completed" -> Set.of(MessageState.SETTLED);
      case "dead_letter" -> Set.of(MessageState.DEAD);
      default -> Set.of(MessageState.valueOf(word.toUpperCase(Locale.ROOT)));
    };
  }
}
