package io.holdfast.server;

import io.holdfast.api.Broker;
import io.holdfast.server.http.Observer;
import io.holdfast.server.http.Route;
import io.holdfast.server.queen.AckRoutes;
import io.holdfast.server.queen.DeadLetterListRoute;
import io.holdfast.server.queen.DeadLetterRoutes;
import io.holdfast.server.queen.GroupRoutes;
import io.holdfast.server.queen.MessageListRoute;
import io.holdfast.server.queen.MessageRoutes;
import io.holdfast.server.queen.OverviewRoutes;
import io.holdfast.server.queen.PopRoutes;
import io.holdfast.server.queen.PushRoute;
import io.holdfast.server.queen.QueueChangeRoutes;
import io.holdfast.server.queen.ResourceRoutes;
import io.holdfast.server.queen.SeekRoutes;
import java.util.ArrayList;
import java.util.List;

/** All routes of the server. */
public final class Routes {
  private final List<Route> all = new ArrayList<>();

  public Routes(Broker broker) {
    all.addAll(new PushRoute(broker).routes());
    all.addAll(new PopRoutes(broker).routes());
    all.addAll(new AckRoutes(broker).routes());
    all.addAll(new ResourceRoutes(broker).routes());
    all.addAll(new QueueChangeRoutes(broker).routes());
    all.addAll(new OverviewRoutes(broker).routes());
    all.addAll(new MessageListRoute(broker).routes());
    all.addAll(new MessageRoutes(broker).routes());
    all.addAll(new DeadLetterListRoute(broker).routes());
    all.addAll(new DeadLetterRoutes(broker).routes());
    all.addAll(new GroupRoutes(broker).routes());
    all.addAll(new SeekRoutes(broker).routes());
  }

  public List<Route> all() {
    return List.copyOf(all);
  }

  Observer observer() {
    return (route, status, nanos) -> {};
  }
}
