package io.holdfast.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/**
 * HTTP/1.1 connections that know their {@link Peer}, and are not idle while a call of theirs waits.
 */
public final class PeerSelector implements ServerConnectionSelector {
  private final ServerConnectionSelector http1;
  private final Parked parked;
  private final Consumer<SocketAddress> opened;

  /**
   * @param opened is told where a connection is from once bytes can go over it
   */
  public PeerSelector(
      ServerConnectionSelector http1, Parked parked, Consumer<SocketAddress> opened) {
    this.http1 = http1;
    this.parked = parked;
    this.opened = opened;
  }

  @Override
  public int bytesToIdentifyConnection() {
    return http1.bytesToIdentifyConnection();
  }

  @Override
  public Support supports(BufferData data) {
    return http1.supports(data);
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http1.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    SocketAddress address = context.remotePeer().address();
    opened.accept(address);
    Peer peer = new Peer(context.dataReader(), address, parked);
    DataReader reader = DataReader.create(peer::read);
    return new Connection(
        http1.connection(new ForwardingContext(context, reader, context.dataWriter())), peer);
  }

  private record Connection(ServerConnection http, Peer peer) implements ServerConnection {
    @Override
    public void handle(Limit limit) throws InterruptedException {
      ScopedValue.where(Peer.CURRENT, peer)
          .<Void, InterruptedException>call(
              () -> {
                http.handle(limit);
                return null;
              });
    }

    /** A call that waits is at work, though nothing moves on its connection. */
    @Override
    public Duration idleTime() {
      Duration quiet = peer.quietTime();
      Duration idle = http.idleTime();
      return quiet.compareTo(idle) < 0 ? quiet : idle;
    }

    @Override
    public void close(boolean interrupt) {
      http.close(interrupt);
    }
  }
}
