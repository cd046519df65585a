package io.holdfast.server.docs;

import io.holdfast.server.access.Role;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What routes are called by, made from their methods and paths. */
final class RouteNames {
  /** Describes a route that ignores what it does not know. */
  static final String TOLERANT = "Unknown fields and parameters are ignored.";

  private RouteNames() {}

  /** A name that programs may give to the call: {@code getApiV1PopQueueByQueue}. */
  static String operationId(Route route) {
    StringBuilder id = new StringBuilder(route.method().name().toLowerCase(Locale.ROOT));
    for (String segment : route.path().substring(1).split("/", -1)) {
      if (segment.startsWith("{")) {
        id.append("By");
      }
      for (String word : segment.split("[^A-Za-z0-9]+", -1)) {
        if (!word.isEmpty()) {
          id.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
        }
      }
    }
    return id.toString();
  }

  /** The names of a path's parts, in their order. */
  static List<String> parts(String path) {
    List<String> parts = new ArrayList<>();
    for (String segment : path.split("/", -1)) {
      if (segment.startsWith("{")) {
        parts.add(segment.substring(1, segment.length() - 1));
      }
    }
    return parts;
  }

  /** The routes by topic, topics and routes as they are listed. */
  static Map<String, List<Route>> byTopic(List<Route> routes) {
    Map<String, List<Route>> topics = new LinkedHashMap<>();
    for (Route route : routes) {
      topics.computeIfAbsent(route.topic(), topic -> new ArrayList<>()).add(route);
    }
    return topics;
  }

  static String access(Route route) {
    return route.access().name().toLowerCase(Locale.ROOT);
  }

  /** The access, and who has it: {@code push (admin, read-write, write-only)}. */
  static String accessAndRoles(Route route) {
    if (route.access() == Access.PUBLIC) {
      return access(route);
    }
    String roles = String.join(", ", Role.wordsWith(route.access()));
    return access(route) + " (" + roles + (route.whole() ? "; for all queues)" : ")");
  }
}
