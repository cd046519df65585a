package io.holdfast.server.http;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request is answered.
 *
 * @param contentType null if there is no body
 * @param ifUnsent what to undo if it cannot be written
 */
public record Answer(
    int status,
    @Nullable String contentType,
    byte[] body,
    Map<String, String> headers,
    @Nullable Runnable ifUnsent) {
  public static final String JSON = "application/json";
  private static final byte[] NOTHING = {};

  public static Answer json(int status, JsonOut body) {
    return new Answer(status, JSON, body.done(), Map.of(), null);
  }

  public static Answer ok(JsonOut body) {
    return json(200, body);
  }

  public static Answer nothing() {
    return new Answer(204, null, NOTHING, Map.of(), null);
  }

  public static Answer text(String contentType, byte[] body) {
    return new Answer(200, contentType, body, Map.of(), null);
  }

  public Answer header(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Answer(status, contentType, body, more, ifUnsent);
  }

  /** The same to a client that has it already: without its body. */
  Answer unchanged() {
    return new Answer(304, null, NOTHING, headers, ifUnsent);
  }

  public Answer ifUnsent(Runnable undo) {
    return new Answer(status, contentType, body, headers, undo);
  }
}
