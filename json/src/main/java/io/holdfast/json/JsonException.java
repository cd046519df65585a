package io.holdfast.json;

import io.holdfast.api.InvalidArgumentException;
import org.jspecify.annotations.Nullable;

/** A JSON text or parameter that is not what its declaration expects. */
public final class JsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String field;
  private final boolean tooLarge;

  private JsonException(String text, @Nullable String field, boolean tooLarge) {
    // Nobody looks at where it was thrown, and it may be thrown often.
    super(text, null, false, false);
    this.field = field;
    this.tooLarge = tooLarge;
  }

  /** A text that is not JSON, or not the JSON that was expected. */
  static JsonException text(String text) {
    return new JsonException(text, null, false);
  }

  /** A field or parameter that has another value than expected. */
  public static JsonException field(String field, String expected) {
    return new JsonException(field + ": " + expected, field, false);
  }

  /** A required field that is absent. */
  public static JsonException missing(String field, String text) {
    return new JsonException(text, field, false);
  }

  /**
   * An argument that its record refused; its message begins with the name of the field.
   *
   * @param place the path of the object that was read; empty for the whole text
   */
  public static JsonException argument(String place, InvalidArgumentException refused) {
    String text = String.valueOf(refused.getMessage());
    int colon = text.indexOf(": ");
    if (colon < 0) {
      return text(text);
    }
    String field = in(place, text.substring(0, colon));
    return new JsonException(field + text.substring(colon), field, false);
  }

  /** The same of a value that stands at a place. */
  JsonException within(String place) {
    return place.isEmpty()
        ? this
        : new JsonException(
            in(place, String.valueOf(getMessage())),
            field == null ? place : in(place, field),
            tooLarge);
  }

  /** The path of a field of an object that stands at a place. */
  static String in(String place, String field) {
    return place.isEmpty() ? field : place + '.' + field;
  }

  /** A field with more elements than allowed. */
  static JsonException tooLarge(String field, String expected) {
    return new JsonException(field + ": " + expected, field, true);
  }

  /** The path of the field, such as {@code items[3].queue}; null if the whole text is meant. */
  public @Nullable String field() {
    return field;
  }

  public boolean isTooLarge() {
    return tooLarge;
  }
}
