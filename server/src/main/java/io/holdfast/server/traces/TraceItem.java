package io.holdfast.server.traces;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonIn;
import io.holdfast.json.JsonType;
import io.holdfast.json.Schema;
import io.holdfast.json.Values;
import io.holdfast.json.objects.PartitionIds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A note as it comes in. */
record TraceItem(
    String transactionId,
    long partitionId,
    @Nullable String group,
    String eventType,
    List<String> names,
    byte[] data) {
  /** Largest note. */
  private static final int DATA_MAX = 16 * 1024;

  /** Most names of a note. */
  static final int NAMES_MAX = 20;

  /** Longest name. */
  private static final int CHARS_MAX = 255;

  private static final Field<String> TRANSACTION_ID =
      Field.required("transactionId", Json.TEXT, "The message's name, or else its id.")
          .missing("transactionId and partitionId are required");
  private static final Field<String> PARTITION_ID =
      Field.required("partitionId", Json.TEXT, "The partition it is in.")
          .missing("transactionId and partitionId are required");
  private static final Field<byte[]> DATA =
      Field.required("data", Json.ANY, "What there is to say, up to 16 KiB.")
          .missing("data is required");
  private static final JsonType<String> SHORT_TEXT =
      JsonType.read(Schema.TEXT, "a text", TraceItem::shortText);
  private static final Field<String> GROUP =
      Field.optional("consumerGroup", SHORT_TEXT, "Who says it.");
  private static final Field<String> EVENT_TYPE =
      Field.optional("eventType", SHORT_TEXT, "info", "Its kind; info.");
  private static final Field<List<String>> NAMES =
      Field.optional(
          "traceNames",
          JsonType.read(Schema.ANY, "a text or an array", TraceItem::names),
          List.of(),
          "A name or an array of names to find it by, or null.");

  static final JsonType<TraceItem> TYPE =
      Json.object(TraceItem::read, TRANSACTION_ID, PARTITION_ID, DATA, GROUP, EVENT_TYPE, NAMES);

  private static TraceItem read(Values in) {
    byte[] data = in.get(DATA);
    if (data.length > DATA_MAX) {
      throw new InvalidArgumentException(
          "data: expected at most " + DATA_MAX + " bytes, but got " + data.length);
    }
    return new TraceItem(
        in.get(TRANSACTION_ID),
        PartitionIds.number(in.get(PARTITION_ID)),
        in.find(GROUP),
        in.get(EVENT_TYPE),
        in.get(NAMES),
        data);
  }

  private static String shortText(JsonIn in) {
    String text = in.text();
    if (text.length() > CHARS_MAX) {
      throw in.wrong("at most " + CHARS_MAX + " characters");
    }
    return text;
  }

  private static List<String> names(JsonIn in) {
    return in.isArray() ? in.list(NAMES_MAX, TraceItem::shortText) : List.of(shortText(in));
  }
}
