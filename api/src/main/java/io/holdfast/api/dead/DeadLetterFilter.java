package io.holdfast.api.dead;

import io.holdfast.api.Check;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which dead letters of a queue; null and the full span match everything. */
public record DeadLetterFilter(
    String queue,
    @Nullable String group,
    @Nullable String partition,
    @Nullable UUID messageId,
    @Nullable String errorContains,
    long fromMs,
    long toMs) {
  public DeadLetterFilter {
    Check.name("queue", queue);
    Check.notNegative("fromMs", fromMs);
    Check.notNegative("toMs", toMs);
  }

  public static DeadLetterFilter queue(String queue) {
    return new DeadLetterFilter(queue, null, null, null, null, 0, Long.MAX_VALUE);
  }

  public DeadLetterFilter group(String name) {
    return new DeadLetterFilter(queue, name, partition, messageId, errorContains, fromMs, toMs);
  }

  public DeadLetterFilter partition(String name) {
    return new DeadLetterFilter(queue, group, name, messageId, errorContains, fromMs, toMs);
  }

  public DeadLetterFilter message(UUID id) {
    return new DeadLetterFilter(queue, group, partition, id, errorContains, fromMs, toMs);
  }

  public DeadLetterFilter errorContains(String text) {
    return new DeadLetterFilter(queue, group, partition, messageId, text, fromMs, toMs);
  }

  public DeadLetterFilter died(long from, long to) {
    return new DeadLetterFilter(queue, group, partition, messageId, errorContains, from, to);
  }
}
