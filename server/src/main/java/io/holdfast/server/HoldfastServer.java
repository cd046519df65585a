package io.holdfast.server;

import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.server.http.AsItIs;
import io.holdfast.server.http.Dispatcher;
import io.holdfast.server.http.PacedSelector;
import io.holdfast.server.http.PeerSelector;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.RequestBounds;
import io.holdfast.server.http.Router;
import io.holdfast.server.http.Traffic;
import io.holdfast.server.status.About;
import io.holdfast.server.tls.TlsKeeper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
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
  private static final int LINE_BYTES_MAX = 8 * 1024;
  private static final long DRAIN_LOOK_MS = 5;

  private final ServerConfig config;
  private final Broker broker;
  private final Traffic traffic;
  private final Entrance entrance;
  private final Routes routes;
  private final InetAddress address;
  private final Gate gate;
  private final WebServer web;
  private boolean closed;

  private HoldfastServer(
      ServerConfig config, Broker broker, Traffic traffic, Entrance entrance, Routes routes)
      throws UnknownHostException {
    this.config = config;
    this.broker = broker;
    this.traffic = traffic;
    this.entrance = entrance;
    this.routes = routes;
    this.address = InetAddress.getByName(config.host());
    this.gate =
        new Gate(
            new Dispatcher(
                new Router(routes.all()),
                entrance.guard(address, config.host()),
                entrance.door(),
                config.bodyBytesMax(),
                config.trustedProxies(),
                routes.observer(),
                traffic));
    this.web = web(config, address, entrance, traffic, gate);
  }

  /**
   * The way to the routes. A web server that was stopped is held for ever by its timer, and must
   * not hold the broker.
   */
  private static final class Gate implements Handler {
    private volatile @Nullable Dispatcher dispatcher;

    Gate(Dispatcher dispatcher) {
      this.dispatcher = dispatcher;
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) {
      Dispatcher open = dispatcher;
      if (open == null) {
        throw new CloseConnectionException("the server is closed");
      }
      open.handle(request, response);
    }

    void shut() {
      dispatcher = null;
    }
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

  /**
   * Starts to serve a broker whose time comes from elsewhere.
   *
   * @param time what the broker goes by
   */
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
      server = new HoldfastServer(config, broker, traffic, entrance, routes);
    } catch (UnknownHostException unknown) {
      throw new IllegalArgumentException(
          "host: expected a name or address of this machine, but got " + config.host(), unknown);
    }
    server.tryToListen();
    try {
      routes.start();
    } catch (IllegalStateException unread) {
      routes.close();
      throw unread;
    }
    server.web.start();
    // It does not throw when it cannot listen.
    if (!server.web.isRunning()) {
      routes.close();
      throw unheard(config, "its log tells why", null);
    }
    entrance.open();
    return server;
  }

  /** Listens for a moment, because the web server would not say why it cannot. */
  private void tryToListen() {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(address, config.port()));
    } catch (IOException taken) {
      throw unheard(config, String.valueOf(taken.getMessage()), taken);
    }
  }

  private static IllegalStateException unheard(
      ServerConfig config, String why, @Nullable IOException cause) {
    return new IllegalStateException(
        "The server cannot listen on %s:%d (%s). Is another one running there? Name another --port."
            .formatted(config.host(), config.port(), why),
        cause);
  }

  private static WebServer web(
      ServerConfig config, InetAddress address, Entrance entrance, Traffic traffic, Gate gate) {
    int connectionsMax = OpenFiles.connections(config.connectionsMax());
    if (connectionsMax < config.connectionsMax()) {
      LOG.debug(
          "There may be {} connections at once, because this process may not have more files open.",
          connectionsMax);
    }
    RequestBounds bounds =
        new RequestBounds(
            LINE_BYTES_MAX, config.headerBytesMax(), config.headersMax(), config.bodyBytesMax());
    WebServerConfig.Builder builder = WebServer.builder();
    TlsKeeper tls = entrance.tls();
    if (tls != null) {
      builder.tls(Tls.builder().sslContext(tls.context()).build()).useNio(false);
    }
    return builder
        .address(address)
        .port(config.port())
        .backlog(BACKLOG)
        .maxTcpConnections(connectionsMax)
        .idleConnectionTimeout(config.patience().rest())
        .idleConnectionPeriod(config.patience().look())
        .shutdownGracePeriod(Duration.ofMillis(20))
        .shutdownHook(false)
        // Without it every answer of more than one packet waits for an acknowledgement: 40 ms.
        .connectionOptions(options -> options.tcpNoDelay(true))
        .protocolsDiscoverServices(false)
        .contentEncoding(
            encodings ->
                encodings.contentEncodingsDiscoverServices(false).addContentEncoding(new AsItIs()))
        .addConnectionSelector(
            new PacedSelector(
                new PeerSelector(http1(bounds), entrance.parked(), entrance::opened),
                bounds,
                config.patience(),
                connectionsMax,
                traffic))
        .directHandlers(
            handlers -> {
              for (DirectHandler.EventType event : DirectHandler.EventType.values()) {
                handlers.addHandler(event, HoldfastServer::unroutable);
              }
            })
        .routing(routing -> routing.any(gate))
        .build();
  }

  /** Its own limits are wider than ours, which have better answers. */
  private static Http1ConnectionSelector http1(RequestBounds bounds) {
    return Http1ConnectionSelector.builder()
        .config(
            Http1Config.builder()
                .maxHeadersSize(2 * (bounds.lineBytesMax() + bounds.headerBytesMax()))
                .maxPrologueLength(2 * bounds.lineBytesMax())
                .build())
        .build();
  }

  /** What is answered to bytes that are not an HTTP request we can take to a route. */
  private static DirectHandler.TransportResponse unroutable(
      DirectHandler.TransportRequest request,
      DirectHandler.EventType event,
      Status status,
      ServerResponseHeaders headers,
      String message) {
    headers.set(HeaderValues.create(HeaderNames.CONTENT_TYPE, "application/json"));
    Problem problem = PacedSelector.refusalHere();
    if (problem == null) {
      // Our own failures are answered by the dispatcher: these are bytes that could not be read.
      Status told = status.code() == 500 ? Status.BAD_REQUEST_400 : status;
      problem = Problem.of(told.code(), "BAD_REQUEST", "the request: " + told.reasonPhrase());
    }
    return DirectHandler.TransportResponse.builder()
        .status(Status.create(problem.status()))
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

  /** Whether it speaks TLS. */
  public boolean isSecure() {
    return entrance.tls() != null;
  }

  /** Stops taking calls, answers those that run, closes the broker, and lets go of the port. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    traffic.drain();
    routes.close();
    // Parked polls are answered by this, and what was accepted becomes durable.
    broker.close();
    long deadline = System.nanoTime() + config.drainTimeout().toNanos();
    boolean interrupted = false;
    while (traffic.running() > 0 && System.nanoTime() < deadline) {
      interrupted |= isInterruptedInPause();
    }
    if (traffic.running() > 0) {
      LOG.warn("{} calls were still running and are cut off.", traffic.running());
    }
    // The web server does not stop in a thread that is interrupted.
    interrupted |= Thread.interrupted();
    try {
      web.stop();
    } finally {
      entrance.close();
      gate.shut();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The calls that run have a deadline: an interrupt does not shorten it. */
  private static boolean isInterruptedInPause() {
    try {
      Thread.sleep(DRAIN_LOOK_MS);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
