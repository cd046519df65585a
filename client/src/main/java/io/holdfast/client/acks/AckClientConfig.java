package io.holdfast.client.acks;

import static io.holdfast.client.Bounds.within;

import io.holdfast.api.Limits;
import io.holdfast.api.TimeSource;
import java.time.Duration;

/**
 * How an {@link AckClient} is set up.
 *
 * @param name who it is: in the names of its threads, and as the worker in the broker's records
 * @param time its clock
 * @param listener who is told of what it does by itself
 * @param reconnectLimit after so many failed polls in a row a subscription counts as disconnected
 * @param backoffMin how long it waits after the first failed poll; each further one doubles it
 * @param backoffMax the longest it waits between polls
 * @param pollWait how long one poll waits for messages
 * @param stopTimeout how long a handler may take to end when its subscription is stopped; then it
 *     is interrupted
 */
public record AckClientConfig(
    String name,
    TimeSource time,
    AckListener listener,
    int reconnectLimit,
    Duration backoffMin,
    Duration backoffMax,
    Duration pollWait,
    Duration stopTimeout) {
  public static final AckClientConfig DEFAULTS =
      new AckClientConfig(
          "acks",
          TimeSource.SYSTEM,
          AckListener.NONE,
          3,
          Duration.ofMillis(100),
          Duration.ofSeconds(10),
          Duration.ofSeconds(20),
          Duration.ofSeconds(10));

  /** Longest name: it is a part of worker names. */
  private static final int NAME_CHARS_MAX = 100;

  public AckClientConfig {
    if (name.isBlank() || name.length() > NAME_CHARS_MAX) {
      throw new IllegalArgumentException(
          "name: expected 1 to " + NAME_CHARS_MAX + " characters, but got \"" + name + "\"");
    }
    if (reconnectLimit < 1) {
      throw new IllegalArgumentException(
          "reconnectLimit: expected 1 or more, but got " + reconnectLimit);
    }
    within("backoffMin", backoffMin, Duration.ofMillis(1), backoffMax);
    within("pollWait", pollWait, Duration.ofMillis(1), Duration.ofMillis(Limits.WAIT_MS_MAX));
    within("stopTimeout", stopTimeout, Duration.ZERO, Duration.ofMillis(Limits.WAIT_MS_MAX));
    within("backoffMax", backoffMax, backoffMin, Duration.ofMillis(Limits.WAIT_MS_MAX));
  }

  public AckClientConfig name(String value) {
    return new AckClientConfig(
        value, time, listener, reconnectLimit, backoffMin, backoffMax, pollWait, stopTimeout);
  }

  public AckClientConfig time(TimeSource value) {
    return new AckClientConfig(
        name, value, listener, reconnectLimit, backoffMin, backoffMax, pollWait, stopTimeout);
  }

  public AckClientConfig listener(AckListener value) {
    return new AckClientConfig(
        name, time, value, reconnectLimit, backoffMin, backoffMax, pollWait, stopTimeout);
  }

  public AckClientConfig reconnect(int limit, Duration min, Duration max) {
    return new AckClientConfig(name, time, listener, limit, min, max, pollWait, stopTimeout);
  }

  public AckClientConfig pollWait(Duration value) {
    return new AckClientConfig(
        name, time, listener, reconnectLimit, backoffMin, backoffMax, value, stopTimeout);
  }

  public AckClientConfig stopTimeout(Duration value) {
    return new AckClientConfig(
        name, time, listener, reconnectLimit, backoffMin, backoffMax, pollWait, value);
  }
}
