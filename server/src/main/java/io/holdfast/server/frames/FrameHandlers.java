package io.holdfast.server.frames;

import io.holdfast.api.Broker;
import io.holdfast.api.wire.Frames;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Authority;
import io.holdfast.server.http.Dispatcher;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.net.UpgradedConnection;
import io.netty.channel.ChannelHandler;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What all connections with frames share: the broker, and for each verb the route whose access a
 * request needs.
 */
public final class FrameHandlers {
  final Dispatcher server;
  final Broker broker;
  private final @Nullable Route[] routes = new Route[Verbs.ALL.size() + 1];

  /**
   * @param routes the routes of the verbs
   */
  public FrameHandlers(Dispatcher server, Map<Verb<?, ?>, Route> routes) {
    this.server = server;
    this.broker = server.brokers().with(Authority.CALLER);
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
    return Objects.requireNonNull(routes[number]);
  }
}
