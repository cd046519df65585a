package io.holdfast.server.http;

import io.holdfast.json.IgnoredNames;
import io.holdfast.json.Schema;
import io.holdfast.json.SchemaCheck;
import io.holdfast.json.Values;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request and its answer, from the head that has come to the answer that is sent.
 *
 * <p>Invariant: it counts as a running call, and keeps its share of the room, until it is closed.
 *
 * <p>Thread: one at a time.
 */
public final class Exchange implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
  private static final byte[] NO_BODY = {};

  /** The largest body of a request that may be answered without a thread of its own. */
  private static final int ASYNC_BYTES_MAX = 64 * 1024;

  private final RequestHead head;
  private final Peer peer;
  private final Dispatcher server;
  private final RequestId id;
  private final Room.Share share;
  private final long begunNanos = System.nanoTime();
  private Router.@Nullable Found found;
  private Pass pass = Pass.NOBODY;
  private @Nullable Shown shown;
  private @Nullable Function<Route, Pass> admission;
  private @Nullable Values query;
  private @Nullable String key;
  private @Nullable IgnoredNames ignored;
  private @Nullable BodyCollector body;
  private @Nullable Call call;
  private @Nullable Answer refusal;
  private boolean closed;

  /** Finds the route of a request whose head has come, and lets its caller in. */
  Exchange(RequestHead head, Peer peer, boolean secure, Dispatcher server) {
    this.head = head;
    this.peer = peer;
    this.server = server;
    this.id = RequestId.of(head);
    this.share = server.room().share();
    server.traffic().begin();
    try {
      server.guard().check(head);
      found = server.router().find(head.method(), head.rawPath());
      admit(secure);
      read();
    } catch (RuntimeException | Error failed) {
      refusal = Dispatcher.failure(found == null ? null : route(), id, failed);
    }
  }

  private void admit(boolean secure) {
    Route route = route();
    TrustedProxies proxies = server.proxies();
    Shown credential = Shown.of(head, id, proxies.isSecure(peer.address(), head, secure));
    server.guard().check(head, route, credential);
    SocketAddress client = proxies.client(peer.address(), head);
    admission = other -> server.door().admit(other, credential, client);
    pass = server.door().admit(route, credential, client);
    shown = credential;
    if (server.traffic().isDraining() && route.access() != Access.PUBLIC) {
      throw Problem.closing();
    }
  }

  private void read() {
    Route route = route();
    ignored = route.tolerant() ? new IgnoredNames() : null;
    query = Query.read(head.rawQuery(), route.params(), ignored);
    key = route.onlyLooks() ? null : IdempotencyKeys.of(head);
    if (route.body() instanceof Schema.Document document
        && !document.contentType().equals(head.header("Content-Type"))) {
      throw wrongType(document.contentType());
    }
  }

  /** The id of the request. */
  public RequestId id() {
    return id;
  }

  /** Lets the same caller in to other routes, with what the request showed. */
  public Function<Route, Pass> admission() {
    return Objects.requireNonNull(admission);
  }

  /** The answer, if the head alone decides it; null if the request is taken. */
  public @Nullable Answer refusal() {
    return refusal;
  }

  /** The protocol that the client asks to change to, and its route offers; else null. */
  public @Nullable String upgrade() {
    String protocol = route().upgrade();
    return protocol != null
            && head.method().equals("GET")
            && head.header("Upgrade", "").equalsIgnoreCase(protocol)
            && head.lists("Connection", "upgrade")
        ? protocol
        : null;
  }

  public Pass pass() {
    return pass;
  }

  /** The route of a request that is taken. */
  public Route route() {
    return Objects.requireNonNull(found).route();
  }

  private Problem wrongType(String expected) {
    String got = head.has("Content-Type") ? ", but got another" : ", but there is none";
    return Problem.of(415, "WRONG_TYPE", "the Content-Type: expected " + expected + got);
  }

  /** The length of a body that is worth reading though nobody needs it. */
  public int worthReading() {
    return Math.min(server.bodyBytesMax(), Room.SMALL_BYTES);
  }

  /**
   * Expects a body.
   *
   * @param length as announced; negative if it comes in chunks
   * @throws Problem if it is refused
   */
  public void expectBody(long length) {
    Route route = route();
    Schema expected = route.body();
    if (expected == null) {
      throw Problem.body("expected no body, but got one");
    }
    boolean open = route.access() == Access.PUBLIC;
    // Strangers get none of the room that all share.
    if (open && length < 0) {
      throw Problem.body("expected the header Content-Length, but the body is chunked");
    }
    boolean json = !(expected instanceof Schema.Document);
    if (json && !route.tolerant() && !mayBeJson(head.header("Content-Type"))) {
      throw wrongType("application/json");
    }
    body = new BodyCollector(open ? worthReading() : server.bodyBytesMax(), length, json, share);
  }

  /**
   * Whether a body of this type may be JSON. So may one whose client names no type, or the type
   * that curl sends by itself with {@code -d}.
   */
  private static boolean mayBeJson(@Nullable String type) {
    if (type == null || type.equals(Answer.JSON)) {
      return true;
    }
    String bare = type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
    return bare.equals(Answer.JSON)
        || (bare.startsWith("application/") && bare.endsWith("+json"))
        || bare.equals("application/x-www-form-urlencoded");
  }

  /**
   * Adds bytes to the body.
   *
   * @throws Problem if they are too many, or there is no room
   */
  public void add(ByteBuffer bytes) {
    Objects.requireNonNull(body).add(bytes);
  }

  /** Answers the request in this thread, which may block. */
  public Answer answer() {
    try {
      Call call = call();
      Supplier<Answer> action = () -> pass.as(() -> route().action().answer(call));
      String repeated = route().keyed() ? null : key;
      Answer answer =
          repeated == null
              ? action.get()
              : server.keys().answer(head, pass, repeated, call.body(), action);
      return Compression.of(head, asDeclared(answer.undoing(pass::run)), route());
    } catch (RuntimeException | Error failed) {
      return Dispatcher.failure(route(), id, failed);
    }
  }

  /** Begins to answer without blocking; null if {@link #answer()} has to. */
  public @Nullable AsyncAnswer<?> answerAsync() {
    Route.AsyncAction action = route().asyncAction();
    if (action == null || (key != null && !route().keyed())) {
      return null;
    }
    try {
      Call call = call();
      return call.body().length > ASYNC_BYTES_MAX ? null : pass.as(() -> action.answer(call));
    } catch (RuntimeException | Error failed) {
      return AsyncAnswer.of(Dispatcher.failure(route(), id, failed));
    }
  }

  /** The answer to a call whose result has come, undone in the name of the caller. */
  public Answer answer(AsyncAnswer<?> asked) {
    try {
      return asDeclared(pass.as(asked::get).undoing(pass::run));
    } catch (RuntimeException | Error failed) {
      // Only the client's leave cancels it; if somebody else does, that is a bug.
      return peer.isGone() ? Answer.nothing() : Dispatcher.failure(route(), id, failed);
    }
  }

  private Call call() {
    if (call == null) {
      call =
          new Call(
              route(),
              Objects.requireNonNull(found).parts(),
              Objects.requireNonNull(query),
              body == null ? NO_BODY : body.whole(),
              peer,
              pass,
              Objects.requireNonNull(shown),
              server.brokers(),
              key,
              ignored);
    }
    return call;
  }

  /**
   * Takes room for an answer; null if there is room, else what is to be answered after it was
   * undone.
   */
  public @Nullable Answer overloaded(Answer answer) {
    try {
      boolean done = found != null && !route().onlyLooks() && !answer.undone();
      share.takeForAnswer(answer.body().length, done);
      return null;
    } catch (Problem full) {
      return full.answer(id);
    }
  }

  /** The answer as it is sent, without its body if the client has it; it counts as answered. */
  public Answer sent(Answer answer) {
    Answer sent = namingIgnored(isKnown(answer) ? answer.unchanged() : answer);
    server
        .observer()
        .answered(found == null ? null : route(), sent.status(), System.nanoTime() - begunNanos);
    return sent;
  }

  /** The answer itself; with assertions enabled, compared with what its route declares. */
  private Answer asDeclared(Answer answer) {
    assert undeclared(answer) == null : undeclared(answer);
    return answer;
  }

  /** How a JSON answer differs from what its route declares for its status; null if it does not. */
  private @Nullable String undeclared(Answer answer) {
    if (found == null || !Answer.JSON.equals(answer.contentType()) || answer.streaming() != null) {
      return null;
    }
    List<Schema> schemas =
        route().answers().stream()
            .filter(outcome -> outcome.status() == answer.status())
            .map(Route.Outcome::schema)
            .filter(Objects::nonNull)
            .toList();
    String difference = schemas.isEmpty() ? null : SchemaCheck.difference(schemas, answer.body());
    return difference == null ? null : route() + " " + answer.status() + ": " + difference;
  }

  private Answer namingIgnored(Answer answer) {
    IgnoredNames names = ignored;
    if (names == null || names.isEmpty()) {
      return answer;
    }
    server.observer().ignored(route(), names.size());
    server.ignoredLog().write(route(), names);
    return answer.header("Holdfast-Ignored", names.toString());
  }

  /** Whether the client says that it has this very answer. */
  private boolean isKnown(Answer answer) {
    String tag = answer.headers().get("ETag");
    return tag != null
        && answer.status() == 200
        && head.listed("If-None-Match").anyMatch(tag::equals);
  }

  public boolean isHead() {
    return head.method().equals("HEAD");
  }

  /** Whether the connection ends with the answer. */
  public boolean isLast() {
    return server.traffic().isDraining() || head.lists("Connection", "close");
  }

  /**
   * Writes the body of a streaming answer, all of it.
   *
   * @return false if it ended early
   */
  public boolean stream(Streaming streaming, Outlet outlet) {
    try {
      pass.run(() -> streaming.write(outlet));
      outlet.flush();
      return true;
    } catch (Outlet.GoneException | Problem early) {
      return false;
    } catch (RuntimeException failed) {
      LOG.error("The answer to request {} could not be written to its end.", id, failed);
      return false;
    }
  }

  /** It is answered, or nobody waits for an answer. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      share.close();
      server.traffic().end();
    }
  }
}
