package io.holdfast.server.net;

import io.holdfast.server.http.Pass;
import io.holdfast.server.http.Peer;
import io.holdfast.server.http.Traffic;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * A connection that speaks another protocol after an upgrade of HTTP/1.1.
 *
 * <p>It still counts as a connection, and is closed with the server. Its client has to read what is
 * sent; all other deadlines are the protocol's. A call of the protocol is to be counted in the
 * traffic, so that the server does not stop before its end.
 *
 * <p>Thread: any.
 */
public final class UpgradedConnection {
  private final Channel channel;
  private final Pass pass;
  private final Peer peer;
  private final Traffic traffic;
  private volatile @Nullable Runnable onDrain;

  UpgradedConnection(Channel channel, Pass pass, Peer peer, Traffic traffic) {
    this.channel = channel;
    this.pass = pass;
    this.peer = peer;
    this.traffic = traffic;
  }

  public Channel channel() {
    return channel;
  }

  /** Who was let in. */
  public Pass pass() {
    return pass;
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
