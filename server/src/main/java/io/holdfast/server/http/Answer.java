package io.holdfast.server.http;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request is answered.
 *
 * @param contentType null if there is no body
 * @param ifUnsent what to undo if it cannot be written
 * @param streaming writes the body; null if it is there already
 */
public record Answer(
    int status,
    @Nullable String contentType,
    byte[] body,
    Map<String, String> headers,
    @Nullable Runnable ifUnsent,
    @Nullable Streaming streaming) {
  public static final String JSON = "application/json";
  private static final byte[] NOTHING = {};

  public static Answer json(int status, JsonOut body) {
    return of(status, JSON, body.done(), Map.of());
  }

  public static Answer ok(JsonOut body) {
    return json(200, body);
  }

  public static Answer nothing() {
    return new Answer(204, null, NOTHING, Map.of(), null, null);
  }

  public static Answer text(String contentType, byte[] body) {
    return of(200, contentType, body, Map.of());
  }

  public static Answer of(
      int status, String contentType, byte[] body, Map<String, String> headers) {
    return new Answer(status, contentType, body, headers, null, null);
  }

  /** An answer whose body is written while it is made. */
  public static Answer streaming(String contentType, Streaming body) {
    return new Answer(200, contentType, NOTHING, Map.of(), null, body);
  }

  public Answer header(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Answer(status, contentType, body, more, ifUnsent, streaming);
  }

  /** The same to a client that has it already: without its body. */
  Answer unchanged() {
    return new Answer(304, null, NOTHING, headers, ifUnsent, null);
  }

  public Answer ifUnsent(Runnable undo) {
    return new Answer(status, contentType, body, headers, undo, streaming);
  }
}
