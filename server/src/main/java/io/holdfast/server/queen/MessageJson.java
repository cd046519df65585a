package io.holdfast.server.queen;

import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageState;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Shape;
import io.holdfast.server.http.Shape.Field;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Messages in JSON. */
final class MessageJson {
  /** A list ends once its payloads are this large. */
  static final int PAYLOAD_BYTES_MAX = 4 << 20;

  /** What is told of a payload that cannot be. */
  static final Field PROBLEM =
      Shape.optional("dataProblem", Shape.TEXT, "Why it cannot be decrypted; data is null.");

  /** What {@link #identity} writes. */
  static final List<Field> IDENTITY =
      List.of(
          Shape.required("id", Shape.TEXT, "The message's id."),
          Shape.required("messageId", Shape.TEXT, "The same."),
          Shape.required("transactionId", Shape.TEXT, "Its name, or else its id."),
          Shape.required("partitionId", Shape.TEXT, "Its partition, as acks name it."),
          Shape.required("queue", Shape.QUEUE, "Its queue."),
          Shape.required("partition", Shape.TEXT, "Its partition."),
          Shape.required("queuePath", Shape.TEXT, "Queue and partition."),
          Shape.required("priority", Shape.WHOLE, "Its lane."),
          Shape.required("seq", Shape.WHOLE, "Its number in the partition."),
          Shape.required("traceId", Shape.orNull(Shape.TEXT), "As it was pushed, or null."),
          Shape.required("producerSub", Shape.orNull(Shape.TEXT), "Always null."),
          Shape.required("createdAt", Shape.TIME, "When it was pushed."));

  static final Shape ATTEMPT =
      Shape.fields(
          Shape.required("attempt", Shape.WHOLE, "Which delivery it was, from 1."),
          Shape.required(
              "cause",
              Shape.words("nacked", "expired", "killed", "waited_too_long"),
              "How it failed."),
          Shape.required("worker", Shape.TEXT, "Who held it, or null."),
          Shape.required("leasedAt", Shape.TIME, "When it was delivered."),
          Shape.required("endedAt", Shape.TIME, "When it failed."),
          Shape.required("error", Shape.TEXT, "What the worker said, or null."));

  private MessageJson() {}

  /** What a message is: its names, its place and its times. */
  static JsonOut identity(JsonOut out, Message message) {
    return out.put("id", message.id())
        .put("messageId", message.id())
        .put("transactionId", message.transactionId(), message.id())
        .put("partitionId", PartitionIds.text(message.position().partition()))
        .put("queue", message.queue())
        .put("partition", message.partition())
        .put("queuePath", message.queue() + '/' + message.partition())
        .put("priority", message.position().lane())
        .put("seq", message.position().seq())
        .put("traceId", message.headers().get(MessageItem.TRACE_ID))
        .putNull("producerSub")
        .putTime("createdAt", message.createdMs());
  }

  static JsonOut headers(JsonOut out, Message message) {
    if (!message.headers().isEmpty()) {
      out.beginObject("headers");
      message.headers().forEach(out::put);
      out.endObject();
    }
    return out;
  }

  static void attempts(JsonOut out, List<Attempt> attempts) {
    out.beginArray("attempts");
    for (Attempt attempt : attempts) {
      out.beginObject()
          .put("attempt", attempt.number())
          .put("cause", word(attempt.cause()))
          .put("worker", attempt.worker())
          .putTime("leasedAt", attempt.leasedMs())
          .putTime("endedAt", attempt.endedMs())
          .put("error", attempt.error())
          .endObject();
    }
    out.endArray();
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** A state in Queen's words. */
  static String status(MessageState state) {
    return switch (state) {
      case DELAYED -> "delayed";
      case WAITING, RETURNED -> "pending";
      case IN_FLIGHT -> "processing";
      case SETTLED -> "completed";
      case DEAD -> "dead_letter";
    };
  }

  /** The states of a word of Queen's or of ours. */
  static Set<MessageState> states(String word) {
    return switch (word) {
      case "pending" -> Set.of(MessageState.WAITING, MessageState.RETURNED);
      case "processing" -> Set.of(MessageState.IN_FLIGHT);
      case "completed" -> Set.of(MessageState.SETTLED);
      case "dead_letter" -> Set.of(MessageState.DEAD);
      default -> Set.of(MessageState.valueOf(word.toUpperCase(Locale.ROOT)));
    };
  }
}
