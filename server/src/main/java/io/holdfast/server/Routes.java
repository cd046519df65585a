package io.holdfast.server;

import io.holdfast.api.Broker;
import io.holdfast.server.docs.DocsRoutes;
import io.holdfast.server.http.Observer;
import io.holdfast.server.http.Route;
import io.holdfast.server.queen.AckRoutes;
import io.holdfast.server.queen.PopRoutes;
import io.holdfast.server.queen.PushRoute;
import java.util.ArrayList;
import java.util.List;

/** All routes of the server. */
public final class Routes {
  private final List<Route> all = new ArrayList<>();

  public Routes(Broker broker) {
    all.addAll(new PushRoute(broker).routes());
    all.addAll(new PopRoutes(broker).routes());
    all.addAll(new AckRoutes(broker).routes());
    // It describes all routes, so it comes last.
    all.addAll(new DocsRoutes(all).routes());
  }

  public List<Route> all() {
    return List.copyOf(all);
  }

  Observer observer() {
    return (route, status, nanos) -> {};
  }
}
