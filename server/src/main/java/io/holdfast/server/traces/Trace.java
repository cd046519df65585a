package io.holdfast.server.traces;

import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import java.util.ArrayList;
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

  Trace {
    names = List.copyOf(names);
  }

  /** The record of it: what is known of it in one line of JSON, and behind it what it says. */
  byte[] bytes(byte[] data) {
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("id", id)
            .put("createdMs", createdMs)
            .put("queue", queue)
            .put("partition", partition)
            .put("partitionId", partitionId)
            .put("transactionId", transactionId)
            .put("group", group)
            .put("eventType", eventType)
            .beginArray("names");
    names.forEach(out::add);
    byte[] line = out.endArray().endObject().done();
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
    try (JsonIn in = JsonIn.of(Arrays.copyOf(bytes, border(bytes)))) {
      return read(in);
    } catch (Problem | IllegalArgumentException notOurs) {
      return null;
    }
  }

  private static Trace read(JsonIn in) {
    String id = "";
    long createdMs = 0;
    String queue = "";
    String partition = "";
    long partitionId = 0;
    String transactionId = "";
    String group = null;
    String eventType = "";
    List<String> names = new ArrayList<>();
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "id" -> id = in.text();
        case "createdMs" -> createdMs = in.number(0, Long.MAX_VALUE);
        case "queue" -> queue = in.text();
        case "partition" -> partition = in.text();
        case "partitionId" -> partitionId = in.number(0, Long.MAX_VALUE);
        case "transactionId" -> transactionId = in.text();
        case "group" -> group = in.textOrNull();
        case "eventType" -> eventType = in.text();
        default -> {
          in.beginArray();
          while (in.nextElement()) {
            names.add(in.text());
          }
        }
      }
    }
    return new Trace(
        UUID.fromString(id),
        createdMs,
        queue,
        partition,
        partitionId,
        transactionId,
        group,
        eventType,
        names);
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
