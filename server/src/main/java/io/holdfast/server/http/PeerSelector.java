package io.holdfast.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

/**
 * HTTP/1.1 connections that know their {@link Peer}, and are not idle while a call of theirs waits.
 */
public final class PeerSelector implements ServerConnectionSelector {
  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final ServerConnectionSelector http1;
  private final Duration readTimeout;
  private final Parked parked;
  private final Consumer<SocketAddress> opened;

  /**
   * @param readTimeout how long a client may take between two packets of a request; Helidon's
   *     option of that name has no effect on its sockets
   * @param opened is told where a connection is from once bytes can go over it
   */
  public PeerSelector(
      ServerConnectionSelector http1,
      Duration readTimeout,
      Parked parked,
      Consumer<SocketAddress> opened) {
    this.http1 = http1;
    this.readTimeout = readTimeout;
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
    return new Connection(http1.connection(new Context(context, peer)), peer, readTimeout);
  }

  private record Connection(ServerConnection http, Peer peer, Duration readTimeout)
      implements ServerConnection {
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
      if (peer.isSlow(readTimeout)) {
        return FOR_EVER;
      }
      Duration quiet = peer.quietTime();
      Duration idle = http.idleTime();
      return quiet.compareTo(idle) < 0 ? quiet : idle;
    }

    /** Without an interrupt it would go on waiting for the rest of the request. */
    @Override
    public void close(boolean interrupt) {
      http.close(interrupt || peer.isSlow(readTimeout));
    }
  }

  /** The context of a connection whose bytes come through its peer. */
  private static final class Context implements ConnectionContext {
    private final ConnectionContext context;
    private final DataReader reader;

    Context(ConnectionContext context, Peer peer) {
      this.context = context;
      this.reader = DataReader.create(peer::read);
    }

    @Override
    public DataReader dataReader() {
      return reader;
    }

    @Override
    public ListenerContext listenerContext() {
      return context.listenerContext();
    }

    @Override
    public ExecutorService executor() {
      return context.executor();
    }

    @Override
    public DataWriter dataWriter() {
      return context.dataWriter();
    }

    @Override
    public Router router() {
      return context.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
      return context.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
      return context.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
      return context.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
      return context.localPeer();
    }

    @Override
    public boolean isSecure() {
      return context.isSecure();
    }

    @Override
    public String socketId() {
      return context.socketId();
    }

    @Override
    public String childSocketId() {
      return context.childSocketId();
    }
  }
}
