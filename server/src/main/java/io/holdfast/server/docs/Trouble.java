package io.holdfast.server.docs;

import io.holdfast.json.Schema;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Route;
import java.util.List;
import java.util.function.Predicate;

/**
 * A problem that several routes may answer with, and which ones do.
 *
 * @param retry whether the answer says when to ask again
 */
record Trouble(int status, String when, boolean retry, Predicate<Route> of) {
  static final List<Trouble> ALL =
      List.of(
          new Trouble(
              400, "The request is not as described; field names what is wrong.", false, r -> true),
          new Trouble(401, "The token is missing or not good.", false, Trouble::asks),
          new Trouble(
              403,
              "The token does not allow it, or not with that queue; or the request is a web page's of"
                  + " another origin.",
              false,
              r -> true),
          new Trouble(404, "What the request names is not there.", false, Trouble::namesSomething),
          new Trouble(408, "The body did not arrive in time.", false, r -> r.body() != null),
          new Trouble(
              409, "The state of things does not allow it; code says why.", false, Trouble::asks),
          new Trouble(413, "The request is too large.", false, r -> r.body() != null),
          new Trouble(415, "The body is not of the type described.", false, Trouble::takesABody),
          new Trouble(429, "The queue or the broker is full; try again.", true, Trouble::asks),
          new Trouble(500, "Internal error; see the server log.", false, r -> true),
          new Trouble(503, "The broker is closing or has stopped.", true, Trouble::asks));

  /** The troubles a route may answer with and does not describe itself. */
  static List<Trouble> of(Route route) {
    return ALL.stream()
        .filter(trouble -> trouble.of.test(route))
        .filter(
            trouble ->
                route.answers().stream().noneMatch(answer -> answer.status() == trouble.status))
        .toList();
  }

  private static boolean takesABody(Route route) {
    return route.body() instanceof Schema.Document || (route.body() != null && !route.tolerant());
  }

  private static boolean asks(Route route) {
    return route.access() != Access.PUBLIC;
  }

  private static boolean namesSomething(Route route) {
    return route.body() != null || !RouteNames.parts(route.path()).isEmpty();
  }

  String name() {
    return "Problem" + status;
  }
}
