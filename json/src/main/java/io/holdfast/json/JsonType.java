package io.holdfast.json;

import io.holdfast.api.InvalidArgumentException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kind of JSON value, declared once: it is read, written and described from here. {@link Json}
 * has the common ones.
 *
 * <p>Invariant: what {@link #write} writes matches {@link #schema}, and {@link #read} accepts
 * nothing else.
 */
public final class JsonType<T> {
  /** Reads the value that a reader stands on. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(JsonIn in);
  }

  /** Writes a value, behind its name or as an element. */
  @FunctionalInterface
  public interface Writer<T> {
    void write(JsonOut out, T value);
  }

  /** Reads a value out of the text of a parameter; null if the text is none. */
  @FunctionalInterface
  public interface Parser<T> {
    @Nullable T parse(String text);
  }

  private final Schema schema;
  private final String expected;
  private final @Nullable Reader<T> reader;
  private final @Nullable Parser<T> parser;
  private final @Nullable Writer<T> writer;

  JsonType(
      Schema schema,
      String expected,
      @Nullable Reader<T> reader,
      @Nullable Parser<T> parser,
      @Nullable Writer<T> writer) {
    this.schema = schema;
    this.expected = expected;
    this.reader = reader;
    this.parser = parser;
    this.writer = writer;
  }

  /** A type that is only written, by code of its own. */
  public static <T> JsonType<T> written(Schema schema, Writer<T> writer) {
    return new JsonType<>(schema, "a value", null, null, writer);
  }

  /** A type that is only read, by code of its own. */
  public static <T> JsonType<T> read(Schema schema, String expected, Reader<T> reader) {
    return new JsonType<>(schema, expected, reader, null, null);
  }

  public Schema schema() {
    return schema;
  }

  /** What a value of this type is, such as {@code a whole number from 1 to 9}. */
  public String expected() {
    return expected;
  }

  /** Reads the value that a reader stands on. */
  public T read(JsonIn in) {
    if (reader == null) {
      throw new IllegalStateException("a value of this type is only written: " + schema);
    }
    return reader.read(in);
  }

  /** Reads a whole JSON text. */
  public T read(byte[] json) {
    try (JsonIn in = JsonIn.of(json)) {
      T value = read(in);
      in.end();
      return value;
    }
  }

  /** Reads the text of a parameter; null if it is not a value of this type. */
  public @Nullable T parse(String text) {
    if (parser == null) {
      throw new IllegalStateException("a value of this type is no parameter: " + schema);
    }
    return parser.parse(text);
  }

  public void write(JsonOut out, T value) {
    if (writer == null) {
      throw new IllegalStateException("a value of this type is only read: " + schema);
    }
    writer.write(out, value);
  }

  /** A value that is written alone. */
  public JsonOut out(T value) {
    JsonOut out = new JsonOut();
    write(out, value);
    return out;
  }

  /** A value as a JSON text. */
  public byte[] bytes(T value) {
    return out(value).done();
  }

  /**
   * The same on the wire, and something else in the program. It can be read, not written.
   *
   * @param change may throw an {@link InvalidArgumentException} or {@link JsonException} that names
   *     a field of the value; the path of the value is put before it
   */
  public <U> JsonType<U> map(Function<T, U> change) {
    return new JsonType<>(
        schema,
        expected,
        in -> {
          T value = read(in);
          try {
            return change.apply(value);
          } catch (InvalidArgumentException refused) {
            throw JsonException.argument(in.place(), refused);
          } catch (JsonException wrong) {
            throw wrong.within(in.place());
          }
        },
        null,
        null);
  }

  /** The same on the wire, made from something else. It can be written, not read. */
  public <U> JsonType<U> from(Function<U, T> change) {
    return new JsonType<>(
        schema, expected, null, null, (out, value) -> write(out, change.apply(value)));
  }
}
