package io.holdfast.client.tasks;

import io.holdfast.api.Limits;
import java.time.Duration;
import java.util.Objects;

/**
 * How a {@link TaskBroker} treats its tasks. The broker below keeps it with each topic; whoever
 * publishes to or subscribes to a topic first sets it, and a later one changes it.
 *
 * @param dlqEnabled whether dead tasks are kept; otherwise they are dropped, and counted
 * @param ackTimeout how long a device may be silent about a task before somebody else gets it
 * @param priorities how many priorities there are: tasks have one from 0, which goes first, to one
 *     less than this
 * @param keepStates how long the state of a task that is over can be asked for, and how long a
 *     repeated publish is recognised at least
 * @param namespace what the topics are marked with; two namespaces do not see each other's topics
 */
public record TaskBrokerConfig(
    RetryConfig retry,
    boolean dlqEnabled,
    Duration ackTimeout,
    int priorities,
    Duration keepStates,
    String namespace) {
  /** Most priorities: a broker has no more live lanes. */
  public static final int PRIORITIES_MAX = 256;

  /** What holds unless something else is said. */
  public static final TaskBrokerConfig DEFAULTS =
      new TaskBrokerConfig(
          RetryConfig.DEFAULTS, true, Duration.ofMinutes(5), 10, Duration.ofHours(1), "tasks");

  public TaskBrokerConfig {
    Objects.requireNonNull(retry, "retry");
    long ackMs = ackTimeout.toMillis();
    if (ackMs < 1 || ackMs > Limits.LEASE_MS_MAX) {
      throw new IllegalArgumentException(
          "ackTimeout: expected 1 ms to "
              + Duration.ofMillis(Limits.LEASE_MS_MAX).toDays()
              + " days, but got "
              + ackTimeout);
    }
    if (priorities < 1 || priorities > PRIORITIES_MAX) {
      throw new IllegalArgumentException(
          "priorities: expected 1 to " + PRIORITIES_MAX + ", but got " + priorities);
    }
    if (keepStates.isNegative() || keepStates.toMillis() > Limits.DURATION_MS_MAX) {
      throw new IllegalArgumentException(
          "keepStates: expected 0 to a hundred years, but got " + keepStates);
    }
    Texts.name("namespace", namespace);
  }

  public TaskBrokerConfig retry(RetryConfig config) {
    return new TaskBrokerConfig(config, dlqEnabled, ackTimeout, priorities, keepStates, namespace);
  }

  public TaskBrokerConfig dlqEnabled(boolean on) {
    return new TaskBrokerConfig(retry, on, ackTimeout, priorities, keepStates, namespace);
  }

  public TaskBrokerConfig ackTimeout(Duration time) {
    return new TaskBrokerConfig(retry, dlqEnabled, time, priorities, keepStates, namespace);
  }

  public TaskBrokerConfig priorities(int count) {
    return new TaskBrokerConfig(retry, dlqEnabled, ackTimeout, count, keepStates, namespace);
  }

  public TaskBrokerConfig keepStates(Duration time) {
    return new TaskBrokerConfig(retry, dlqEnabled, ackTimeout, priorities, time, namespace);
  }

  public TaskBrokerConfig namespace(String name) {
    return new TaskBrokerConfig(retry, dlqEnabled, ackTimeout, priorities, keepStates, name);
  }
}
