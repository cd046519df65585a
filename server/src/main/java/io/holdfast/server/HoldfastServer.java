package io.holdfast.server;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.holdfast.api.Broker;
import io.holdfast.server.http.Dispatcher;
import io.holdfast.server.http.Guard;
import io.holdfast.server.http.Observer;
import io.holdfast.server.http.PeerSelector;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Router;
import io.holdfast.server.http.Traffic;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
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
  private static final int BACKLOG = 1_024;
  private static final long DRAIN_LOOK_MS = 5;

  private final ServerConfig config;
  private final Broker broker;
  private final Traffic traffic = new Traffic();
  private final WebServer web;
  private boolean closed;

  private HoldfastServer(ServerConfig config, Broker broker, List<Route> routes, Observer observer)
      throws UnknownHostException {
    this.config = config;
    this.broker = broker;
    InetAddress address = InetAddress.getByName(config.host());
    this.web =
        web(
            config,
            address,
            new Dispatcher(
                new Router(routes),
                new Guard(address.isLoopbackAddress()),
                config.bodyBytesMax(),
                observer,
                traffic));
  }

  /**
   * Starts to serve a broker.
   *
   * @throws IllegalArgumentException if the host has no address
   * @throws IllegalStateException if the port is taken
   */
  public static HoldfastServer start(ServerConfig config, Broker broker) {
    Routes routes = new Routes(broker);
    HoldfastServer server;
    try {
      server = new HoldfastServer(config, broker, routes.all(), routes.observer());
    } catch (UnknownHostException unknown) {
      throw new IllegalArgumentException(
          "host: expected a name or address of this machine, but got " + config.host(), unknown);
    }
    try {
      server.web.start();
    } catch (RuntimeException taken) {
      server.web.stop();
      throw new IllegalStateException(
          "The server cannot listen on "
              + config.host()
              + ":"
              + config.port()
              + ". Is another one running there? Name another port with --port.",
          taken);
    }
    return server;
  }

  private static WebServer web(ServerConfig config, InetAddress address, Dispatcher dispatcher) {
    return WebServer.builder()
        .address(address)
        .port(config.port())
        .backlog(BACKLOG)
        .maxTcpConnections(config.connectionsMax())
        .idleConnectionTimeout(config.idleTimeout())
        .idleConnectionPeriod(config.idleLook())
        .shutdownGracePeriod(Duration.ofMillis(500))
        .shutdownHook(false)
        // Without it every answer of more than one packet waits for an acknowledgement: 40 ms.
        .connectionOptions(options -> options.tcpNoDelay(true))
        .protocolsDiscoverServices(false)
        .addConnectionSelector(
            new PeerSelector(
                Http1ConnectionSelector.builder()
                    .config(
                        Http1Config.builder()
                            .maxHeadersSize(config.headerBytesMax())
                            .maxPrologueLength(8 * 1024)
                            .build())
                    .build(),
                config.readTimeout()))
        .directHandlers(
            handlers -> {
              for (DirectHandler.EventType event : DirectHandler.EventType.values()) {
                handlers.addHandler(event, HoldfastServer::unroutable);
              }
            })
        .routing(routing -> routing.any(dispatcher))
        .build();
  }

  /** What is answered to bytes that are not an HTTP request we can take to a route. */
  private static DirectHandler.TransportResponse unroutable(
      DirectHandler.TransportRequest request,
      DirectHandler.EventType event,
      io.helidon.http.Status status,
      ServerResponseHeaders headers,
      String message) {
    headers.set(HeaderValues.create(HeaderNames.CONTENT_TYPE, "application/json"));
    Problem problem =
        Problem.of(status.code(), event.name(), "the request: " + status.reasonPhrase());
    return DirectHandler.TransportResponse.builder()
        .status(status)
        .headers(headers)
        .entity(problem.answer().body())
        .keepAlive(false)
        .build();
  }

  public int port() {
    return web.port();
  }

  public String host() {
    return config.host();
  }

  /** Stops taking calls, answers those that run, closes the broker, and lets go of the port. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    traffic.drain();
    // Parked polls are answered by this, and what was accepted becomes durable.
    broker.close();
    long deadline = System.nanoTime() + config.drainTimeout().toNanos();
    while (traffic.running() > 0 && System.nanoTime() < deadline) {
      pause();
    }
    if (traffic.running() > 0) {
      LOG.warn("{} calls were still running and are cut off.", traffic.running());
    }
    web.stop();
  }

  private static void pause() {
    try {
      Thread.sleep(DRAIN_LOOK_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
