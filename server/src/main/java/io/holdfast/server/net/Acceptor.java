package io.holdfast.server.net;

import io.holdfast.server.http.HangUp;
import io.holdfast.server.http.Traffic;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections, one at a time, as long as there may be more. Others wait in the backlog of
 * the operating system until one is closed.
 *
 * <p>Thread: the event loop of the listening channel; connections are closed in any.
 */
final class Acceptor extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
  private static final long RETRY_MS = 500;

  private final int connectionsMax;
  private final AddressLimit addresses;
  private final Traffic traffic;
  private volatile boolean paused;
  private boolean accepted;

  Acceptor(int connectionsMax, AddressLimit addresses, Traffic traffic) {
    this.connectionsMax = connectionsMax;
    this.addresses = addresses;
    this.traffic = traffic;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    accepted = true;
    Channel connection = (Channel) message;
    SocketAddress peer = connection.remoteAddress();
    if (!addresses.enter(peer)) {
      traffic.hungUp(HangUp.ADDRESS_LIMIT);
      connection.unsafe().closeForcibly();
      return;
    }
    traffic.opened();
    connection
        .closeFuture()
        .addListener(
            closed -> {
              traffic.closed();
              addresses.leave(peer);
              if (paused) {
                resume(ctx);
              }
            });
    ctx.fireChannelRead(message);
  }

  /** Accepts connections from now on. */
  void resume(ChannelHandlerContext ctx) {
    ctx.executor().execute(() -> acceptNext(ctx));
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (accepted) {
      accepted = false;
      acceptNext(ctx);
    } else {
      var _ = ctx.executor().schedule(() -> acceptNext(ctx), RETRY_MS, TimeUnit.MILLISECONDS);
    }
  }

  private void acceptNext(ChannelHandlerContext ctx) {
    paused = true;
    // After the line above: a connection that is closed now resumes.
    if (traffic.connections() < connectionsMax) {
      paused = false;
      ctx.read();
    }
  }

  /** Most likely this process may not open more files. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) {
    LOG.warn("A connection could not be accepted ({}); trying again.", failure.toString());
  }
}
