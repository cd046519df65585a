package io.holdfast.server.http;

import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the routes of requests and lets their callers in: every request becomes an {@link
 * Exchange}.
 *
 * <p>Thread: any. Nothing here blocks.
 */
public final class Dispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  final int bodyBytesMax;
  final Observer observer;
  final Traffic traffic;
  final Brokers brokers;
  final IdempotencyKeys keys;
  final IgnoredLog ignoredLog = new IgnoredLog();
  private final Router router;
  private final Guard guard;
  private final Door door;
  private final TrustedProxies proxies;
  private final Room room;

  public Dispatcher(
      Router router,
      Guard guard,
      Door door,
      int bodyBytesMax,
      TrustedProxies proxies,
      Observer observer,
      Traffic traffic,
      Room room,
      Brokers brokers,
      IdempotencyKeys keys) {
    this.router = router;
    this.guard = guard;
    this.door = door;
    this.bodyBytesMax = bodyBytesMax;
    this.proxies = proxies;
    this.observer = observer;
    this.traffic = traffic;
    this.room = room;
    this.brokers = brokers;
    this.keys = keys;
  }

  /**
   * Begins with a request whose head has come. The exchange has to be closed.
   *
   * @param secure whether it came over TLS
   */
  public Exchange begin(RequestHead head, Peer peer, boolean secure) {
    traffic.begin();
    Exchange exchange = new Exchange(head, peer, room.share(), this);
    try {
      guard.check(head);
      Router.Found found = router.find(head.method(), head.rawPath());
      Route route = found.route();
      exchange.found(found);
      Shown shown = Shown.of(head, exchange.id(), isSecure(head, peer, secure));
      guard.checkSite(head, route);
      guard.checkNavigation(head, route);
      guard.checkSession(head, route, shown);
      SocketAddress client = client(head, peer);
      exchange.admitted(
          door.admit(route, shown, client), shown, other -> door.admit(other, shown, client));
      exchange.read(Query.read(head.rawQuery(), route.params(), exchange.ignored()));
    } catch (RuntimeException | Error failed) {
      exchange.refuse(failed);
    }
    return exchange;
  }

  /**
   * The answer to a request that has failed.
   *
   * @param route null if none was found
   */
  public static Answer failure(@Nullable Route route, RequestId id, Throwable failed) {
    Problem problem = Problem.from(failed);
    if (problem == null) {
      LOG.error("Request {} to {} failed", id, route == null ? "no route" : route.path(), failed);
      problem = Problem.of(500, "INTERNAL", "internal error; see the server log for request " + id);
    }
    return route == null ? problem.answer(id) : route.problem(problem, id);
  }

  /** The address that a request comes from; behind a trusted proxy, the one that it tells. */
  private @Nullable SocketAddress client(RequestHead head, Peer peer) {
    SocketAddress address = peer.address();
    return proxies.trusts(address)
        ? proxies.client(address, head.headers("X-Forwarded-For"))
        : address;
  }

  /** Whether the client, or a trusted proxy for it, speaks TLS. */
  private boolean isSecure(RequestHead head, Peer peer, boolean secure) {
    if (secure || !proxies.trusts(peer.address())) {
      return secure;
    }
    List<String> protocols = head.headers("X-Forwarded-Proto");
    return String.join(",", protocols).replaceFirst(".*,", "").strip().equalsIgnoreCase("https");
  }
}
