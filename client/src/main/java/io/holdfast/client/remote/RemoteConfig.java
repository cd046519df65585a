package io.holdfast.client.remote;

import static io.holdfast.client.Bounds.positive;

import io.holdfast.api.TimeSource;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where a broker is, and how it is asked.
 *
 * @param addresses one or more, such as {@code http://localhost:6632}; the first that answers is
 *     used until it fails
 * @param token what proves who asks; null for nothing
 * @param tls how {@code https} is spoken; null for the JVM's own way
 * @param connectTimeout how long a connection may take to open
 * @param answerTimeout how long an answer may take, beyond the time the request says to wait; also
 *     how long sending a request may take, and how long a request waits for an address that rests
 * @param attempts how often a request is sent at most, if it is safe to send it again
 * @param backoff the pause after the first failed attempt; each further one is twice as long, all
 *     with some chance in them
 * @param backoffMax the longest pause
 * @param restAfter how often in a row an address may fail before it is left alone for a while
 * @param rest for how long; then one request tries it
 * @param frames whether requests share connections if the server offers that; false for HTTP only
 */
public record RemoteConfig(
    List<URI> addresses,
    @Nullable String token,
    @Nullable SSLContext tls,
    Duration connectTimeout,
    Duration answerTimeout,
    int attempts,
    Duration backoff,
    Duration backoffMax,
    int restAfter,
    Duration rest,
    TimeSource time,
    boolean frames) {
  public RemoteConfig {
    addresses = List.copyOf(addresses);
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("addresses: expected at least one, but there is none");
    }
    for (URI address : addresses) {
      expectUsable(address);
    }
    if (token != null && !token.matches("[\\x21-\\x7E]+")) {
      throw new IllegalArgumentException("token: expected printable ASCII without spaces");
    }
    positive("connectTimeout", connectTimeout);
    positive("answerTimeout", answerTimeout);
    positive("backoff", backoff);
    if (backoffMax.compareTo(backoff) < 0) {
      throw new IllegalArgumentException(
          "backoffMax: expected at least the backoff, " + backoff + ", but got " + backoffMax);
    }
    positive("rest", rest);
    if (attempts < 1 || restAfter < 1) {
      throw new IllegalArgumentException("attempts and restAfter: expected 1 or more");
    }
  }

  private static void expectUsable(URI address) {
    boolean http = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
    if (!http || address.getHost() == null || address.getRawQuery() != null) {
      throw new IllegalArgumentException(
          "addresses: expected one such as http://localhost:6632, but got " + address);
    }
  }

  public static RemoteConfig of(String... addresses) {
    return new RemoteConfig(
        Arrays.stream(addresses).map(URI::create).toList(),
        null,
        null,
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        5,
        Duration.ofMillis(50),
        Duration.ofSeconds(2),
        5,
        Duration.ofSeconds(1),
        TimeSource.SYSTEM,
        true);
  }

  public RemoteConfig token(String secret) {
    return new RemoteConfig(
        addresses,
        secret,
        tls,
        connectTimeout,
        answerTimeout,
        attempts,
        backoff,
        backoffMax,
        restAfter,
        rest,
        time,
        frames);
  }

  public RemoteConfig tls(SSLContext context) {
    return new RemoteConfig(
        addresses,
        token,
        context,
        connectTimeout,
        answerTimeout,
        attempts,
        backoff,
        backoffMax,
        restAfter,
        rest,
        time,
        frames);
  }

  public RemoteConfig timeouts(Duration connecting, Duration answering) {
    return new RemoteConfig(
        addresses,
        token,
        tls,
        connecting,
        answering,
        attempts,
        backoff,
        backoffMax,
        restAfter,
        rest,
        time,
        frames);
  }

  public RemoteConfig retries(int most, Duration first, Duration longest) {
    return new RemoteConfig(
        addresses,
        token,
        tls,
        connectTimeout,
        answerTimeout,
        most,
        first,
        longest,
        restAfter,
        rest,
        time,
        frames);
  }

  public RemoteConfig rest(int failures, Duration pause) {
    return new RemoteConfig(
        addresses,
        token,
        tls,
        connectTimeout,
        answerTimeout,
        attempts,
        backoff,
        backoffMax,
        failures,
        pause,
        time,
        frames);
  }

  public RemoteConfig time(TimeSource source) {
    return new RemoteConfig(
        addresses,
        token,
        tls,
        connectTimeout,
        answerTimeout,
        attempts,
        backoff,
        backoffMax,
        restAfter,
        rest,
        source,
        frames);
  }

  /** Whether frames are used; false for a network that does not pass upgraded connections. */
  public RemoteConfig frames(boolean use) {
    return new RemoteConfig(
        addresses,
        token,
        tls,
        connectTimeout,
        answerTimeout,
        attempts,
        backoff,
        backoffMax,
        restAfter,
        rest,
        time,
        use);
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "RemoteConfig" + addresses;
  }
}
