package io.holdfast.server.messages;

import io.holdfast.api.Limits;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.NewMessage;
import io.holdfast.json.Field;
import io.holdfast.json.Fields;
import io.holdfast.json.Json;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.MessageJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message to push, as JSON. */
public final class MessageItem {
  private static final Field<String> QUEUE =
      Field.required("queue", Json.QUEUE, "Where it goes; a queue that is new is made.");
  private static final Field<String> PARTITION =
      Field.text(
          "partition",
          NewMessage.DEFAULT_PARTITION,
          "Its ordering unit; Default if none is named.");
  private static final Field<byte[]> PAYLOAD_BASE64 =
      Field.optional("payloadBase64", Json.BASE64, "Instead of payload: bytes that are not JSON.");
  private static final Field<byte[]> PAYLOAD =
      Field.required("payload", Json.ANY, "Any JSON, kept byte for byte.").or(PAYLOAD_BASE64);
  private static final Field<String> TRANSACTION_ID =
      Field.text("transactionId", "The producer's name for it, unique per partition.");
  private static final Field<String> TRACE =
      Field.text(MessageJson.TRACE_ID, "Kept with it as a header, and given back.");
  private static final Field<Integer> PRIORITY =
      Field.optional("priority", Json.integer(0, Integer.MAX_VALUE), 0, "Its lane, 0 first.");
  private static final Field<Long> DELAY =
      Field.optional(
          "delaySeconds",
          Json.seconds(Limits.DURATION_MS_MAX),
          0L,
          "Seconds until it may be delivered.");
  private static final Field<Long> VISIBLE_AT =
      Field.optional("visibleAt", Json.TIME, 0L, "Instead of delaySeconds: when.");
  private static final Field<Map<String, String>> HEADERS =
      Field.optional("headers", Json.map(Json.TEXT), Map.of(), "Texts by name.");
  private static final Field<byte[]> PRODUCER =
      Field.optional("producerSub", Json.ANY, "Ignored: a producer cannot choose it.");

  public static final Fields FIELDS =
      Fields.of(
          QUEUE,
          PARTITION,
          PAYLOAD,
          PAYLOAD_BASE64,
          TRANSACTION_ID,
          TRACE,
          PRIORITY,
          DELAY,
          VISIBLE_AT,
          HEADERS,
          PRODUCER);

  public static final JsonType<NewMessage> TYPE = Json.object(MessageItem::read, FIELDS);

  /** Whether a duplicate is ignored where all or none is pushed. */
  public static final Field<Boolean> IGNORE_DUPLICATES =
      Field.optional(
          "onDuplicate",
          Json.words(MessageItem::isIgnore, "fail", "ignore"),
          false,
          "What a transactionId that is there already does to the whole; fail.");

  private MessageItem() {}

  private static @Nullable Boolean isIgnore(String word) {
    return switch (word) {
      case "ignore" -> true;
      case "fail" -> false;
      default -> null;
    };
  }

  /** The message of an object that has at least {@link #FIELDS}. */
  public static NewMessage read(Values in) {
    byte[] json = in.find(PAYLOAD);
    return new NewMessage(
        in.get(QUEUE),
        in.get(PARTITION),
        in.get(PRIORITY),
        json == null ? in.get(PAYLOAD_BASE64) : json,
        in.find(TRANSACTION_ID),
        headers(in),
        in.get(DELAY),
        in.get(VISIBLE_AT));
  }

  /** The name of a message; its id if its producer gave it none. */
  public static String nameOf(Message message) {
    String name = message.transactionId();
    return name == null ? message.id().toString() : name;
  }

  private static Map<String, String> headers(Values in) {
    Map<String, String> headers = in.get(HEADERS);
    String trace = in.find(TRACE);
    if (trace == null) {
      return headers;
    }
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(MessageJson.TRACE_ID, trace);
    return more;
  }
}
