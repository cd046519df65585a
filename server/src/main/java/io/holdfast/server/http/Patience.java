package io.holdfast.server.http;

import java.time.Duration;

/**
 * How long a server waits for its clients.
 *
 * @param head from the first byte of a request to the end of its head, however the bytes come; of a
 *     connection's first request, from the beginning of the connection
 * @param body within each such time so much of a body has to come as the rate says, or the rest
 * @param bytesPerSecondMin the rate
 * @param unread how long an answer may stand still because nobody reads it
 * @param rest how long a connection may be without a request
 * @param look how often those who are too slow are looked for
 */
public record Patience(
    Duration head,
    Duration body,
    int bytesPerSecondMin,
    Duration unread,
    Duration rest,
    Duration look) {
  public static Patience usual() {
    return new Patience(
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        1_024,
        Duration.ofSeconds(15),
        Duration.ofMinutes(11),
        Duration.ofSeconds(1));
  }

  /** The same where a client may not pause for longer than a time, whatever it is at. */
  public Patience pause(Duration time) {
    return new Patience(min(head, time), time, bytesPerSecondMin, min(unread, time), rest, look);
  }

  /** The same with other limits for heads and for answers. */
  public Patience headAndUnread(Duration headTime, Duration unreadTime) {
    return new Patience(headTime, body, bytesPerSecondMin, unreadTime, rest, look);
  }

  public Patience rest(Duration time, Duration every) {
    return new Patience(head, body, bytesPerSecondMin, unread, time, every);
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
