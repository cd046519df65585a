package io.holdfast.server.priority;

import io.holdfast.api.Broker;
import io.holdfast.server.http.Route;
import java.util.List;

/**
 * The face of a priority queue: one queue for each id, its priorities the lanes of the partition
 * {@code Default}, and the lease of the group of competing consumers its one lock.
 */
public final class PriorityRoutes {
  static final String TOPIC = "Priority queue";

  private final Broker broker;

  public PriorityRoutes(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        new PushItemsRoute(broker).route(),
        new PopItemsRoute(broker).route(),
        new AcknowledgeRoute(broker).route());
  }
}
