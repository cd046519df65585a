package io.holdfast.server.net;

import io.holdfast.server.http.Pass;
import io.holdfast.server.http.Peer;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import io.netty.channel.Channel;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection that speaks another protocol after an upgrade of HTTP/1.1.
 *
 * <p>It still counts as a connection, and is closed with the server. Its client has to read what is
 * sent; the handler of the protocol says what else the server waits for. A call of the protocol is
 * to be counted in the traffic, so that the server does not stop before its end.
 *
 * <p>Thread: any.
 */
public final class UpgradedConnection {
  private final Channel channel;
  private final Pass pass;
  private final Function<Route, Pass> admission;
  private final Peer peer;
  private final Deadlines deadlines;
  private final Traffic traffic;
  private volatile @Nullable Runnable onDrain;

  UpgradedConnection(
      Channel channel,
      Pass pass,
      Function<Route, Pass> admission,
      Peer peer,
      Deadlines deadlines,
      Traffic traffic) {
    this.channel = channel;
    this.pass = pass;
    this.admission = admission;
    this.peer = peer;
    this.deadlines = deadlines;
    this.traffic = traffic;
  }

  public Channel channel() {
    return channel;
  }

  /** Who was let in. */
  public Pass pass() {
    return pass;
  }

  /**
   * Lets the client in to a route, with what it showed when the connection was upgraded.
   *
   * @throws io.holdfast.server.http.Problem if it is not known any more, or not allowed to
   */
  public Pass admit(Route route) {
    return admission.apply(route);
  }

  /** The server waits for requests: such a connection is closed after a while. */
  public void resting() {
    deadlines.continueWith(Deadlines.Phase.RESTING);
  }

  /** The server waits for the rest of a request, which has to come in time. */
  public void receiving() {
    deadlines.continueWith(Deadlines.Phase.BODY);
  }

  /** Bytes of a request have come. */
  public void received(int bytes) {
    deadlines.received(bytes);
  }

  /** The server works at requests. */
  public void working() {
    deadlines.continueWith(Deadlines.Phase.ANSWERING);
  }

  /** The client. It has left when the connection is closed. */
  public Peer peer() {
    return peer;
  }

  public Traffic traffic() {
    return traffic;
  }

  /** Runs something on the event loop when the server begins to stop. */
  public void onDrain(Runnable callback) {
    onDrain = callback;
    if (traffic.isDraining()) {
      drain();
    }
  }

  void drain() {
    Runnable callback = onDrain;
    if (callback != null) {
      channel.eventLoop().execute(callback);
    }
  }
}
