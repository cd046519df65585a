package io.holdfast.server.compat.priority;

import io.holdfast.server.http.Route;
import java.util.List;

/**
 * The routes of a priority queue: one queue for each id, its priorities the lanes of the partition
 * {@code Default}, and the lease of the group of competing consumers its one lock.
 */
public final class PriorityRoutes {
  private PriorityRoutes() {}

  public static List<Route> routes() {
    return Route.about(
        "Priority queue", PushItemsRoute.route(), PopItemsRoute.route(), AcknowledgeRoute.route());
  }
}
