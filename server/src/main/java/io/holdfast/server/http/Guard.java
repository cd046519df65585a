package io.holdfast.server.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps web pages of other origins away from a broker that its user can reach.
 *
 * <p>A page may send requests to this machine in the name of whoever looks at it. Its browser then
 * says where the page is from. But a name of the page's own that was made to point here looks like
 * ours to the browser; so without tokens only such names are taken as nobody else can have. With
 * tokens any name will do, because no browser has one for a page of somebody else.
 */
public final class Guard {
  private static final String FETCH_SITE = "Sec-Fetch-Site";
  private static final String FETCH_MODE = "Sec-Fetch-Mode";

  /** A header that a page of another origin cannot send without being asked first. */
  private static final String REQUESTED_WITH = "X-Requested-With";

  private static final String ORIGIN = "Origin";

  private static final String OURS = "same-origin";
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
  private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}$");

  /** Ends of names that are never given to anybody. */
  private static final List<String> PRIVATE_ENDS = List.of(".local", ".internal", ".localhost");

  /** Which names of this machine a request may go by. */
  public enum Names {
    /** Those of this machine for itself: only it can reach the broker. */
    LOOPBACK,
    /** Addresses, and names that nobody else can have. */
    PRIVATE,
    /** All. */
    ANY
  }

  private final Names names;
  private final String listened;

  /**
   * @param listened the host that the server listens on, which is always a good name
   */
  public Guard(Names names, String listened) {
    this.names = names;
    this.listened = listened.toLowerCase(Locale.ROOT);
  }

  void check(RequestHead request) {
    String host = request.header("Host", "");
    if (!isOurs(host)) {
      throw Problem.forbidden(
          names == Names.LOOPBACK
              ? "the Host header: expected localhost, because the broker listens there"
              : "the Host header: expected an address or a name of this network, because the broker"
                  + " has no tokens");
    }
    String origin = request.header(ORIGIN);
    if (origin != null && !host.equals(authorityOf(origin))) {
      throw Problem.forbidden("requests of web pages of another origin are refused");
    }
  }

  /** Compares a request with its route. */
  void check(RequestHead request, Route route, Shown shown) {
    checkSite(request, route);
    checkNavigation(request, route);
    checkSession(request, route, shown);
  }

  /**
   * A page may name anything as its picture, and the browser then asks for it without telling an
   * origin; but it tells that the page is not ours.
   */
  private void checkSite(RequestHead request, Route route) {
    String site = request.header(FETCH_SITE, OURS);
    if (route.access() != Access.PUBLIC && !site.equals(OURS) && !site.equals("none")) {
      throw Problem.forbidden(
          "requests of web pages of another origin are refused; expected Sec-Fetch-Site:"
              + " same-origin or none");
    }
  }

  /**
   * Refuses what a browser asks by itself, for a link or a picture, where a GET changes something
   * and there are no tokens.
   *
   * <p>Over plain HTTP to another machine browsers do not send the headers that tell it; so
   * programs prove there with a header of their own that they are none.
   */
  private void checkNavigation(RequestHead request, Route route) {
    if (names == Names.ANY || route.method() != Route.Method.GET || route.onlyLooks()) {
      return;
    }
    boolean navigation = request.header(FETCH_MODE, "").equalsIgnoreCase("navigate");
    boolean unknown =
        names == Names.PRIVATE && !request.has(FETCH_SITE) && !request.has(REQUESTED_WITH);
    if (navigation || unknown) {
      throw Problem.forbidden(
          "this GET changes messages, and the broker has no tokens: links and pictures of web pages"
              + " are refused; programs send the header X-Requested-With with any value, or use"
              + " POST");
    }
  }

  /**
   * A browser sends a cookie along whoever made it ask; so what changes something needs to say that
   * it comes from a page of ours.
   */
  private void checkSession(RequestHead request, Route route, Shown shown) {
    if (shown.session() == null || (route.method() == Route.Method.GET && route.onlyLooks())) {
      return;
    }
    // An origin that is not ours was refused before.
    boolean ours = request.has(ORIGIN) || request.header(FETCH_SITE, "").equals(OURS);
    if (!ours) {
      throw Problem.forbidden(
          "expected the header Origin or Sec-Fetch-Site: same-origin with a session; programs show"
              + " their token in the header Authorization");
    }
  }

  private boolean isOurs(String host) {
    return switch (names) {
      case LOOPBACK -> LOOPBACK.contains(nameOf(host));
      case PRIVATE -> isPrivate(host, nameOf(host));
      case ANY -> true;
    };
  }

  private boolean isPrivate(String host, String name) {
    return name.equals(listened)
        || host.startsWith("[")
        || !name.contains(".")
        || IPV4.matcher(name).matches()
        || PRIVATE_ENDS.stream().anyMatch(name::endsWith);
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
