package io.holdfast.server.queen;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Shape;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Options of a queue, as JSON has them: ours by name, and those of Queen that we have no use for.
 *
 * <p>An option is done or refused, never taken and forgotten: those of Queen are taken only with
 * the value that says what this broker does anyway.
 */
final class OptionItems {
  private static final String RETENTION_ENABLED = "retentionEnabled";

  /** Options of Queen that this broker does not have, with the only value they may carry. */
  private static final Map<String, Object> UNSUPPORTED = unsupported();

  static final Shape SHAPE = shape();

  private final EnumMap<QueueOption, @Nullable Object> changes = new EnumMap<>(QueueOption.class);
  private final Set<String> seen = new HashSet<>();
  private @Nullable Boolean retention;
  private String retentionPath = RETENTION_ENABLED;

  private static Map<String, Object> unsupported() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("minPopWaitTime", 0L);
    all.put("retentionSinkHold", "");
    all.put("retentionSinkHoldMaxSeconds", 604_800L);
    return all;
  }

  private static Shape shape() {
    List<Shape.Field> fields = new ArrayList<>();
    for (QueueOption option : QueueOption.values()) {
      fields.add(
          Shape.optional(
              option.wireName(),
              option.words().isEmpty()
                  ? scalar(option.byDefault())
                  : Shape.words(option.words().toArray(String[]::new)),
              option.explanation() + " Default: " + shown(option.byDefault()) + "."));
    }
    fields.add(
        Shape.optional(
            RETENTION_ENABLED,
            Shape.FLAG,
            "Whether unsettled messages are dropped by age: true wants a retentionSeconds above 0,"
                + " false sets it to 0. Settled ones always go after completedRetentionSeconds."));
    UNSUPPORTED.forEach(
        (name, value) ->
            fields.add(
                Shape.optional(
                    name, scalar(value), "Not supported: only " + shown(value) + " is taken.")));
    return Shape.fields(fields.toArray(Shape.Field[]::new));
  }

  private static Shape scalar(Object value) {
    return switch (value) {
      case Long number -> Shape.WHOLE;
      case Boolean flag -> Shape.FLAG;
      default -> Shape.TEXT;
    };
  }

  private static String shown(Object value) {
    return value instanceof String text ? '"' + text + '"' : value.toString();
  }

  /**
   * Reads the option the reader stands on.
   *
   * @param others what else may stand beside it, to be told if there is no such option
   */
  void read(String name, JsonIn in, List<String> others) {
    if (!seen.add(name)) {
      throw Problem.field(in.path(), "expected once, but it is beside queue and in options");
    }
    Object only = UNSUPPORTED.get(name);
    QueueOption option = named(name);
    if (name.equals(RETENTION_ENABLED)) {
      retention = in.isNull() ? null : in.flag();
      retentionPath = in.path();
    } else if (only != null) {
      expect(name, only, in);
    } else if (option == null) {
      throw in.unknown(Stream.concat(others.stream(), known()).toList());
    } else {
      changes.put(option, in.isNull() ? null : value(option, in));
    }
  }

  private static @Nullable QueueOption named(String name) {
    for (QueueOption option : QueueOption.values()) {
      if (option.wireName().equals(name)) {
        return option;
      }
    }
    return null;
  }

  private static Stream<String> known() {
    return Stream.concat(
        Stream.of(QueueOption.values()).map(QueueOption::wireName), Stream.of(RETENTION_ENABLED));
  }

  private static void expect(String name, Object only, JsonIn in) {
    boolean same =
        in.isNull()
            || switch (only) {
              case Long number -> in.number(0, Long.MAX_VALUE) == number;
              case Boolean flag -> flag.equals(in.flag());
              default -> only.equals(in.text());
            };
    if (!same) {
      throw Problem.unsupported(
          in.path(),
          "this broker does not support " + name + "; leave it out or send " + shown(only));
    }
  }

  private static Object value(QueueOption option, JsonIn in) {
    return switch (option.byDefault()) {
      case Long number -> in.number(option.min(), option.max());
      case Boolean flag -> in.flag();
      default -> option.words().isEmpty() ? text(option, in) : word(option, in);
    };
  }

  private static String word(QueueOption option, JsonIn in) {
    String word = in.text().toLowerCase(Locale.ROOT);
    if (!option.words().contains(word)) {
      throw in.wrong(String.join(" or ", option.words()));
    }
    return word;
  }

  private static String text(QueueOption option, JsonIn in) {
    String text = in.text();
    try {
      return QueueOptions.DEFAULTS.with(option, text).text(option);
    } catch (InvalidArgumentException refused) {
      String path = in.path();
      int dot = path.lastIndexOf('.');
      throw Problem.argument(dot < 0 ? "" : path.substring(0, dot), refused);
    }
  }

  /** Whether what is asked for depends on options that are not named. */
  boolean needsOthers() {
    return Boolean.TRUE.equals(retention) && !changes.containsKey(QueueOption.RETENTION);
  }

  /** The changes, for a queue with these options. */
  Map<QueueOption, @Nullable Object> changes(QueueOptions before) {
    Boolean on = retention;
    if (on == null) {
      return changes;
    }
    Object asked = changes.get(QueueOption.RETENTION);
    long seconds =
        changes.containsKey(QueueOption.RETENTION)
            ? asked instanceof Long number ? number : 0
            : on ? before.number(QueueOption.RETENTION) : 0;
    if (on && seconds == 0) {
      throw Problem.field(
          retentionPath, "expected a retentionSeconds above 0 with true, but it is 0");
    }
    if (!on && seconds > 0) {
      throw Problem.field(
          retentionPath, "expected no retentionSeconds above 0 with false, but it is " + seconds);
    }
    if (!on) {
      changes.put(QueueOption.RETENTION, 0L);
    }
    return changes;
  }

  /** Writes all options into an object that is begun. */
  static void write(JsonOut out, QueueOptions options) {
    for (QueueOption option : QueueOption.values()) {
      out.putValue(option.wireName(), options.get(option));
    }
    out.put(RETENTION_ENABLED, options.number(QueueOption.RETENTION) > 0);
    UNSUPPORTED.forEach(out::putValue);
  }
}
