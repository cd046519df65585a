package io.holdfast.server.queues;

import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.json.Field;
import io.holdfast.json.Fields;
import io.holdfast.json.Json;
import io.holdfast.json.JsonException;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonOut;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Problem;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options of a queue as fields of a JSON object: those of this broker, and those of Queen that
 * it does not support.
 *
 * <p>An option is applied or refused, never accepted and ignored: an unsupported option is accepted
 * only with the value that describes what this broker does anyway.
 */
final class OptionFields {
  private static final String OPTIONS = "options";

  /** In JSON: settled messages are kept until the broker needs the room. Queen means it by 0. */
  private static final long KEEP = 0;

  /** In JSON: settled messages are not kept. */
  private static final long FORGET = -1;

  /** The broker keeps settled messages so long if nothing else limits it. */
  private static final long KEPT_SECONDS = QueueOption.COMPLETED_RETENTION.max();

  private static final Map<QueueOption, Field<? extends Optional<?>>> BY_OPTION =
      new EnumMap<>(QueueOption.class);

  static {
    for (QueueOption option : QueueOption.values()) {
      BY_OPTION.put(
          option,
          Field.optional(option.wireName(), Json.orNull(type(option)), explanation(option)));
    }
  }

  /**
   * Changes to the options of a queue.
   *
   * @param options new values; null is the default
   * @param retentionEnabled null if the request does not contain it
   * @param retentionPath where it is in the request
   */
  record Changes(
      Map<QueueOption, @Nullable Object> options,
      @Nullable Boolean retentionEnabled,
      String retentionPath) {
    /** These changes, and those of the object {@code options}. */
    Changes and(@Nullable Changes nested) {
      if (nested == null) {
        return this;
      }
      Map<QueueOption, @Nullable Object> all = new EnumMap<>(QueueOption.class);
      all.putAll(options);
      nested.options.forEach(
          (option, value) -> {
            if (all.containsKey(option)) {
              throw twice(option.wireName());
            }
            all.put(option, value);
          });
      if (retentionEnabled != null && nested.retentionEnabled != null) {
        throw twice(retentionPath);
      }
      return retentionEnabled == null
          ? new Changes(all, nested.retentionEnabled, nested.retentionPath)
          : new Changes(all, retentionEnabled, retentionPath);
    }

    private static JsonException twice(String path) {
      return JsonException.field(path, "expected once, but it is beside queue and in options");
    }

    /** The new values by option. */
    Map<QueueOption, @Nullable Object> resolve() {
      if (!Boolean.FALSE.equals(retentionEnabled)) {
        return options;
      }
      if (options.get(QueueOption.RETENTION) instanceof Long seconds && seconds > 0) {
        throw Problem.field(
            retentionPath, "expected no retentionSeconds above 0 with false, but it is " + seconds);
      }
      Map<QueueOption, @Nullable Object> all = new EnumMap<>(QueueOption.class);
      all.putAll(options);
      all.put(QueueOption.RETENTION, 0L);
      return all;
    }
  }

  static final Field<Boolean> RETENTION_ENABLED =
      Field.optional(
          "retentionEnabled",
          Json.FLAG,
          "Whether unsettled messages are dropped by age: after retentionSeconds if that is above"
              + " 0; false sets it to 0. Settled messages are always dropped after"
              + " completedRetentionSeconds.");

  /** The unsupported options, each with the only value that is accepted. */
  private static final Map<Field<?>, Object> UNSUPPORTED = new LinkedHashMap<>();

  static {
    unsupported("minPopWaitTime", Json.WHOLE, 0L);
    unsupported("retentionSinkHold", Json.TEXT, "");
    unsupported("retentionSinkHoldMaxSeconds", Json.WHOLE, 604_800L);
  }

  static final Fields ALL =
      Fields.of(
          Stream.of(BY_OPTION.values(), List.of(RETENTION_ENABLED), UNSUPPORTED.keySet())
              .flatMap(fields -> fields.stream())
              .toArray(Field<?>[]::new));

  /** The field {@code options} of a request. */
  static final Field<Changes> NESTED =
      Field.optional(
          OPTIONS,
          Json.object(in -> read(in, OPTIONS + '.'), ALL),
          "Values by option; null is the default. They may also stand beside queue.");

  /** All options of a queue, as they are. */
  static final JsonType<QueueOptions> VALUES = values().type();

