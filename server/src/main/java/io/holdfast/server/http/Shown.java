package io.holdfast.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a request shows to be let in.
 *
 * @param authorization the header of that name; null if there is none
 * @param session the cookie of a browser that signed in; null if there is none, or if it shows an
 *     authorization too: that counts more
 * @param secure whether nobody on the way could read it
 */
public record Shown(@Nullable String authorization, @Nullable String session, boolean secure) {
  /** The name of the cookie. */
  public static final String COOKIE = "holdfast_session";

  static Shown of(ServerRequest request) {
    String authorization = request.headers().first(HeaderNames.AUTHORIZATION).orElse(null);
    return new Shown(
        authorization, authorization == null ? session(request) : null, request.isSecure());
  }

  private static @Nullable String session(ServerRequest request) {
    for (String cookies : request.headers().values(HeaderNames.COOKIE)) {
      for (String cookie : cookies.split(";")) {
        int equals = cookie.indexOf('=');
        if (equals > 0 && cookie.substring(0, equals).strip().equals(COOKIE)) {
          return cookie.substring(equals + 1).strip();
        }
      }
    }
    return null;
  }
}
