package io.holdfast.server.compat.priority;

import io.holdfast.server.http.Route;
import java.util.List;

/**
 * The routes of a priority queue: one queue for each id, its priorities the lanes of the partition
 * {@code Default}, and the lease of the group of competing consumers its one lock.
 */
public final class PriorityRoutes {
  static final String TOPIC = "Priority queue";

  private PriorityRoutes() {}

  public static List<Route> routes() {
    return List.of(PushItemsRoute.route(), PopItemsRoute.route(), AcknowledgeRoute.route());
  }
}
