package io.holdfast.server.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The query of a request: each parameter once, and only those that the route has. */
public final class Query {
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");

  private final Map<String, String> values;

  private Query(Map<String, String> values) {
    this.values = values;
  }

  /** Reads a query as it came, without its question mark. */
  static Query of(String raw, List<Param> known) {
    if (raw.isEmpty()) {
      return new Query(Map.of());
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (String pair : raw.split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String name = Percent.decode(equals < 0 ? pair : pair.substring(0, equals), true);
      String value = equals < 0 ? "" : Percent.decode(pair.substring(equals + 1), true);
      if (name == null || value == null) {
        throw Problem.field(
            name == null ? "query" : name, "expected percent-encoded UTF-8, but it is not");
      }
      if (known.stream().noneMatch(param -> param.name().equals(name))) {
        throw unknown(name, known);
      }
      if (values.put(name, value) != null) {
        throw Problem.field(name, "expected once, but it is there twice");
      }
    }
    Query query = new Query(values);
    known.forEach(query::check);
    return query;
  }

  private static Problem unknown(String name, List<Param> known) {
    return Problem.field(
        name,
        known.isEmpty()
            ? "this route has no parameters"
            : "there is no such parameter here; there are "
                + String.join(", ", known.stream().map(Param::name).toList()));
  }

  /** A parameter that is not needed this time has to be right all the same. */
  private void check(Param param) {
    switch (param.kind()) {
      // Of one that is clamped every whole number will do.
      case NUMBER -> {
        if (param.min() > Long.MIN_VALUE) {
          number(param);
        }
      }
      case FLAG -> flag(param);
      case TIME -> time(param);
      case WORD -> word(param);
      case TEXT -> {}
    }
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** The parameters as they came, decoded. */
  @Override
  public String toString() {
    return values.toString();
  }

  public boolean has(Param param) {
    return values.containsKey(param.name());
  }

  /** A text; null if it is not there and has no default. An empty one counts as not there. */
  public @Nullable String text(Param param) {
    String value = values.get(param.name());
    return value == null || value.isEmpty() ? (String) param.byDefault() : value;
  }

  public String textOrDefault(Param param) {
    String value = text(param);
    if (value == null) {
      throw Problem.field(param.name(), "expected a value, but there is none");
    }
    return value;
  }

  public long number(Param param) {
    String value = values.get(param.name());
    if (value == null || value.isEmpty()) {
      Object byDefault = param.byDefault();
      return byDefault == null ? 0 : (Long) byDefault;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= param.min() && number <= param.max() && value.charAt(0) != '+') {
        return number;
      }
    } catch (NumberFormatException noNumber) {
      // Told below.
    }
    throw wrong(param, "a whole number from " + param.min() + " to " + param.max(), value);
  }

  /** A whole number of whatever size, brought within bounds. */
  public long clamped(Param param, long min, long max) {
    String value = values.get(param.name());
    if (value == null || value.isEmpty()) {
      return number(param);
    }
    if (!WHOLE.matcher(value).matches()) {
      throw wrong(param, "a whole number", value);
    }
    try {
      return Math.clamp(Long.parseLong(value), min, max);
    } catch (NumberFormatException tooLong) {
      return value.charAt(0) == '-' ? min : max;
    }
  }

  public boolean flag(Param param) {
    String value = values.get(param.name());
    if (value == null) {
      return Boolean.TRUE.equals(param.byDefault());
    }
    return switch (value) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw wrong(param, "true or false", value);
    };
  }

  /** A time in epoch milliseconds; null if it is not there. */
  public @Nullable Long time(Param param) {
    String value = values.get(param.name());
    if (value == null || value.isEmpty()) {
      return null;
    }
    // A plus sign that nobody encoded has become a space.
    Long time = Times.parse(value.replace(' ', '+'));
    if (time == null || time < 0) {
      throw wrong(param, "a date or a time such as 2026-11-15T18:26:18Z", value);
    }
    return time;
  }

  /** One of the parameter's words; null if it is not there and has no default. */
  public @Nullable String word(Param param) {
    String value = text(param);
    if (value != null && !param.words().contains(value)) {
      throw wrong(param, "one of " + String.join(", ", param.words()), value);
    }
    return value;
  }

  private static Problem wrong(Param param, String expected, String value) {
    String shown = value.length() <= 40 ? "\"" + value + "\"" : value.length() + " characters";
    return Problem.field(param.name(), "expected " + expected + ", but got " + shown);
  }
}