  /**
   * Options with those of Queen.
   *
   * @param retentionEnabled as it was sent; null if it was not
   */
  record QueenOptions(QueueOptions options, @Nullable Boolean retentionEnabled) {}

  /** All options of a queue, and those of Queen. */
  static final JsonType<QueenOptions> QUEEN_VALUES = queenValues();

  private OptionFields() {}

  private static <T> void unsupported(String name, JsonType<T> type, T only) {
    UNSUPPORTED.put(
        Field.optional(name, type, "Not supported: only " + shown(only) + " is accepted."), only);
  }

  private static JsonType<?> type(QueueOption option) {
    if (option == QueueOption.COMPLETED_RETENTION) {
      return Json.whole(FORGET, option.max());
    }
    return switch (option.byDefault()) {
      case Long number -> Json.whole(option.min(), option.max());
      case Boolean flag -> Json.FLAG;
      default ->
          option.words().isEmpty()
              ? Json.TEXT
              : Json.words(
                  word -> word.toLowerCase(Locale.ROOT), option.words().toArray(String[]::new));
    };
  }

  private static String explanation(QueueOption option) {
    String more =
        option == QueueOption.COMPLETED_RETENTION
            ? " 0: until the broker needs the room, as in Queen. -1: it is not kept."
            : "";
    return option.explanation() + more + " Default: " + shown(option.byDefault()) + ".";
  }

  private static String shown(Object value) {
    return value instanceof String text ? '"' + text + '"' : value.toString();
  }

  /**
   * Reads the options of an object.
   *
   * @param place the path of the object with a dot behind it; empty for the body itself
   */
  static Changes read(Values in, String place) {
    Map<QueueOption, @Nullable Object> changes = new EnumMap<>(QueueOption.class);
    BY_OPTION.forEach(
        (option, field) -> {
          Optional<?> value = in.find(field);
          if (value != null) {
            changes.put(
                option,
                value.isEmpty()
                    ? null
                    : QueueOptions.DEFAULTS.with(option, stored(option, value.get())).get(option));
          }
        });
    UNSUPPORTED.forEach(
        (field, only) -> {
          Object value = in.find(field);
          if (value != null && !value.equals(only)) {
            throw Problem.unsupported(
                place + field.name(),
                "this broker does not support "
                    + field.name()
                    + "; leave it out or send "
                    + shown(only));
          }
        });
    return new Changes(changes, in.find(RETENTION_ENABLED), place + RETENTION_ENABLED.name());
  }

  /** The value of an option in the broker, from that in JSON. */
  private static Object stored(QueueOption option, Object inJson) {
    if (option != QueueOption.COMPLETED_RETENTION) {
      return inJson;
    }
    if (inJson.equals(KEEP)) {
      return KEPT_SECONDS;
    }
    return inJson.equals(FORGET) ? 0L : inJson;
  }

  /** The value of an option in JSON. */
  private static Object inJson(QueueOption option, QueueOptions options) {
    if (option != QueueOption.COMPLETED_RETENTION) {
      return options.get(option);
    }
    long seconds = options.number(option);
    if (seconds == 0) {
      return FORGET;
    }
    return seconds == KEPT_SECONDS ? KEEP : seconds;
  }

  private static JsonObject<QueueOptions> values() {
    JsonObject<QueueOptions> object = new JsonObject<>();
    for (QueueOption option : QueueOption.values()) {
      object.field(
          option.wireName(),
          written(option),
          options -> inJson(option, options),
          explanation(option));
    }
    return object;
  }

  private static JsonType<QueenOptions> queenValues() {
    JsonObject<QueenOptions> object =
        new JsonObject<QueenOptions>()
            .include(values(), QueenOptions::options)
            .flag(
                RETENTION_ENABLED.name(),
                queen ->
                    Boolean.TRUE.equals(queen.retentionEnabled())
                        || queen.options().number(QueueOption.RETENTION) > 0,
                "Whether unsettled messages are dropped by age.");
    UNSUPPORTED.forEach(
        (field, only) ->
            object.field(
                field.name(), anyScalar(field.type()), options -> only, field.explanation()));
    return object.type();
  }

  private static JsonType<Object> written(QueueOption option) {
    return anyScalar(type(option));
  }

  private static JsonType<Object> anyScalar(JsonType<?> type) {
    return JsonType.written(type.schema(), JsonOut::addValue);
  }
}
