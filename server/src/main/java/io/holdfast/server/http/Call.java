package io.holdfast.server.http;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.json.IgnoredNames;
import io.holdfast.json.JsonIn;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way through a route.
 *
 * @param parts the parts of the path that the route has names for, decoded
 * @param peer the connection it came by
 * @param pass who asks
 * @param shown what they showed
 * @param brokers the broker by authority; see {@link #broker(Authority)}
 * @param key the header Idempotency-Key; null if there is none, or if the route only reads
 * @param ignored names that the route ignores; null if it refuses unknown ones
 */
public record Call(
    Route route,
    Map<String, String> parts,
    Values query,
    byte[] body,
    Peer peer,
    Pass pass,
    Shown shown,
    Brokers brokers,
    @Nullable String key,
    @Nullable IgnoredNames ignored) {
  private static final byte[] EMPTY_OBJECT = {'{', '}'};

  /** The broker, asked in the caller's name. */
  public Broker broker() {
    return broker(Authority.CALLER);
  }

  /**
   * The broker, asked in somebody's name.
   *
   * @throws IllegalStateException if the route does not declare that it does so
   */
  public Broker broker(Authority authority) {
    if (!route.authorities().contains(authority)) {
      throw new IllegalStateException(route + " does not declare the authority " + authority);
    }
    return brokers.with(authority);
  }

  /**
   * Asks the broker in the caller's name.
   *
   * @throws Problem if it refuses
   */
  public <I, O> O ask(BiFunction<Broker, I, Result<O>> verb, I request) {
    return Refusals.orThrow(verb.apply(broker(), request));
  }

  /** The time of the broker, which every caller may know. */
  public long nowMs() {
    return Refusals.orThrow(broker(Authority.SERVER).stats()).nowMs();
  }

  /** A part of the path. */
  public String part(String name) {
    String part = parts.get(name);
    if (part == null) {
      throw new IllegalStateException("the path " + route.path() + " has no {" + name + "}");
    }
    return part;
  }

  /**
   * The name by which the broker knows repeats of the request: that of its body or query, or the
   * header Idempotency-Key; null if there is neither.
   */
  public @Nullable String requestId(@Nullable String named) {
    if (named != null && key != null && !named.equals(key)) {
      throw Problem.field(
          IdempotencyKeys.HEADER, "expected the same as in the request itself, or none");
    }
    return named == null ? key : named;
  }

  public boolean hasBody() {
    return body.length > 0;
  }

  /**
   * Waits for something in a way that an interrupt ends; it is interrupted if the client goes, or
   * is not let in any more.
   */
  public <T> T whileConnected(Supplier<T> wait) {
    return peer.watching(pass, wait);
  }

  /**
   * Cancels a result that has not come if the client goes, or is not let in any more. An action
   * that may wait for long calls this: without it, a client that has only stopped sending is still
   * waited for.
   */
  public <T> AsyncResult<T> whileConnected(AsyncResult<T> wait) {
    if (!wait.isDone()) {
      peer.watching(pass, wait);
    }
    return wait;
  }

  /** Reads the body. */
  public <T> T json(JsonType<T> type) {
    return JsonIn.read(body, ignored, type::read);
  }

  /** Reads a body that may be absent; then it counts as an object without fields. */
  public <T> T jsonOrEmpty(JsonType<T> type) {
    return JsonIn.read(hasBody() ? body : EMPTY_OBJECT, ignored, type::read);
  }

  /** Reads the body, all of it, as one JSON value. */
  public <T> T json(Function<JsonIn, T> reader) {
    return JsonIn.read(body, ignored, reader);
  }

  /** Tells the client, in a header, that a value of its request had no effect. */
  public void ignore(String name) {
    if (ignored != null) {
      ignored.add(name);
    }
  }
}
