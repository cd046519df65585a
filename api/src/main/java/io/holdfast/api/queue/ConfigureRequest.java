package io.holdfast.api.queue;

import io.holdfast.api.Check;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a queue, or changes its options.
 *
 * @param changes values by option; null stands for the option's default
 * @param replace set the options that are not named to their defaults; otherwise they stay
 */
public record ConfigureRequest(
    String queue, Map<QueueOption, ? extends @Nullable Object> changes, boolean replace) {
  public ConfigureRequest {
    Check.name("queue", queue);
    EnumMap<QueueOption, @Nullable Object> copy = new EnumMap<>(QueueOption.class);
    copy.putAll(changes);
    copy.forEach((option, value) -> option.checked(value));
    changes = Collections.unmodifiableMap(copy);
  }

  public static ConfigureRequest queue(String queue) {
    return new ConfigureRequest(queue, Map.of(), false);
  }

  public ConfigureRequest set(QueueOption option, @Nullable Object value) {
    EnumMap<QueueOption, @Nullable Object> more = new EnumMap<>(QueueOption.class);
    more.putAll(changes);
    more.put(option, value);
    return new ConfigureRequest(queue, more, replace);
  }

  public ConfigureRequest replacing() {
    return new ConfigureRequest(queue, changes, true);
  }
}
