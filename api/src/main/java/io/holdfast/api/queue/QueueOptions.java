package io.holdfast.api.queue;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of a queue: every {@link QueueOption} with its value. Immutable. */
public final class QueueOptions {
  /** Every option at its default. */
  public static final QueueOptions DEFAULTS = new QueueOptions(Map.of());

  private final EnumMap<QueueOption, Object> values = new EnumMap<>(QueueOption.class);

  private QueueOptions(Map<QueueOption, ? extends @Nullable Object> given) {
    for (QueueOption option : QueueOption.values()) {
      values.put(option, option.checked(given.get(option)));
    }
  }

  /**
   * Options with these values, the others at their defaults; null stands for the default.
   *
   * @throws IllegalArgumentException naming the option that has a wrong value
   */
  public static QueueOptions of(Map<QueueOption, ? extends @Nullable Object> given) {
    return new QueueOptions(given);
  }

  /** These options with some changed; null stands for the default. */
  public QueueOptions with(Map<QueueOption, ? extends @Nullable Object> changes) {
    EnumMap<QueueOption, @Nullable Object> merged = new EnumMap<>(values);
    merged.putAll(changes);
    return new QueueOptions(merged);
  }

  public QueueOptions with(QueueOption option, Object value) {
    return with(Map.of(option, value));
  }

  public long number(QueueOption option) {
    return (Long) get(option);
  }

  public boolean flag(QueueOption option) {
    return (Boolean) get(option);
  }

  public String text(QueueOption option) {
    return (String) get(option);
  }

  public Object get(QueueOption option) {
    Object value = values.get(option);
    return value == null ? option.byDefault() : value;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof QueueOptions options && values.equals(options.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
