package io.holdfast.server.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the route of a path: words first, then names in braces. */
public final class Router {
  private static final int SEGMENTS_MAX = 12;

  /** A segment of the known paths, and what may follow it. */
  private static final class Node {
    private final Map<String, Node> words = new HashMap<>();
    private final Map<Route.Method, Route> routes = new LinkedHashMap<>();
    private @Nullable Node any;
  }

  /** A route, and the parts of the path it has names for. */
  public record Found(Route route, Map<String, String> parts) {}

  private final Node root = new Node();
  private final List<Route> routes;

  public Router(List<Route> routes) {
    this.routes = List.copyOf(routes);
    routes.forEach(this::add);
  }

  public List<Route> routes() {
    return routes;
  }

  private void add(Route route) {
    Node node = root;
    for (String segment : segments(route.path())) {
      if (segment.startsWith("{")) {
        Node next = node.any;
        if (next == null) {
          next = new Node();
          node.any = next;
        }
        node = next;
      } else {
        node = node.words.computeIfAbsent(segment, word -> new Node());
      }
    }
    if (node.routes.put(route.method(), route) != null) {
      throw new IllegalArgumentException("two routes: " + route.method() + " " + route.path());
    }
  }

  private static List<String> segments(String path) {
    return path.equals("/") ? List.of() : List.of(path.substring(1).split("/", -1));
  }

  /**
   * The route of a path as it came.
   *
   * @throws Problem if there is none, or none with that method
   */
  Found find(String method, String rawPath) {
    List<String> decoded = decoded(rawPath);
    Node node = decoded == null ? null : node(root, decoded, 0);
    if (decoded == null || node == null) {
      throw Problem.of(
          404, "NO_SUCH_ROUTE", "there is no such route; /openapi.json lists those there are");
    }
    for (Map.Entry<Route.Method, Route> entry : node.routes.entrySet()) {
      Route route = entry.getValue();
      // Nobody would get what a pop by HEAD had leased.
      boolean head =
          method.equals("HEAD") && route.method() == Route.Method.GET && route.onlyLooks();
      if (head || route.method().name().equals(method)) {
        return new Found(route, parts(route, decoded));
      }
    }
    List<String> methods = node.routes.keySet().stream().map(Route.Method::name).toList();
    throw Problem.noSuchMethod(String.join(" or ", methods), allowed(node));
  }

  /** The methods of a path, as the header Allow lists them. */
  private static String allowed(Node node) {
    return node.routes.values().stream()
        .map(
            route ->
                route.method() == Route.Method.GET && route.onlyLooks()
                    ? "GET, HEAD"
                    : route.method().name())
        .collect(Collectors.joining(", "));
  }

  private static @Nullable List<String> decoded(String rawPath) {
    if (!rawPath.startsWith("/")) {
      return null;
    }
    List<String> raw = segments(rawPath);
    if (raw.size() > SEGMENTS_MAX) {
      return null;
    }
    List<String> decoded = new ArrayList<>(raw.size());
    for (String segment : raw) {
      String text = Percent.decode(segment, false);
      if (text == null) {
        throw Problem.of(
            400, "BAD_REQUEST", "the path: expected percent-encoded UTF-8, but it is not");
      }
      if (text.equals(".") || text.equals("..")) {
        // Others on the way may have taken them for steps.
        throw Problem.of(400, "BAD_REQUEST", "the path: expected no part that is . or ..");
      }
      decoded.add(text);
    }
    return decoded;
  }

  private static @Nullable Node node(Node node, List<String> segments, int at) {
    if (at == segments.size()) {
      return node.routes.isEmpty() ? null : node;
    }
    Node word = node.words.get(segments.get(at));
    Node found = word == null ? null : node(word, segments, at + 1);
    Node any = node.any;
    return found != null || any == null || segments.get(at).isEmpty()
        ? found
        : node(any, segments, at + 1);
  }

  private static Map<String, String> parts(Route route, List<String> decoded) {
    if (route.path().indexOf('{') < 0) {
      return Map.of();
    }
    Map<String, String> parts = new HashMap<>();
    List<String> names = segments(route.path());
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      if (name.startsWith("{")) {
        parts.put(name.substring(1, name.length() - 1), decoded.get(i));
      }
    }
    return parts;
  }
}
