package io.holdfast.server.traces;

import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Shape;
import io.holdfast.server.queen.PartitionIds;
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
  private static final int NAMES_MAX = 20;

  /** Longest name. */
  private static final int CHARS_MAX = 255;

  static final Shape SHAPE =
      Shape.fields(
          Shape.required("transactionId", Shape.TEXT, "The message's name, or else its id."),
          Shape.required("partitionId", Shape.TEXT, "The partition it is in."),
          Shape.required("data", Shape.ANY, "What there is to say, up to 16 KiB."),
          Shape.optional("consumerGroup", Shape.TEXT, "Who says it."),
          Shape.optional("eventType", Shape.TEXT, "What kind it is of; info."),
          Shape.optional(
              "traceNames", Shape.ANY, "A name or an array of names to find it by, or null."));

  static TraceItem read(JsonIn in) {
    String transactionId = null;
    String partitionId = null;
    String group = null;
    String eventType = "info";
    List<String> names = List.of();
    byte[] data = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "transactionId" -> transactionId = in.textOrNull();
        case "partitionId" -> partitionId = in.textOrNull();
        case "consumerGroup" -> group = in.isNull() ? null : shortText(in);
        case "eventType" -> eventType = in.isNull() ? "info" : shortText(in);
        case "traceNames" -> names = names(in);
        case "data" -> data = in.payload();
        default ->
            throw in.unknown(
                "transactionId", "partitionId", "consumerGroup", "eventType", "traceNames", "data");
      }
    }
    if (transactionId == null || partitionId == null) {
      throw Problem.required("transactionId", "transactionId and partitionId are required");
    }
    if (data == null) {
      throw Problem.required("data", "data is required");
    }
    if (data.length > DATA_MAX) {
      throw Problem.field(
          "data", "expected at most " + DATA_MAX + " bytes, but got " + data.length);
    }
    return new TraceItem(
        transactionId, PartitionIds.number(partitionId), group, eventType, names, data);
  }

  private static String shortText(JsonIn in) {
    String text = in.text();
    if (text.length() > CHARS_MAX) {
      throw in.wrong("at most " + CHARS_MAX + " characters");
    }
    return text;
  }

  private static List<String> names(JsonIn in) {
    if (in.isNull()) {
      return List.of();
    }
    if (!in.isArray()) {
      return List.of(shortText(in));
    }
    return in.list(NAMES_MAX, TraceItem::shortText);
  }
}
