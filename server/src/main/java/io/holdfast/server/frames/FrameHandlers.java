package io.holdfast.server.frames;

import io.holdfast.api.Broker;
import io.holdfast.api.wire.Frames;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Observer;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Room;
import io.holdfast.server.http.Route;
import io.holdfast.server.net.UpgradedConnection;
import io.netty.channel.ChannelHandler;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What all connections with frames share: the broker, and for each verb the route whose access a
 * request needs.
 */
public final class FrameHandlers {
  final Broker broker;
  final Observer observer;
  final Room room;
  final int bodyBytesMax;
  private final @Nullable Route[] routes = new Route[Verbs.ALL.size() + 1];

  /**
   * @param routes the routes of the verbs
   * @param room the memory that large requests and answers may take
   */
  public FrameHandlers(
      Broker broker,
      Map<Verb<?, ?>, Route> routes,
      Observer observer,
      Room room,
      int bodyBytesMax) {
    this.broker = broker;
    this.observer = observer;
    this.room = room;
    this.bodyBytesMax = bodyBytesMax;
    routes.forEach((verb, route) -> this.routes[verb.number()] = route);
  }

  /** The route where a connection is upgraded. */
  public static List<Route> routes() {
    return List.of(
        Route.get(
                Frames.PATH,
                Access.KNOWN,
                "Verbs",
                "Upgrade the connection to frames: many requests at once, see docs/wire.md",
                call -> {
                  throw Problem.of(
                      426,
                      "UPGRADE_REQUIRED",
                      "expected the headers Connection: Upgrade and Upgrade: " + Frames.PROTOCOL);
                })
            .answers(101, "the connection speaks frames from here on")
            .upgradingTo(Frames.PROTOCOL));
  }

  /** The handler of a connection that was upgraded. */
  public ChannelHandler connect(UpgradedConnection connection) {
    return new FrameConnection(this, connection);
  }

  /** The route of a verb, by its number. */
  Route route(int number) {
    Route route = routes[number];
    if (route == null) {
      throw new IllegalStateException("no route for the verb " + number);
    }
    return route;
  }
}
