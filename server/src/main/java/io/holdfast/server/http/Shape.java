package io.holdfast.server.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a JSON value looks like, for the description of the routes. */
public sealed interface Shape {
  /**
   * A text, number, truth, or any JSON.
   *
   * @param type as JSON Schema has it, empty for any
   * @param names what it names that a token may be limited to: a queue, journal or record; else
   *     null
   */
  record Scalar(String type, @Nullable String format, @Nullable String names) implements Shape {
    Scalar(String type, @Nullable String format) {
      this(type, format, null);
    }
  }

  /** What it is otherwise, or null. */
  record OrNull(Shape shape) implements Shape {}

  /** Not JSON, but a whole body of another type. */
  record Document(String contentType) implements Shape {}

  /** One of some words. */
  record Words(List<String> words) implements Shape {}

  record Array(Shape element) implements Shape {}

  record Fields(List<Field> fields) implements Shape {}

  /**
   * A field of an object.
   *
   * @param instead the field that must be there if this one is not, and only then; null if there is
   *     none
   */
  record Field(
      String name, Shape shape, boolean required, @Nullable String instead, String explanation) {}

  Shape TEXT = new Scalar("string", null);
  Shape QUEUE = new Scalar("string", null, "queue");
  Shape JOURNAL = new Scalar("string", null, "journal");
  Shape RECORD = new Scalar("string", null, "record");
  Shape TIME = new Scalar("string", "date-time");
  Shape WHOLE = new Scalar("integer", null);
  Shape NUMBER = new Scalar("number", null);
  Shape FLAG = new Scalar("boolean", null);
  Shape ANY = new Scalar("", null);
  Shape OBJECT = new Scalar("object", null);

  static Shape words(String... words) {
    return new Words(List.of(words));
  }

  static Shape orNull(Shape shape) {
    return new OrNull(shape);
  }

  static Shape document(String contentType) {
    return new Document(contentType);
  }

  static Shape array(Shape element) {
    return new Array(element);
  }

  static Shape fields(Field... fields) {
    return new Fields(List.of(fields));
  }

  /** The fields of an object, and more behind them. */
  static Shape fields(List<Field> first, Field... more) {
    return new Fields(Stream.concat(first.stream(), Stream.of(more)).toList());
  }

  /** The fields of several objects in one; a name they share is explained for each. */
  @SafeVarargs
  static Shape merged(List<Field>... objects) {
    Map<String, Field> all = new LinkedHashMap<>();
    for (List<Field> fields : objects) {
      for (Field field : fields) {
        all.merge(
            field.name(),
            field,
            (one, other) ->
                optional(one.name(), one.shape(), one.explanation() + ' ' + other.explanation()));
      }
    }
    return new Fields(List.copyOf(all.values()));
  }

  /** The fields of an object, where it is one of several things that may stand there. */
  static List<Field> fieldsOf(String what, Shape object) {
    return object instanceof Fields some
        ? some.fields().stream()
            .map(field -> optional(field.name(), field.shape(), what + field.explanation()))
            .toList()
        : List.of();
  }

  static Field required(String name, Shape shape, String explanation) {
    return new Field(name, shape, true, null, explanation);
  }

  /** A field that is required unless another one, which is optional, stands instead of it. */
  static Field either(String name, String instead, Shape shape, String explanation) {
    return new Field(name, shape, false, instead, explanation);
  }

  static Field optional(String name, Shape shape, String explanation) {
    return new Field(name, shape, false, null, explanation);
  }
}
