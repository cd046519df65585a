package io.holdfast.server.traces;

import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonException;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A note about a message, without what it says: that is read when somebody asks for it.
 *
 * @param transactionId the name of the message, or else its id
 * @param names under which it is found
 */
record Trace(
    UUID id,
    long createdMs,
    String queue,
    String partition,
    long partitionId,
    String transactionId,
    @Nullable String group,
    String eventType,
    List<String> names) {
  private static final byte BORDER = '\n';

  private static final JsonType<Trace> WRITTEN =
      JsonObject.of(Trace.class)
          .id("id", Trace::id, "Its id.")
          .whole("createdMs", Trace::createdMs, "When it was made.")
          .text("queue", Trace::queue, "The queue of the message.")
          .text("partition", Trace::partition, "The partition of the message.")
          .whole("partitionId", Trace::partitionId, "The same by its number.")
          .text("transactionId", Trace::transactionId, "The message.")
          .textOrNull("group", Trace::group, "Who made it.")
          .text("eventType", Trace::eventType, "Its kind.")
          .list("names", Json.TEXT, Trace::names, "The names under which it is found.")
          .type();

  private static final Field<UUID> ID = Field.required("id", Json.ID, "");
  private static final Field<Long> CREATED =
      Field.required("createdMs", Json.whole(0, Long.MAX_VALUE), "");
  private static final Field<String> QUEUE = Field.required("queue", Json.TEXT, "");
  private static final Field<String> PARTITION = Field.required("partition", Json.TEXT, "");
  private static final Field<Long> PARTITION_ID =
      Field.required("partitionId", Json.whole(0, Long.MAX_VALUE), "");
  private static final Field<String> TRANSACTION_ID =
      Field.required("transactionId", Json.TEXT, "");
  private static final Field<String> GROUP = Field.text("group", "");
  private static final Field<String> EVENT_TYPE = Field.required("eventType", Json.TEXT, "");
  private static final Field<List<String>> NAMES =
      Field.required("names", Json.list(Json.TEXT, TraceItem.NAMES_MAX), "");

  private static final JsonType<Trace> READ =
      Json.object(
          in ->
              new Trace(
                  in.get(ID),
                  in.get(CREATED),
                  in.get(QUEUE),
                  in.get(PARTITION),
                  in.get(PARTITION_ID),
                  in.get(TRANSACTION_ID),
                  in.find(GROUP),
                  in.get(EVENT_TYPE),
                  in.get(NAMES)),
          ID,
          CREATED,
          QUEUE,
          PARTITION,
          PARTITION_ID,
          TRANSACTION_ID,
          GROUP,
          EVENT_TYPE,
          NAMES);

  Trace {
    names = List.copyOf(names);
  }

  /** The record of it: what is known of it in one line of JSON, and behind it what it says. */
  byte[] bytes(byte[] data) {
    byte[] line = WRITTEN.bytes(this);
    byte[] bytes = Arrays.copyOf(line, line.length + 1 + data.length);
    bytes[line.length] = BORDER;
    System.arraycopy(data, 0, bytes, line.length + 1, data.length);
    return bytes;
  }

  /** What a note says, out of its record. */
  static byte[] data(byte[] bytes) {
    return Arrays.copyOfRange(bytes, Math.min(border(bytes) + 1, bytes.length), bytes.length);
  }

  private static int border(byte[] bytes) {
    int at = 0;
    while (at < bytes.length && bytes[at] != BORDER) {
      at++;
    }
    return at;
  }

  /** A note out of its record; null if that is none. */
  static @Nullable Trace read(byte[] bytes) {
    try {
      return READ.read(Arrays.copyOf(bytes, border(bytes)));
    } catch (JsonException | IllegalArgumentException notOurs) {
      return null;
    }
  }

  /** The same, to stand behind another: later, or of the same time with a greater id. */
  Trace behind(@Nullable Trace last) {
    long number = last == null ? 1 : last.id.getMostSignificantBits() + 1;
    return new Trace(
        new UUID(number, id.getLeastSignificantBits()),
        last == null ? createdMs : Math.max(createdMs, last.createdMs),
        queue,
        partition,
        partitionId,
        transactionId,
        group,
        eventType,
        names);
  }

  /** Sorts by time, then as they came. */
  String key() {
    return Traces.PREFIX + String.format("%014d", createdMs) + "-" + id;
  }

  boolean isAbout(long number, String name) {
    return partitionId == number && transactionId.equals(name);
  }
}
