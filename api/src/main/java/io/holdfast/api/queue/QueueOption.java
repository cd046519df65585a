package io.holdfast.api.queue;

import io.holdfast.api.Check;
import io.holdfast.api.InvalidArgumentException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One option of a queue: its name on the wire, its default, and which values it takes. */
public enum QueueOption {
  NAMESPACE("namespace", "", "Pops may ask for all queues of a namespace."),
  TASK("task", "", "Pops may ask for all queues of a task."),
  DELIVERY(
      "delivery",
      "ordered",
      List.of("ordered", "shared"),
      "ordered: one live lease per partition and group, first in first out. shared: any number of"
          + " leases on one partition, each message in one of them."),
  ON_FAILURE(
      "onFailure",
      "block",
      List.of("block", "skip"),
      "What an ordered partition does while a message that came back waits: block, or skip it."),
  LEASE_TIME("leaseTime", 300, 1, 7 * 24 * 3600, "Seconds a lease lasts unless the pop says."),
  RETRY_LIMIT("retryLimit", 3, 0, 1_000_000, "Retries after the first failure; then it is dead."),
  RETRY_DELAY("retryDelay", 1_000, 0, 24L * 3600 * 1000, "Milliseconds before the first retry."),
  RETRY_FACTOR("retryFactor", 2, 1, 100, "Each further retry waits this many times longer."),
  RETRY_DELAY_MAX(
      "retryDelayMax", 30_000, 0, 30L * 24 * 3600 * 1000, "Most milliseconds before a retry."),
  RETRY_JITTER("retryJitter", false, "Spread retries over half to all of their delay."),
  DELIVERY_LIMIT(
      "deliveryLimit",
      20,
      0,
      1_000_000,
      "Lease expiries of a message held alone after which it is dead; 0 = never."),
  DEAD_LETTER_QUEUE("deadLetterQueue", true, "Keep dead letters."),
  DLQ_AFTER_MAX_RETRIES(
      "dlqAfterMaxRetries",
      true,
      "Keep dead letters; they are dropped only if this and deadLetterQueue are both off."),
  DEAD_RETENTION(
      "deadRetentionSeconds",
      0,
      0,
      QueueOption.YEARS_S,
      "Seconds a dead letter is kept; 0 = ever."),
  DELAYED_PROCESSING(
      "delayedProcessing", 0, 0, QueueOption.YEARS_S, "Seconds from push to first delivery."),
  WINDOW_BUFFER(
      "windowBuffer",
      0,
      0,
      24 * 3600,
      "Seconds without a push that a partition must see before it is delivered from."),
  DEDUP_WINDOW(
      "dedupWindowSeconds",
      3_600,
      0,
      QueueOption.YEARS_S,
      "Seconds from its push in which a transactionId is remembered, stored or not."),
  MAX_SIZE("maxSize", 0, 0, Long.MAX_VALUE, "Most unsettled messages of the queue; 0 = no limit."),
  TTL(
      "ttl",
      0,
      0,
      QueueOption.YEARS_S,
      "Seconds after which a waiting message is dropped; 0 = no."),
  MAX_WAIT_TIME(
      "maxWaitTimeSeconds",
      0,
      0,
      QueueOption.YEARS_S,
      "Seconds after which a waiting message becomes a dead letter; 0 = never."),
  PRIORITY("priority", 0, 0, 1_000_000, "Pops by namespace or task take higher queues first."),
  RETENTION(
      "retentionSeconds",
      0,
      0,
      QueueOption.YEARS_S,
      "Seconds an unsettled message is kept; 0 = ever."),
  COMPLETED_RETENTION(
      "completedRetentionSeconds",
      3_600,
      0,
      QueueOption.YEARS_S,
      "Seconds a settled message stays readable and replayable."),
  MAX_IN_FLIGHT(
      "maxInFlight",
      100_000,
      1,
      1_000_000,
      "Most messages of a partition that a group may hold or have to retry."),
  REQUIRE_LEASE("requireLease", false, "Refuse settles that name no lease."),
  TRACK("track", false, "Keep the life of each message as a task."),
  ENCRYPTION(
      "encryptionEnabled",
      false,
      "Encrypt the payloads of messages at rest; the broker needs a key for it.");

  private static final long YEARS_S = 100L * 365 * 24 * 3600;
  private static final Map<String, QueueOption> BY_NAME =
      Stream.of(values()).collect(Collectors.toMap(QueueOption::wireName, Function.identity()));

  private final String wireName;
  private final Object byDefault;
  private final long min;
  private final long max;
  private final List<String> words;
  private final String explanation;

  QueueOption(String wireName, long byDefault, long min, long max, String explanation) {
    this(wireName, byDefault, min, max, List.of(), explanation);
  }

  QueueOption(String wireName, boolean byDefault, String explanation) {
    this(wireName, byDefault, 0, 0, List.of(), explanation);
  }

  QueueOption(String wireName, String byDefault, String explanation) {
    this(wireName, byDefault, 0, Check.NAME_CHARS_MAX, List.of(), explanation);
  }

  QueueOption(String wireName, String byDefault, List<String> words, String explanation) {
    this(wireName, byDefault, 0, 0, words, explanation);
  }

  QueueOption(
      String wireName, Object byDefault, long min, long max, List<String> words, String what) {
    this.wireName = wireName;
    this.byDefault = byDefault;
    this.min = min;
    this.max = max;
    this.words = words;
    this.explanation = what;
  }

  /** The option of that name. */
  public static QueueOption named(String name) {
    QueueOption option = BY_NAME.get(name);
    if (option == null) {
      throw new InvalidArgumentException(
          name + ": expected one of " + BY_NAME.keySet().stream().sorted().toList());
    }
    return option;
  }

  public String wireName() {
    return wireName;
  }

  /** A {@link Long}, a {@link Boolean} or a {@link String}: the type every value must have. */
  public Object byDefault() {
    return byDefault;
  }

  public String explanation() {
    return explanation;
  }

  public long min() {
    return min;
  }

  public long max() {
    return max;
  }

  /** The words a text option is limited to; empty if any text will do. */
  public List<String> words() {
    return words;
  }

  /** The value in the option's own type; null stands for the default. */
  Object checked(@Nullable Object value) {
    if (value == null) {
      return byDefault;
    }
    if (byDefault instanceof Long) {
      if (value instanceof Integer || value instanceof Long) {
        return Check.within(wireName, ((Number) value).longValue(), min, max);
      }
      throw wrong("a whole number", value);
    }
    if (byDefault instanceof Boolean) {
      if (value instanceof Boolean) {
        return value;
      }
      throw wrong("true or false", value);
    }
    if (!(value instanceof String text)) {
      throw wrong("a text", value);
    }
    if (!words.isEmpty()) {
      String word = text.toLowerCase(Locale.ROOT);
      if (!words.contains(word)) {
        throw wrong("one of " + words, value);
      }
      return word;
    }
    return text.isEmpty() ? text : Check.name(wireName, text);
  }

  private InvalidArgumentException wrong(String expected, Object value) {
    return new InvalidArgumentException(
        wireName + ": expected " + expected + ", but got " + Objects.toString(value));
  }
}
