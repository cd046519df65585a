package io.holdfast.server.http;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all requests of a server need: every one becomes an {@link Exchange}.
 *
 * <p>Thread: any. Nothing here blocks.
 *
 * @param proxies whose headers about their clients are believed
 * @param room the memory that large bodies may take
 * @param keys the answers of requests that may be repeated
 */
public record Dispatcher(
    Router router,
    Guard guard,
    Door door,
    int bodyBytesMax,
    TrustedProxies proxies,
    Observer observer,
    Traffic traffic,
    Room room,
    Brokers brokers,
    IdempotencyKeys keys,
    IgnoredLog ignoredLog) {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  /**
   * Begins with a request whose head has come. The exchange has to be closed.
   *
   * @param secure whether it came over TLS
   */
  public Exchange begin(RequestHead head, Peer peer, boolean secure) {
    return new Exchange(head, peer, secure, this);
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
}
