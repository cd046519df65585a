package io.holdfast.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON body being read, front to back. It stands on a value; whoever reads an object or an array
 * reads all of it.
 *
 * <p>Every problem names the place, what was expected and what came. Payloads are cut out of the
 * body as they are, and never parsed.
 */
public final class JsonIn implements AutoCloseable {
  /** Deepest nesting, payloads included. */
  static final int DEPTH_MAX = 100;

  private static final int NUMBER_CHARS_MAX = 100;
  private static final int NAME_CHARS_MAX = 1_000;
  private static final int SHOWN_CHARS_MAX = 40;

  private static final Pattern ELEMENT = Pattern.compile("\\[[0-9]+]");

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxNumberLength(NUMBER_CHARS_MAX)
                  .maxNameLength(NAME_CHARS_MAX)
                  .build())
          .build();

  private final byte[] body;
  private final JsonParser parser;
  private final JsonPlace place = new JsonPlace();
  private final @Nullable IgnoredNames ignored;
  private boolean unfinished;
  private String kindPlace = "";
  private String kind = "";

  private JsonIn(byte[] body, JsonParser parser, @Nullable IgnoredNames ignored) {
    this.body = body;
    this.parser = parser;
    this.ignored = ignored;
  }

  /** Begins to read a body. */
  public static JsonIn of(byte[] body) {
    return of(body, null);
  }

  /**
   * Reads a body, all of it, as one value.
   *
   * <p>Only the reader finds out which fields are unknown, so a body with such a field is read
   * again without it: as often as it has different ones, which {@link IgnoredNames} limits.
   *
   * @param ignored takes the names of unknown fields; null if they are refused
   */
  public static <T> T read(
      byte[] body, @Nullable IgnoredNames ignored, Function<JsonIn, T> reader) {
    while (true) {
      try (JsonIn in = of(body, ignored)) {
        try {
          T value = reader.apply(in);
          in.end();
          return value;
        } catch (JsonException refused) {
          if (!in.unfinished) {
            throw refused;
          }
        }
      }
    }
  }

  private static JsonIn of(byte[] body, @Nullable IgnoredNames ignored) {
    if (body.length == 0) {
      throw JsonException.text("expected a JSON body, but it is empty");
    }
    // Jackson takes zeros near the beginning, or a mark, for another encoding.
    boolean other = body[0] == (byte) 0xEF;
    for (int i = 0; i < Math.min(4, body.length); i++) {
      other |= body[i] == 0;
    }
    if (other || !Utf8.isValid(body)) {
      throw JsonException.text("expected a JSON body in UTF-8 without a byte order mark");
    }
    JsonIn in = new JsonIn(body, FACTORY.createParser(ObjectReadContext.empty(), body), ignored);
    in.advance();
    return in;
  }

  private @Nullable JsonToken advance() {
    try {
      return parser.nextToken();
    } catch (JacksonException notJson) {
      throw broken(notJson);
    }
  }

  private JsonException broken(JacksonException notJson) {
    // Jackson does not say where a limit was passed.
    TokenStreamLocation where = notJson.getLocation();
    return JsonException.text(
        (place.path().isEmpty() ? "the body" : place.path())
            + ": expected JSON, but at byte "
            + (where == null ? parser.currentLocation() : where).getByteOffset()
            + ": "
            + notJson.getOriginalMessage());
  }

  /** Says that the value was the whole body. */
  public void end() {
    if (advance() != null) {
      throw JsonException.text("expected one JSON value, but there is more behind it");
    }
  }

  public void beginObject() {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw wrong("an object");
    }
    place.enterObject();
  }

  /** Steps on to the next field and its value; null after the last one. */
  public @Nullable String nextField() {
    String name = anyField();
    while (name != null && ignored != null && ignored.contains(everywhere())) {
      skip();
      name = anyField();
    }
    return name;
  }

  private @Nullable String anyField() {
    JsonToken token = advance();
    if (token == JsonToken.END_OBJECT) {
      place.leave();
      return null;
    }
    if (token == null) {
      throw JsonException.text(
          path() + ": expected the end of the object, but the body ends before");
    }
    if (place.isFull()) {
      throw JsonException.field(path(), "expected at most " + JsonPlace.FIELDS_MAX + " fields");
    }
    String name = parser.currentName();
    if (!place.field(name)) {
      throw JsonException.field(path(), "expected once, but it is there twice");
    }
    advance();
    return name;
  }

  public void beginArray() {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw wrong("an array");
    }
    place.enterArray();
  }

  /** Steps on to the next element; false after the last one. */
  public boolean nextElement() {
    JsonToken token = advance();
    if (token == JsonToken.END_ARRAY) {
      place.leave();
      return false;
    }
    if (token == null) {
      throw JsonException.text(
          path() + ": expected the end of the array, but the body ends before");
    }
    place.element();
    return true;
  }

  /**
   * Reads an array, element by element.
   *
   * @param max the most elements it may have
   */
  public <T> List<T> list(int max, Function<JsonIn, T> reader) {
    List<T> list = new ArrayList<>();
    beginArray();
    while (nextElement()) {
      if (list.size() == max) {
        throw JsonException.tooLarge(path(), "expected at most " + max + " elements, but got more");
      }
      list.add(reader.apply(this));
    }
    return list;
  }

  /**
   * A text of the object the reader stands on, before that is read, wherever in it the field is;
   * null if there is no such text. What is wrong with the object is told when it is read.
   */
  public @Nullable String ahead(String field) {
    String value = lookAhead(field);
    kindPlace = place.path();
    kind = String.valueOf(value);
    return value;
  }

  private @Nullable String lookAhead(String field) {
    if (!isObject()) {
      throw wrong("an object");
    }
    int from = (int) parser.currentTokenLocation().getByteOffset();
    try (JsonParser look =
        FACTORY.createParser(ObjectReadContext.empty(), body, from, body.length - from)) {
      look.nextToken();
      while (look.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean found = field.equals(look.currentName());
        JsonToken value = look.nextToken();
        if (found) {
          return value == JsonToken.VALUE_STRING ? look.getString() : null;
        }
        look.skipChildren();
      }
      return null;
    } catch (JacksonException notJson) {
      return null;
    }
  }

  public boolean isNull() {
    return parser.currentToken() == JsonToken.VALUE_NULL;
  }

  public boolean isArray() {
    return parser.currentToken() == JsonToken.START_ARRAY;
  }

  public boolean isObject() {
    return parser.currentToken() == JsonToken.START_OBJECT;
  }

  public String text() {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw wrong("a text");
    }
    try {
      return parser.getString();
    } catch (JacksonException notJson) {
      throw broken(notJson);
    }
  }

  public @Nullable String textOrNull() {
    return isNull() ? null : text();
  }

  public boolean flag() {
    return switch (parser.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> throw wrong("true or false");
    };
  }

  /** The words for a whole number within bounds. */
  static String wholeNumber(long min, long max) {
    if (min == Long.MIN_VALUE) {
      return "a whole number";
    }
    return max == Long.MAX_VALUE
        ? "a whole number, " + min + " or more"
        : "a whole number from " + min + " to " + max;
  }

  /** A whole number; also one written as 2.0 or 2e1. */
  public long number(long min, long max) {
    Long value =
        switch (parser.currentToken()) {
          case VALUE_NUMBER_INT -> whole();
          case VALUE_NUMBER_FLOAT -> wholeOf(decimal());
          default -> null;
        };
    if (value == null || value < min || value > max) {
      throw wrong(wholeNumber(min, max));
    }
    return value;
  }

  private @Nullable Long whole() {
    try {
      return parser.getLongValue();
    } catch (JacksonException tooLarge) {
      return null;
    }
  }

  private static @Nullable Long wholeOf(BigDecimal number) {
    try {
      return number.longValueExact();
    } catch (ArithmeticException notWhole) {
      return null;
    }
  }

  private BigDecimal decimal() {
    try {
      BigDecimal value = parser.getDecimalValue();
      if (Math.abs((long) value.scale()) > NUMBER_CHARS_MAX) {
        throw wrong("a number of fewer digits");
      }
      return value;
    } catch (JacksonException tooLong) {
      throw broken(tooLong);
    }
  }

  /** A number of seconds, perhaps with a fraction, as milliseconds. */
  public long secondsAsMs(long maxMs) {
    String expected = "seconds from 0 to " + maxMs / 1000;
    JsonToken token = parser.currentToken();
    if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
      throw wrong(expected);
    }
    BigDecimal ms = decimal().movePointRight(3);
    if (ms.signum() < 0 || ms.compareTo(BigDecimal.valueOf(maxMs)) > 0) {
      throw wrong(expected);
    }
    return ms.longValue();
  }

  /** An ISO 8601 time, as epoch milliseconds. */
  public long time() {
    Long time = Times.parse(text());
    if (time == null || time < 0) {
      throw wrong("a date or a time such as 2026-11-15T18:26:18Z");
    }
    return time;
  }

  /** A text, a whole number, a truth or null, as Java has it. */
  public @Nullable Object scalar() {
    return switch (parser.currentToken()) {
      case VALUE_NULL -> null;
      case VALUE_STRING -> text();
      case VALUE_TRUE, VALUE_FALSE -> flag();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(Long.MIN_VALUE, Long.MAX_VALUE);
      default -> throw wrong("a text, a number, true or false");
    };
  }

  /** The bytes of the value as they are in the body. */
  public byte[] payload() {
    int from = (int) parser.currentTokenLocation().getByteOffset();
    skip();
    int to = (int) parser.currentLocation().getByteOffset();
    // Of a number that is the whole body, Jackson takes the space behind it as well.
    while (body[to - 1] <= ' ' && body[to - 1] > 0) {
      to--;
    }
    return Arrays.copyOfRange(body, from, to);
  }

  /** The bytes that a text stands for. */
  public byte[] base64() {
    try {
      return Base64.getDecoder().decode(text());
    } catch (IllegalArgumentException notBase64) {
      throw wrong("base64");
    }
  }

  /** Steps over the value, whatever it is. */
  public void skip() {
    try {
      parser.skipChildren();
      parser.finishToken();
    } catch (JacksonException notJson) {
      throw broken(notJson);
    }
  }

  /** Where the reader is, such as {@code items[3].queue}. */
  public String path() {
    String path = place.path();
    return path.isEmpty() ? "body" : path;
  }

  /** The same; empty for the body itself. */
  public String place() {
    return place.path();
  }

  /**
   * The place of the reader in all elements of the arrays around it, such as {@code items[].queue}.
   * Elements that were told apart by {@link #ahead} have different fields: of those only the ones
   * of the same kind, such as {@code operations[ack].leaseId}.
   */
  private String everywhere() {
    String path = place.path();
    if (!kindPlace.isEmpty() && path.startsWith(kindPlace + ".")) {
      int bracket = kindPlace.lastIndexOf('[');
      path = kindPlace.substring(0, bracket + 1) + kind + "]" + path.substring(kindPlace.length());
    }
    return ELEMENT.matcher(path).replaceAll("[]");
  }

  public JsonException wrong(String expected) {
    return JsonException.field(path(), "expected " + expected + ", but got " + shown());
  }

  /** Whether the field that the reader stands on is ignored, because nothing is known of it. */
  boolean ignores(List<String> known) {
    return ignored != null && ignored.take(everywhere(), known);
  }

  /** A field that nothing is known of. */
  public JsonException unknown(String... known) {
    return unknown(List.of(known));
  }

  /** A field that nothing is known of. */
  public JsonException unknown(List<String> known) {
    unfinished |= ignores(known);
    return JsonException.field(
        path(), "there is no such field here; there are " + String.join(", ", known));
  }

  private String shown() {
    JsonToken token = parser.currentToken();
    if (token == null) {
      return "nothing";
    }
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "a text";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        String text = parser.getString();
        yield text.length() <= SHOWN_CHARS_MAX ? text : text.length() + " digits";
      }
      default -> parser.getString();
    };
  }

  @Override
  public void close() {
    parser.close();
  }
}
