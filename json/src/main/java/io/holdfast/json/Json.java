package io.holdfast.json;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Page;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The common kinds of JSON values. */
public final class Json {
  private static final int ID_CHARS = 36;
  private static final int DATE_CHARS = 10;
  private static final long DAY_MS = 24L * 3600 * 1000;
  private static final Pattern WHOLE_TEXT = Pattern.compile("-?[0-9]+");

  public static final JsonType<String> TEXT = text(Schema.TEXT, "a text");
  public static final JsonType<String> QUEUE = text(Schema.QUEUE, "the name of a queue");
  public static final JsonType<String> JOURNAL = text(Schema.JOURNAL, "the name of a journal");
  public static final JsonType<String> RECORD = text(Schema.RECORD, "the key of a record");

  public static final JsonType<Boolean> FLAG =
      new JsonType<>(Schema.FLAG, "true or false", JsonIn::flag, Json::parseFlag, JsonOut::add);

  /** A time, ISO 8601 on the wire, and epoch milliseconds here. */
  public static final JsonType<Long> TIME =
      new JsonType<>(
          Schema.TIME,
          "a date or a time such as 2026-11-15T18:26:18Z",
          JsonIn::time,
          Json::parseTime,
          (out, ms) -> out.add(Times.text(ms)));

  /** A time, epoch seconds with a fraction on the wire, and epoch milliseconds here. */
  public static final JsonType<Long> EPOCH_SECONDS =
      new JsonType<>(Schema.NUMBER, "epoch seconds", null, null, JsonOut::addSeconds);

  /** A time that ends a span: the first millisecond after it. A date alone is its whole day. */
  public static final JsonType<Long> TIME_END =
      new JsonType<>(
          Schema.TIME,
          "a date or a time such as 2026-11-15T18:26:18Z",
          in -> endOf(in.time(), in.text()),
          text -> {
            Long time = parseTime(text);
            return time == null ? null : endOf(time, text);
          },
          null);

  public static final JsonType<UUID> ID =
      new JsonType<>(
          Schema.TEXT,
          "an id such as 019b76da-a800-7000-8000-010000000001",
          Json::readId,
          Json::parseId,
          JsonOut::add);

  /** Any whole number. */
  public static final JsonType<Long> WHOLE = whole(Long.MIN_VALUE, Long.MAX_VALUE);

  public static final JsonType<Double> NUMBER =
      new JsonType<>(Schema.NUMBER, "a number", null, null, JsonOut::add);

  /** Any JSON, byte for byte as it stands in the text. */
  public static final JsonType<byte[]> ANY =
      new JsonType<>(Schema.ANY, "any JSON", JsonIn::payload, null, JsonOut::addPayload);

  /** Bytes, as base64 on the wire. */
  public static final JsonType<byte[]> BASE64 =
      new JsonType<>(Schema.TEXT, "base64", JsonIn::base64, null, null);

  private Json() {}

  private static JsonType<String> text(Schema schema, String expected) {
    return new JsonType<>(schema, expected, JsonIn::text, text -> text, JsonOut::add);
  }

  private static UUID readId(JsonIn in) {
    UUID id = parseId(in.text());
    if (id == null) {
      throw in.wrong(ID.expected());
    }
    return id;
  }

