package io.holdfast.server.queues;

import io.holdfast.api.queue.QueueOption;
import io.holdfast.json.JsonException;
import io.holdfast.server.http.Problem;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes to the options of a queue.
 *
 * @param options new values; null is the default
 * @param retentionEnabled null if the request does not contain it
 * @param retentionPath where it is in the request
 */
record OptionChanges(
    Map<QueueOption, @Nullable Object> options,
    @Nullable Boolean retentionEnabled,
    String retentionPath) {
  /** These changes, and those of the object {@code options}. */
  OptionChanges and(@Nullable OptionChanges nested) {
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
        ? new OptionChanges(all, nested.retentionEnabled, nested.retentionPath)
        : new OptionChanges(all, retentionEnabled, retentionPath);
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
