package io.holdfast.server.queen;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import io.holdfast.api.message.NewMessage;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Shape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A message to push, as JSON has it. */
public final class MessageItem {
  public static final Shape SHAPE =
      Shape.fields(
          Shape.required("queue", Shape.QUEUE, "Where it goes; a queue that is new is made."),
          Shape.optional("partition", Shape.TEXT, "Its ordering unit; Default if none is named."),
          Shape.either("payload", "payloadBase64", Shape.ANY, "Any JSON, kept byte for byte."),
          Shape.optional(
              "payloadBase64", Shape.TEXT, "Instead of payload: bytes that are not JSON."),
          Shape.optional(
              "transactionId", Shape.TEXT, "The producer's name for it, unique per partition."),
          Shape.optional("traceId", Shape.TEXT, "Kept with it as a header, and given back."),
          Shape.optional("priority", Shape.WHOLE, "Its lane, 0 first."),
          Shape.optional("delaySeconds", Shape.NUMBER, "Seconds until it may be delivered."),
          Shape.optional("visibleAt", Shape.TIME, "Instead of delaySeconds: when."),
          Shape.optional("headers", Shape.OBJECT, "Texts by name."));

  public static final List<String> FIELDS =
      List.of(
          "queue",
          "partition",
          "payload",
          "payloadBase64",
          "transactionId",
          "traceId",
          "priority",
          "delaySeconds",
          "visibleAt",
          "headers");

  static final String TRACE_ID = "traceId";

  private @Nullable String queue;
  private @Nullable String partition;
  private byte @Nullable [] payload;
  private @Nullable String transactionId;
  private int lane;
  private long delayMs;
  private long visibleAtMs;
  private Map<String, String> headers = Map.of();

  private MessageItem() {}

  /** Reads the object the reader stands on. */
  static NewMessage read(JsonIn in) {
    MessageItem item = new MessageItem();
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (!item.readField(field, in)) {
        throw in.unknown(FIELDS);
      }
    }
    return item.message(in::place);
  }

  /** Reads a field if it is one of a message. */
  public boolean readField(String field, JsonIn in) {
    switch (field) {
      case "queue" -> queue = in.text();
      case "partition" -> partition = in.textOrNull();
      case "payload" -> payload(in, in.payload());
      case "payloadBase64" -> payload(in, in.base64());
      case "transactionId" -> transactionId = in.textOrNull();
      case "traceId" -> trace(in.textOrNull());
      case "priority" -> lane = (int) in.number(0, Integer.MAX_VALUE);
      case "delaySeconds" -> delayMs = in.isNull() ? 0 : in.secondsAsMs(Limits.DURATION_MS_MAX);
      case "visibleAt" -> visibleAtMs = in.isNull() ? 0 : in.time();
      case "headers" -> headers(in);
      // Who produced it is not for the producer to say.
      case "producerSub" -> in.skip();
      default -> {
        return false;
      }
    }
    return true;
  }

  private void payload(JsonIn in, byte[] bytes) {
    if (payload != null) {
      throw in.wrong("payload or payloadBase64, not both");
    }
    payload = bytes;
  }

  /** Reads what is to be done with a message whose name is there already. */
  public static boolean ignoresDuplicates(JsonIn in) {
    if (in.isNull()) {
      return false;
    }
    return switch (in.text()) {
      case "fail" -> false;
      case "ignore" -> true;
      default -> throw in.wrong("fail or ignore");
    };
  }

  private void trace(@Nullable String traceId) {
    if (traceId != null) {
      Map<String, String> more = new LinkedHashMap<>(headers);
      more.put(TRACE_ID, traceId);
      headers = more;
    }
  }

  private void headers(JsonIn in) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    in.beginObject();
    for (String name = in.nextField(); name != null; name = in.nextField()) {
      more.put(name, in.text());
    }
    headers = more;
  }

  /**
   * The message, once all its fields are read.
   *
   * @param place where it stands, asked only if something is wrong
   */
  public NewMessage message(Supplier<String> place) {
    String to = queue;
    byte[] bytes = payload;
    if (to == null) {
      throw Problem.field(
          Problem.in(place.get(), "queue"), "expected the name of a queue, but there is none");
    }
    if (bytes == null) {
      throw Problem.field(
          Problem.in(place.get(), "payload"), "expected any JSON, but there is none");
    }
    try {
      return new NewMessage(
          to,
          partition == null ? NewMessage.DEFAULT_PARTITION : partition,
          lane,
          bytes,
          transactionId,
          headers,
          delayMs,
          visibleAtMs);
    } catch (InvalidArgumentException refused) {
      throw Problem.argument(place.get(), refused);
    }
  }

  /** A message of which nothing is read yet. */
  public static MessageItem blank() {
    return new MessageItem();
  }
}
