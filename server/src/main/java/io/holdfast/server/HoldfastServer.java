package io.holdfast.server;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.wire.Frames;
import io.holdfast.server.frames.FrameHandlers;
import io.holdfast.server.http.Dispatcher;
import io.holdfast.server.http.IdempotencyKeys;
import io.holdfast.server.http.IgnoredLog;
import io.holdfast.server.http.Room;
import io.holdfast.server.http.Router;
import io.holdfast.server.http.Traffic;
import io.holdfast.server.net.AddressLimit;
import io.holdfast.server.net.ConnectionSettings;
import io.holdfast.server.net.HttpListener;
import io.holdfast.server.status.About;
import io.holdfast.server.tls.TlsKeeper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker behind HTTP.
 *
 * <p>It owns the broker from its start on: {@link #close} drains the calls that run, closes the
 * broker, and then lets go of the port.
 */
public final class HoldfastServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HoldfastServer.class);
  private static final long DRAIN_LOOK_NANOS = 5_000_000;

  private final ServerConfig config;
  private final Broker broker;
  private final Traffic traffic;
  private final Entrance entrance;
  private final Routes routes;
  private final HttpListener listener;
  private boolean closed;

  private HoldfastServer(
      ServerConfig config,
      Broker broker,
      TimeSource time,
      Traffic traffic,
      Entrance entrance,
      Routes routes)
      throws IOException {
    this.config = config;
    this.broker = broker;
    this.traffic = traffic;
    this.entrance = entrance;
    this.routes = routes;
    InetAddress address = InetAddress.getByName(config.host());
    Dispatcher dispatcher =
        new Dispatcher(
            new Router(routes.all()),
            entrance.guard(address, config.host()),
            entrance.door(),
            config.bodyBytesMax(),
            config.trustedProxies(),
            routes.observer(),
            traffic,
            Room.forBodies(config.bodyBytesMax()),
            routes.brokers(),
            new IdempotencyKeys(time),
            new IgnoredLog());
    TlsKeeper tls = entrance.tls;
    this.listener =
        new HttpListener(
            new InetSocketAddress(address, config.port()),
            new ConnectionSettings(
                dispatcher,
                config.patience(),
                OpenFiles.connections(config.connectionsMax()),
                entrance.parked,
                Map.of(Frames.PROTOCOL, new FrameHandlers(dispatcher, routes.verbs())::connect)),
            new AddressLimit(config.connectionsPerAddressMax(), config.trustedProxies()),
            tls == null ? null : tls::handler);
  }

  /**
   * Starts to serve a broker.
   *
   * @throws IllegalArgumentException if the host has no address, or the certificate or its key
   *     cannot be used
   * @throws io.holdfast.server.access.TokensException if the tokens cannot be read
   * @throws IllegalStateException if it cannot listen there, or read what it has to know of the
   *     broker; that is then still open
   */
  public static HoldfastServer start(ServerConfig config, Broker broker) {
    return start(config, broker, TimeSource.SYSTEM);
  }

  /** Starts to serve a broker that goes by this time. */
  public static HoldfastServer start(ServerConfig config, Broker broker, TimeSource time) {
    return start(config, broker, time, About.NOTHING);
  }

  /**
   * Starts to serve a broker that its owner tells something about.
   *
   * @param time what the broker goes by
   */
  public static HoldfastServer start(
      ServerConfig config, Broker broker, TimeSource time, About about) {
    Traffic traffic = new Traffic();
    Entrance entrance = new Entrance(config, time);
    Routes routes = new Routes(broker, time, traffic, about, entrance);
    HoldfastServer server;
    try {
      server = new HoldfastServer(config, broker, time, traffic, entrance, routes);
    } catch (UnknownHostException unknown) {
      throw new IllegalArgumentException(
          "host: expected a name or address of this machine, but got " + config.host(), unknown);
    } catch (IOException taken) {
      throw new IllegalStateException(
          "The server cannot listen on %s:%d (%s). Is another one running there? Name another --port."
              .formatted(config.host(), config.port(), taken.getMessage()),
          taken);
    }
    try {
      routes.start();
    } catch (IllegalStateException unread) {
      routes.close();
      server.listener.close();
      throw unread;
    }
    server.listener.start();
    entrance.open();
    return server;
  }

  public int port() {
    return listener.port();
  }

  public String host() {
    return config.host();
  }

  /** Whether it speaks TLS. */
  public boolean isSecure() {
    return entrance.tls != null;
  }

  /** Stops taking calls, answers those that run, closes the broker, and lets go of the port. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    traffic.drain();
    listener.drain();
    routes.close();
    // Parked polls are answered by this, and what was accepted becomes durable.
    broker.close();
    long deadline = System.nanoTime() + config.drainTimeout().toNanos();
    boolean interrupted = false;
    while (traffic.running() > 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(DRAIN_LOOK_NANOS);
      // The calls that run have a deadline: an interrupt does not shorten it.
      interrupted |= Thread.interrupted();
    }
    if (traffic.running() > 0) {
      LOG.warn("{} calls were still running and are cut off.", traffic.running());
    }
    listener.close();
    entrance.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
