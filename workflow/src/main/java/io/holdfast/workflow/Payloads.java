package io.holdfast.workflow;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * How values of a program become bytes, and bytes values: inputs, results and events.
 *
 * <p>Thread: any.
 */
public interface Payloads {
  /** Largest value that a broker surely takes, with what belongs to it. */
  int BYTES_MAX = 1_000_000;

  /**
   * A value as bytes.
   *
   * @throws IllegalArgumentException if it has no form
   */
  byte[] write(@Nullable Object value);

  /**
   * The value that bytes stand for.
   *
   * @throws IllegalArgumentException if they stand for no such value
   */
  @Nullable Object read(byte[] bytes, Type type);

  /** JSON, with all that Jackson can read and write by itself. */
  static Payloads json() {
    return json(JsonMapper.shared());
  }

  /** JSON as a mapper has it. */
  static Payloads json(JsonMapper mapper) {
    return new Payloads() {
      @Override
      public byte[] write(@Nullable Object value) {
        try {
          return mapper.writeValueAsBytes(value);
        } catch (JacksonException e) {
          throw new IllegalArgumentException("a value cannot be written as JSON: " + e, e);
        }
      }

      @Override
      public @Nullable Object read(byte[] bytes, Type type) {
        if (type == Void.class || type == void.class) {
          return null;
        }
        JavaType java = mapper.constructType(type);
        try {
          return mapper.readValue(bytes, java);
        } catch (JacksonException e) {
          throw new IllegalArgumentException(
              "JSON was expected to be a " + type.getTypeName() + ": " + e.getOriginalMessage(), e);
        }
      }
    };
  }
}
