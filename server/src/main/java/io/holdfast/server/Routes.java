package io.holdfast.server;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.server.docs.DocsRoutes;
import io.holdfast.server.http.Observer;
import io.holdfast.server.http.Route;
import io.holdfast.server.metrics.Metrics;
import io.holdfast.server.queen.AckRoutes;
import io.holdfast.server.queen.PopRoutes;
import io.holdfast.server.queen.PushRoute;
import java.util.ArrayList;
import java.util.List;

/** All routes of the server. */
public final class Routes {
  private final List<Route> all = new ArrayList<>();
  private final Metrics metrics;

  public Routes(Broker served, TimeSource time) {
    metrics = new Metrics(served, time);
    Broker broker = metrics.metered();
    all.addAll(new PushRoute(broker).routes());
    all.addAll(new PopRoutes(broker).routes());
    all.addAll(new AckRoutes(broker).routes());
    all.addAll(metrics.routes());
    // It describes all routes, so it comes last.
    all.addAll(new DocsRoutes(all).routes());
  }

  public List<Route> all() {
    return List.copyOf(all);
  }

  Observer observer() {
    return metrics.observer(all);
  }
}
