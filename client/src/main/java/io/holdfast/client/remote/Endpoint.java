package io.holdfast.client.remote;

import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One address of a broker: its connections, and whether it may be asked. Requests go in frames over
 * shared connections, or over HTTP if the server does not offer that, each on a connection of its
 * own.
 *
 * <p>An address that failed several times in a row rests; after that, one request tries it, and
 * others follow once it is answered. One that may be parked there for long is let through as well,
 * but it is not the one that is waited for: its answer says too late whether somebody is there.
 *
 * <p>Thread: any.
 */
final class Endpoint {
  /** Connections that are kept for later; those beyond are closed. */
  private static final int IDLE_MAX = 64;

  /** A server closes a connection that nobody uses; before that we do. */
  private static final long IDLE_NANOS_MAX = 20_000_000_000L;

  /** One used so recently is taken for open without a look. */
  private static final long FRESH_NANOS = 50_000_000L;

  private record Idle(Connection connection, long sinceNanos) {}

  private final RemoteConfig config;
  private final URI address;
  private final Map<Verb<?, ?>, String> heads = new HashMap<>();
  private final FrameConnections frames;
  private final Deque<Idle> idle = new ArrayDeque<>();
  private final Set<Connection> waiting = new HashSet<>();
  private int failures;
  private long restUntilNanos;

  /** Whether a request that was let through after a rest has no answer yet. */
  private boolean tried;

  private boolean closed;

  /**
   * @param threads for what blocks and must not hold up a caller
   * @param onClosing runs when the server announces its end
   */
  Endpoint(RemoteConfig config, URI address, Executor threads, Consumer<Endpoint> onClosing) {
    this.config = config;
    this.address = address;
    String base = address.getRawPath() == null ? "" : address.getRawPath();
    String token = config.token();
    String path = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    this.frames =
        new FrameConnections(
            config, new FrameUpgrade(config, address, path), threads, () -> onClosing.accept(this));
    for (Verb<?, ?> verb : Verbs.ALL) {
      heads.put(
          verb,
          "POST "
              + path
              + Verbs.PATH
              + verb.name()
              + " HTTP/1.1\r\nHost: "
              + address.getRawAuthority()
              + "\r\nContent-Type: "
              + Verbs.CONTENT_TYPE
              + (token == null ? "" : "\r\nAuthorization: Bearer " + token)
              + "\r\nContent-Length: ");
    }
  }

  URI address() {
    return address;
  }

  /**
   * Whether it may be asked now; of one that has rested, only the first caller is told so.
   *
   * @param parked whether the request may wait long for nothing
   */
  synchronized boolean mayTry(boolean parked) {
    if (failures < config.restAfter()) {
      return true;
    }
    if (config.time().nanos() - restUntilNanos < 0) {
      return false;
    }
    if (!parked) {
      rest();
      tried = true;
    }
    return true;
  }

  private void rest() {
    restUntilNanos = config.time().nanos() + config.rest().toNanos();
  }

  /** When its rest ends; in the past if it does not rest. */
  synchronized long restUntilNanos() {
    return restUntilNanos;
  }

  synchronized boolean isTried() {
    return tried;
  }

  /** An answer came; returns whether earlier requests had failed. */
  synchronized boolean succeeded() {
    boolean hadFailed = failures > 0;
    failures = 0;
    tried = false;
    return hadFailed;
  }

  /** Closes idle HTTP connections: most likely they failed with the one in use. */
  void failed() {
    frames.forgetRefusal();
    List<Connection> left = new ArrayList<>();
    synchronized (this) {
      failures++;
      tried = false;
      if (failures >= config.restAfter()) {
        rest();
      }
      takeIdle(left);
    }
    left.forEach(Connection::close);
  }

  private void takeIdle(List<Connection> into) {
    idle.forEach(one -> into.add(one.connection()));
    idle.clear();
  }

  /** The connection for a request, open or to be opened; null if it is to be sent over HTTP. */
  CompletableFuture<@Nullable FrameConnection> connection(int bytes) {
    return frames.connection(bytes);
  }

  /**
   * Sends a request, and waits for its answer.
   *
   * @param late is told an answer that comes after the time of the request
   * @throws NotSentException if the request had no effect
   * @throws InterruptedException if a request that may wait was not sent yet
   */
  Reply exchange(Verb<?, ?> verb, SentRequest request, PendingCall.Listener late)
      throws IOException, InterruptedException {
    FrameConnection connection = frames.await(request.frame().length, request.waitMs() > 0);
    if (connection == null) {
      return exchangeOverHttp(verb, request);
    }
    PendingCall call = request.call(late, Thread.currentThread());
    connection.send(call);
    return connection.await(call);
  }

  /** The same without frames; an interrupt of the thread ends it. */
  Reply exchangeOverHttp(Verb<?, ?> verb, SentRequest request) throws IOException {
    byte[] body = request.body();
    Connection connection = take();
    boolean lasting = false;
    try {
      if (request.waitMs() > 0) {
        park(connection);
      }
      String head = heads.get(verb) + body.length + "\r\n\r\n";
      Reply reply = connection.exchange(head, body, request.waitMs() + request.answerMs());
      lasting = reply.lasting();
      return reply;
    } finally {
      putBack(connection, lasting);
    }
  }

  private synchronized void park(Connection connection) throws NotSentException {
    if (closed) {
      throw new NotSentException(new IOException("the remote broker is closed"));
    }
    waiting.add(connection);
  }

  private Connection take() throws NotSentException {
    for (Idle last = last(); last != null; last = last()) {
      long quiet = config.time().nanos() - last.sinceNanos();
      if (quiet < FRESH_NANOS || (quiet < IDLE_NANOS_MAX && !last.connection().isStale())) {
        return last.connection();
      }
      last.connection().close();
    }
    return Connection.open(address, config.tls(), config.connectTimeout());
  }

  private synchronized @Nullable Idle last() {
    return idle.pollLast();
  }

  private void putBack(Connection connection, boolean lasting) {
    boolean kept;
    synchronized (this) {
      waiting.remove(connection);
      kept = lasting && !closed && idle.size() < IDLE_MAX;
      if (kept) {
        idle.addLast(new Idle(connection, config.time().nanos()));
      }
    }
    if (!kept) {
      connection.close();
    }
  }

  /** Closes what is idle or waits; what is being answered may end. */
  void close() {
    frames.close();
    List<Connection> left = new ArrayList<>();
    synchronized (this) {
      closed = true;
      takeIdle(left);
      left.addAll(waiting);
    }
    left.forEach(Connection::close);
  }
}
