package io.holdfast.server.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a request shows to be let in.
 *
 * @param authorization the header of that name; null if there is none
 * @param session the cookie of a browser that signed in; null if there is none, or if it shows an
 *     authorization too: that counts more
 * @param secure whether nobody on the way could read it
 * @param request its id
 * @param cookie the name of the cookie. Browsers send the cookies of a host to all its ports, so it
 *     has the port: brokers on one host do not overwrite each other's
 */
public record Shown(
    @Nullable String authorization,
    @Nullable String session,
    boolean secure,
    RequestId request,
    String cookie) {
  private static final String COOKIE = "holdfast_session";
  private static final Pattern PORT = Pattern.compile(":([0-9]{1,5})$");

  static Shown of(RequestHead request, RequestId id, boolean secure) {
    String authorization = request.header("Authorization");
    Matcher port = PORT.matcher(request.header("Host", ""));
    String cookie = port.find() ? COOKIE + "_" + port.group(1) : COOKIE;
    return new Shown(
        authorization, authorization == null ? session(request, cookie) : null, secure, id, cookie);
  }

  private static @Nullable String session(RequestHead request, String name) {
    for (String cookies : request.headers("Cookie")) {
      for (String cookie : cookies.split(";")) {
        int equals = cookie.indexOf('=');
        if (equals > 0 && cookie.substring(0, equals).strip().equals(name)) {
          return cookie.substring(equals + 1).strip();
        }
      }
    }
    return null;
  }
}
