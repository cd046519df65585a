package io.holdfast.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps web pages of other origins away from a broker that its user can reach.
 *
 * <p>A page may send requests to this machine in the name of whoever looks at it. Its browser then
 * says where the page is from; and a name that was made to point here is not one of ours.
 */
public final class Guard {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}$");

  private final boolean loopback;

  /**
   * @param loopback whether only this machine can reach the broker
   */
  public Guard(boolean loopback) {
    this.loopback = loopback;
  }

  void check(ServerRequest request) {
    String host = request.headers().first(HeaderNames.HOST).orElse("");
    if (loopback && !LOOPBACK.contains(nameOf(host))) {
      throw Problem.of(
          403,
          "FORBIDDEN",
          "the Host header: expected localhost, because the broker listens there");
    }
    String origin = request.headers().first(HeaderNames.ORIGIN).orElse(null);
    if (origin != null && !host.equals(authorityOf(origin))) {
      throw Problem.of(403, "FORBIDDEN", "requests of web pages of another origin are refused");
    }
  }

  /** The host without its port; whatever else it has stays, and is not known. */
  private static String nameOf(String host) {
    return PORT.matcher(host.toLowerCase(Locale.ROOT)).replaceFirst("");
  }

  private static @Nullable String authorityOf(String origin) {
    try {
      return new URI(origin).getRawAuthority();
    } catch (URISyntaxException noOrigin) {
      return null;
    }
  }
}