  private static @Nullable UUID parseId(String text) {
    // Java would take shorter ones as well, and fill them up.
    if (text.length() != ID_CHARS) {
      return null;
    }
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException notAnId) {
      return null;
    }
  }

  private static @Nullable Boolean parseFlag(String text) {
    return switch (text) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> null;
    };
  }

  private static @Nullable Long parseTime(String text) {
    // A plus sign that was not encoded has become a space.
    Long time = Times.parse(text.replace(' ', '+'));
    return time == null || time < 0 ? null : time;
  }

  private static long endOf(long timeMs, String text) {
    return text.length() == DATE_CHARS ? timeMs + DAY_MS : timeMs + 1;
  }

  private static @Nullable Long parseWhole(String text, long min, long max) {
    try {
      long number = Long.parseLong(text);
      return number >= min && number <= max && text.charAt(0) != '+' ? number : null;
    } catch (NumberFormatException notANumber) {
      return null;
    }
  }

  /** A whole number within bounds. */
  public static JsonType<Long> whole(long min, long max) {
    return new JsonType<>(
        Schema.whole(min, max),
        JsonIn.wholeNumber(min, max),
        in -> in.number(min, max),
        text -> parseWhole(text, min, max),
        JsonOut::add);
  }

  /** A whole number within bounds that fit an int. */
  public static JsonType<Integer> integer(int min, int max) {
    return new JsonType<>(
        Schema.whole(min, max),
        JsonIn.wholeNumber(min, max),
        in -> (int) in.number(min, max),
        text -> {
          Long number = parseWhole(text, min, max);
          return number == null ? null : Math.toIntExact(number);
        },
        (out, number) -> out.add((long) number));
  }

  /** A whole number of whatever size, brought within bounds. */
  public static JsonType<Long> clamped(long min, long max) {
    return new JsonType<>(
        Schema.WHOLE,
        "a whole number",
        in -> Math.clamp(in.number(Long.MIN_VALUE, Long.MAX_VALUE), min, max),
        text -> parseClamped(text, min, max),
        null);
  }

  private static @Nullable Long parseClamped(String text, long min, long max) {
    if (!WHOLE_TEXT.matcher(text).matches()) {
      return null;
    }
    try {
      return Math.clamp(Long.parseLong(text), min, max);
    } catch (NumberFormatException tooLong) {
      return text.charAt(0) == '-' ? min : max;
    }
  }

  /** Seconds on the wire, perhaps with a fraction, and milliseconds here. */
  public static JsonType<Long> seconds(long maxMs) {
    return new JsonType<>(
        Schema.NUMBER,
        "seconds from 0 to " + maxMs / 1000,
        in -> in.secondsAsMs(maxMs),
        null,
        null);
  }

  /** One of some words. */
  public static JsonType<String> word(String... words) {
    return words(word -> word, words);
  }

  /**
   * One of some words, each for a value.
   *
   * @param value the value of a word; null if it is none of them
   * @param words those that are documented
   */
  public static <T> JsonType<T> words(Function<String, @Nullable T> value, String... words) {
    List<String> known = List.of(words);
    String expected = "one of " + String.join(", ", known);
    Function<String, @Nullable T> checked =
        word -> {
          T found = value.apply(word);
          return found instanceof String text && !known.contains(text) ? null : found;
        };
    return new JsonType<>(
        new Schema.Words(known),
        expected,
        in -> {
          T found = checked.apply(in.text());
          if (found == null) {
            throw in.wrong(expected);
          }
          return found;
        },
        checked::apply,
        (out, found) -> out.add(found.toString()));
  }

  /** A constant of an enum, in lower case on the wire. */
  public static <E extends Enum<E>> JsonType<E> constant(Class<E> type) {
    Map<String, E> byWord = new LinkedHashMap<>();
    for (E constant : type.getEnumConstants()) {
      byWord.put(constant.name().toLowerCase(Locale.ROOT), constant);
    }
    JsonType<E> read = words(byWord::get, byWord.keySet().toArray(new String[0]));
    return new JsonType<>(
        read.schema(),
        read.expected(),
        read::read,
        read::parse,
        (out, constant) -> out.add(constant.name().toLowerCase(Locale.ROOT)));
  }

  /** A value that is read, for which null has a meaning of its own: an empty optional here. */
  public static <T> JsonType<Optional<T>> orNull(JsonType<T> type) {
    return JsonType.read(
        Schema.orNull(type.schema()),
        type.expected() + " or null",
        in -> in.isNull() ? Optional.empty() : Optional.of(type.read(in)));
  }

  /** An array that is written. */
  public static <T> JsonType<Collection<T>> list(JsonType<T> element) {
    return JsonType.written(
        Schema.array(element.schema()),
        (out, elements) -> {
          out.beginArray();
          for (T one : elements) {
            element.write(out, one);
          }
          out.endArray();
        });
  }

  /**
   * An array that is read.
   *
   * @param max the most elements it may have
   */
  public static <T> JsonType<List<T>> list(JsonType<T> element, int max) {
    return JsonType.read(
        Schema.array(element.schema()), "an array", in -> in.list(max, element::read));
  }

  /** An object whose names are the sender's choice, with values of one type. */
  public static <T> JsonType<Map<String, T>> map(JsonType<T> value) {
    return new JsonType<>(
        new Schema.MapOf(value.schema()),
        "an object",
        in -> {
          Map<String, T> map = new LinkedHashMap<>();
          in.beginObject();
          for (String name = in.nextField(); name != null; name = in.nextField()) {
            map.put(name, value.read(in));
          }
          return map;
        },
        null,
        (out, map) -> {
          out.beginObject();
          map.forEach(
              (name, one) -> {
                out.name(name);
                value.write(out, one);
              });
          out.endObject();
        });
  }

  /** An object that is read. */
  public static <T> JsonType<T> object(Function<Values, T> make, Fields fields) {
    return JsonType.read(fields.schema(), "an object", fields::read).map(make);
  }

  /** An object that is read. */
  public static <T> JsonType<T> object(Function<Values, T> make, Field<?>... fields) {
    return object(make, Fields.of(fields));
  }

  /**
   * An object that is one of several, by the word in one of its fields.
   *
   * @param field the field, which each of them declares
   */
  public static <T> JsonType<T> oneOf(String field, Map<String, JsonType<? extends T>> byWord) {
    String expected = "one of " + String.join(", ", byWord.keySet());
    return JsonType.read(
        new Schema.OneOf(field, byWord.values().stream().map(JsonType::schema).toList()),
        "an object",
        in -> {
          String word = in.ahead(field);
          JsonType<? extends T> chosen = word == null ? null : byWord.get(word);
          if (chosen == null) {
            throw JsonException.field(
                JsonException.in(in.place(), field),
                "expected "
                    + expected
                    + ", but "
                    + (word == null ? "there is none" : "got another word"));
          }
          return chosen.read(in);
        });
  }

  /**
   * Converts the elements of an array that was read; an error names the element.
   *
   * @param name the field of the array
   */
  public static <T, U> List<U> convert(String name, List<T> elements, Function<T, U> change) {
    List<U> converted = new ArrayList<>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      try {
        converted.add(change.apply(elements.get(i)));
      } catch (InvalidArgumentException refused) {
        throw JsonException.argument(name + '[' + i + ']', refused);
      } catch (JsonException wrong) {
        throw wrong.within(name + '[' + i + ']');
      }
    }
    return converted;
  }

  /** A page of a list: its items under a name, and where the next page begins. */
  public static <T> JsonType<Page<T>> page(String name, JsonType<T> item, String explanation) {
    return new JsonObject<Page<T>>()
        .list(name, item, Page::items, explanation)
        .textOrNull("next", Page::next, "The parameter after of the next page; null on the last.")
        .type();
  }
}
