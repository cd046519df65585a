package io.holdfast.server.http;

import io.holdfast.api.AsyncResult;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A request on its way through a route.
 *
 * @param parts the parts of the path that the route has names for, decoded
 * @param peer the connection it came by
 * @param pass who asks
 * @param shown what they showed
 */
public record Call(
    Route route,
    Map<String, String> parts,
    Query query,
    byte[] body,
    Peer peer,
    Pass pass,
    Shown shown) {
  /** A part of the path. */
  public String part(String name) {
    String part = parts.get(name);
    if (part == null) {
      throw new IllegalStateException("the path " + route.path() + " has no {" + name + "}");
    }
    return part;
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

  /** Reads the body, all of it, as one JSON value. */
  public <T> T json(Function<JsonIn, T> reader) {
    try (JsonIn in = JsonIn.of(body)) {
      T value = reader.apply(in);
      in.end();
      return value;
    }
  }
}
