package io.holdfast.json;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The form of a JSON value: what documentation and checks know of it. */
public sealed interface Schema {
  /**
   * A text, number, truth, or any JSON.
   *
   * @param type as JSON Schema has it, empty for any
   * @param names what it names that a token may be limited to: a queue, journal or record; else
   *     null
   */
  record Scalar(
      String type,
      @Nullable String format,
      @Nullable String names,
      @Nullable Long min,
      @Nullable Long max)
      implements Schema {
    Scalar(String type, @Nullable String format) {
      this(type, format, null);
    }

    Scalar(String type, @Nullable String format, @Nullable String names) {
      this(type, format, names, null, null);
    }
  }

  /** An object with any names, and values of one kind. */
  record MapOf(Schema value) implements Schema {}

  /**
   * One of several objects.
   *
   * @param field the field whose word decides which
   */
  record OneOf(String field, List<Schema> objects) implements Schema {}

  /** What it is otherwise, or null. */
  record OrNull(Schema schema) implements Schema {}

  /** Not JSON, but a whole body of another type. */
  record Document(String contentType) implements Schema {}

  /** One of some words. */
  record Words(List<String> words) implements Schema {}

  record Array(Schema element) implements Schema {}

  record Fields(List<Field> fields) implements Schema {}

  /**
   * A field of an object.
   *
   * @param instead the field that must be there if this one is not, and only then; null if there is
   *     none
   */
  record Field(
      String name, Schema schema, boolean required, @Nullable String instead, String explanation) {}

  Schema TEXT = new Scalar("string", null);
  Schema QUEUE = new Scalar("string", null, "queue");
  Schema JOURNAL = new Scalar("string", null, "journal");
  Schema RECORD = new Scalar("string", null, "record");
  Schema TIME = new Scalar("string", "date-time");
  Schema WHOLE = new Scalar("integer", null);
  Schema NUMBER = new Scalar("number", null);
  Schema FLAG = new Scalar("boolean", null);
  Schema ANY = new Scalar("", null);
  Schema OBJECT = new Scalar("object", null);

  /** A whole number; bounds at the ends of its range are none. */
  static Schema whole(long min, long max) {
    return new Scalar(
        "integer",
        null,
        null,
        min == Long.MIN_VALUE ? null : Long.valueOf(min),
        max == Long.MAX_VALUE ? null : Long.valueOf(max));
  }

  static Schema words(String... words) {
    return new Words(List.of(words));
  }

  static Schema orNull(Schema schema) {
    return new OrNull(schema);
  }

  static Schema document(String contentType) {
    return new Document(contentType);
  }

  static Schema array(Schema element) {
    return new Array(element);
  }

  static Schema fields(Field... fields) {
    return new Fields(List.of(fields));
  }

  /** The fields of an object, and more behind them. */
  static Schema fields(List<Field> first, Field... more) {
    return new Fields(Stream.concat(first.stream(), Stream.of(more)).toList());
  }

  /** The fields of several objects in one; a name they share is explained for each. */
  @SafeVarargs
  static Schema merged(List<Field>... objects) {
    Map<String, Field> all = new LinkedHashMap<>();
    for (List<Field> fields : objects) {
      for (Field field : fields) {
        all.merge(
            field.name(),
            field,
            (one, other) ->
                optional(one.name(), one.schema(), one.explanation() + ' ' + other.explanation()));
      }
    }
    return new Fields(List.copyOf(all.values()));
  }

  static Field required(String name, Schema schema, String explanation) {
    return new Field(name, schema, true, null, explanation);
  }

  /** A field that is required unless another one, which is optional, stands instead of it. */
  static Field either(String name, String instead, Schema schema, String explanation) {
    return new Field(name, schema, false, instead, explanation);
  }

  static Field optional(String name, Schema schema, String explanation) {
    return new Field(name, schema, false, null, explanation);
  }
}
