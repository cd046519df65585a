package io.holdfast.server.work;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.commit.Operation;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operations on records, as JSON has them. */
final class RecordItems {
  static final List<Shape.Field> FIELDS =
      List.of(
          Shape.optional("key", Shape.RECORD, "Of a putRecord or deleteRecord: which record."),
          Shape.optional("value", Shape.ANY, "Of a putRecord: any JSON, kept as it is."),
          Shape.optional("valueBase64", Shape.TEXT, "Instead of value: bytes that are not JSON."),
          Shape.optional(
              "expectedVersion",
              Shape.WHOLE,
              "Of a putRecord or deleteRecord: the version it must have; 0 = it must not exist,"
                  + " -1 (default) = whatever it is."));

  private RecordItems() {}

  static Operation put(JsonIn in, String place) {
    String key = null;
    long version = Operation.ANY_VERSION;
    byte[] value = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "type" -> in.text();
        case "key" -> key = in.text();
        case "expectedVersion" -> version = version(in);
        case "value" -> value = once(in, value, in.payload());
        case "valueBase64" -> value = once(in, value, in.base64());
        default -> throw in.unknown("type", "key", "expectedVersion", "value", "valueBase64");
      }
    }
    if (value == null) {
      throw Problem.field(place + ".value", "expected any JSON, but there is none");
    }
    try {
      return new Operation.PutRecord(name(key, place), version, value);
    } catch (InvalidArgumentException refused) {
      throw Problem.argument(place, refused);
    }
  }

  private static byte[] once(JsonIn in, byte @Nullable [] before, byte[] value) {
    if (before != null) {
      throw Problem.field(in.path(), "expected value or valueBase64, but got both");
    }
    return value;
  }

  static Operation delete(JsonIn in, String place) {
    String key = null;
    long version = Operation.ANY_VERSION;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "type" -> in.text();
        case "key" -> key = in.text();
        case "expectedVersion" -> version = version(in);
        default -> throw in.unknown("type", "key", "expectedVersion");
      }
    }
    try {
      return new Operation.DeleteRecord(name(key, place), version);
    } catch (InvalidArgumentException refused) {
      throw Problem.argument(place, refused);
    }
  }

  private static long version(JsonIn in) {
    return in.isNull() ? Operation.ANY_VERSION : in.number(Operation.ANY_VERSION, Long.MAX_VALUE);
  }

  private static String name(@Nullable String key, String place) {
    if (key == null) {
      throw Problem.field(place + ".key", "expected the key of a record, but there is none");
    }
    return key;
  }
}
