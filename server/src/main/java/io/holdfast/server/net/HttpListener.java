package io.holdfast.server.net;

import io.holdfast.api.RequestRound;
import io.holdfast.server.http.Traffic;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Listens on a port, and has the connections that come there and the threads that serve them.
 *
 * <p>Thread: any. The event loops {@code holdfast-net} read, decode and write; each connection
 * stays with one of them.
 */
public final class HttpListener implements AutoCloseable {
  /**
   * The most event loops. Two read and write as much as the broker of a machine with many cores can
   * take; the others keep one that is busy with TLS or a large body from holding up the rest.
   */
  private static final int LOOPS_MAX = 4;

  private static final int BACKLOG = 1_024;

  /** Above this share of all connections, those that rest are closed to make room. */
  private static final double CROWDED = 0.9;

  private static final WriteBufferWaterMark UNSENT_BYTES =
      new WriteBufferWaterMark(32 * 1024, 64 * 1024);
  private static final long STOP_SECONDS = 2;

  private final ConnectionSettings settings;
  private final Traffic traffic;
  private final int crowd;
  private final Acceptor acceptor;
  private final EventLoopGroup loops;
  private final Map<EventExecutor, Set<HttpConnection>> connections = new HashMap<>();
  private final Channel listening;

  /**
   * Listens, but does not accept connections yet.
   *
   * @param addresses the limit of connections from one address
   * @param tls makes the end of a TLS connection; null to speak in the clear
   * @throws IOException if it cannot listen there
   */
  public HttpListener(
      InetSocketAddress address,
      ConnectionSettings settings,
      AddressLimit addresses,
      @Nullable Function<Channel, SslHandler> tls)
      throws IOException {
    this.settings = settings;
    this.traffic = settings.dispatcher().traffic();
    this.crowd = Math.max(1, (int) (settings.connectionsMax() * CROWDED));
    this.acceptor = new Acceptor(settings.connectionsMax(), addresses, traffic);
    int cores = Runtime.getRuntime().availableProcessors();
    this.loops =
        new MultiThreadIoEventLoopGroup(
            Math.max(1, Math.min(LOOPS_MAX, cores)),
            new DefaultThreadFactory("holdfast-net", true),
            NioIoHandler.newFactory());
    for (EventExecutor loop : loops) {
      connections.put(loop, new HashSet<>());
    }
    ChannelFuture bound = bootstrap(tls).bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      stopLoops();
      throw new IOException(String.valueOf(bound.cause().getMessage()), bound.cause());
    }
    this.listening = bound.channel();
  }

  private ServerBootstrap bootstrap(@Nullable Function<Channel, SslHandler> tls) {
    return new ServerBootstrap()
        .group(loops)
        .channel(NioServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.AUTO_READ, false)
        .childOption(ChannelOption.AUTO_READ, true)
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        // Without it every answer of more than one packet waits for an acknowledgement: 40 ms.
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT_BYTES)
        .handler(acceptor)
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                accepted(channel, tls);
              }
            });
  }

  private void accepted(Channel channel, @Nullable Function<Channel, SslHandler> tls) {
    if (tls != null) {
      channel.pipeline().addLast(tls.apply(channel));
    }
    RequestRound.mark(channel.eventLoop());
    HttpConnection connection = new HttpConnection(channel, settings, tls != null);
    connection.install();
    Set<HttpConnection> here = here(channel.eventLoop());
    here.add(connection);
    channel.closeFuture().addListener(closed -> here.remove(connection));
  }

  private Set<HttpConnection> here(EventExecutor loop) {
    return Objects.requireNonNull(connections.get(loop));
  }

  /** Accepts connections from now on. */
  public void start() {
    long period = settings.patience().look().toNanos();
    for (EventExecutor loop : loops) {
      Set<HttpConnection> here = here(loop);
      var _ = loop.scheduleWithFixedDelay(() -> sweep(here), period, period, TimeUnit.NANOSECONDS);
    }
    acceptor.resume(listening.pipeline().context(acceptor));
  }

  private void sweep(Set<HttpConnection> here) {
    long now = System.nanoTime();
    boolean crowded = traffic.connections() >= crowd;
    // A connection that is closed is removed from the set.
    for (HttpConnection connection : here.toArray(HttpConnection[]::new)) {
      connection.sweep(now, crowded);
    }
  }

  /** Tells connections of other protocols that the server is about to stop. */
  public void drain() {
    each(HttpConnection::drain);
  }

  private void each(Consumer<HttpConnection> action) {
    connections.forEach(
        (loop, here) -> loop.submit(() -> here.forEach(action)).awaitUninterruptibly());
  }

  public int port() {
    SocketAddress local = listening.localAddress();
    return local instanceof InetSocketAddress inet ? inet.getPort() : 0;
  }

  /** Closes the port and all connections. */
  @Override
  public void close() {
    if (loops.isShuttingDown()) {
      return;
    }
    listening.close().awaitUninterruptibly();
    // Event loops that end leave a connection open at times, and its client would wait for ever.
    each(HttpConnection::close);
    stopLoops();
  }

  private void stopLoops() {
    loops
        .shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
  }
}
