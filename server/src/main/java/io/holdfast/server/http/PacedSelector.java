package io.holdfast.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Connections whose clients have to keep up: one that is too slow is said to be idle for ever, and
 * the web server ends those that are idle. When there is hardly room for others, one that rests is.
 */
public final class PacedSelector implements ServerConnectionSelector {
  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  /** Above this share of all connections there is hardly room. */
  private static final double CROWDED = 0.9;

  private final ServerConnectionSelector inner;
  private final RequestBounds bounds;
  private final Patience patience;
  private final int crowd;
  private final Traffic traffic;

  public PacedSelector(
      ServerConnectionSelector inner,
      RequestBounds bounds,
      Patience patience,
      int connectionsMax,
      Traffic traffic) {
    this.inner = inner;
    this.bounds = bounds;
    this.patience = patience;
    this.crowd = Math.max(1, (int) (connectionsMax * CROWDED));
    this.traffic = traffic;
  }

  /** Why the request that the current thread reads was refused; null if it was not. */
  public static @Nullable Problem refusalHere() {
    return Pace.CURRENT.isBound() ? Pace.CURRENT.get().refusal() : null;
  }

  @Override
  public int bytesToIdentifyConnection() {
    return inner.bytesToIdentifyConnection();
  }

  @Override
  public Support supports(BufferData data) {
    return inner.supports(data);
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return inner.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    Pace pace = new Pace(context.dataReader(), context.dataWriter(), new Framing(bounds), patience);
    return new Connection(
        inner.connection(new ForwardingContext(context, DataReader.create(pace::read), pace)),
        pace);
  }

  private final class Connection implements ServerConnection {
    private final ServerConnection http;
    private final Pace pace;
    private volatile @Nullable HangUp hangUp;

    Connection(ServerConnection http, Pace pace) {
      this.http = http;
      this.pace = pace;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
      traffic.opened();
      try {
        ScopedValue.where(Pace.CURRENT, pace)
            .<Void, InterruptedException>call(
                () -> {
                  http.handle(limit);
                  return null;
                });
      } finally {
        pace.linger(bounds.bodyBytesMax());
        traffic.closed();
        HangUp why = pace.refusal() == null ? hangUp : HangUp.MALFORMED;
        if (why != null) {
          traffic.hungUp(why);
        }
      }
    }

    @Override
    public Duration idleTime() {
      Duration idle = http.idleTime();
      return reasonToHangUp(idle) == null ? idle : FOR_EVER;
    }

    private @Nullable HangUp reasonToHangUp(Duration idle) {
      HangUp slow = pace.slowness();
      if (slow != null) {
        return slow;
      }
      boolean crowded = traffic.connections() >= crowd;
      return crowded && pace.isResting() && idle.compareTo(patience.head()) > 0
          ? HangUp.CROWDED
          : null;
    }

    /** Without an interrupt it would go on waiting for its client. */
    @Override
    public void close(boolean interrupt) {
      if (hangUp == null) {
        hangUp = reasonToHangUp(http.idleTime());
      }
      http.close(interrupt || pace.slowness() != null);
    }
  }
}
