package io.holdfast.server.net;

import io.holdfast.server.http.Pass;
import io.holdfast.server.http.Peer;
import io.holdfast.server.http.Route;
import io.netty.channel.Channel;
import java.util.function.Function;

/**
 * A connection that speaks another protocol after an upgrade of HTTP/1.1.
 *
 * <p>It still counts as a connection, and is closed with the server; the event {@link #DRAINING}
 * tells its handler that the server begins to stop. Its client has to read what is sent; the
 * handler tells the deadlines what else the server waits for. A call of the protocol is to be
 * counted in the traffic, so that the server does not stop before its end.
 *
 * @param pass who was let in
 * @param admission lets the client in to a route, with what it showed when the connection was
 *     upgraded; throws a {@link io.holdfast.server.http.Problem} if it is not known any more, or
 *     not allowed to
 * @param peer the client, which has left when the connection is closed
 */
public record UpgradedConnection(
    Channel channel, Pass pass, Function<Route, Pass> admission, Peer peer, Deadlines deadlines) {
  /** The server begins to stop. */
  public static final Object DRAINING = new Object();
}
