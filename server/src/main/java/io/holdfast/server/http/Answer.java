package io.holdfast.server.http;

import io.holdfast.json.JsonOut;
import io.holdfast.json.JsonType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a request is answered.
 *
 * @param contentType null if there is no body
 * @param ifUnsent what to undo if it cannot be written
 * @param undone whether that undoes all that was done, so that the client may be told to try again
 * @param streaming writes the body; null if it is there already
 */
public record Answer(
    int status,
    @Nullable String contentType,
    byte[] body,
    Map<String, String> headers,
    @Nullable Runnable ifUnsent,
    boolean undone,
    @Nullable Streaming streaming) {
  public static final String JSON = "application/json";
  private static final byte[] NOTHING = {};

  public static Answer json(int status, JsonOut body) {
    return of(status, JSON, body.done(), Map.of());
  }

  /** A JSON value. */
  public static <T> Answer json(int status, JsonType<T> type, T value) {
    return of(status, JSON, type.bytes(value), Map.of());
  }

  /** The same with the status 200. */
  public static <T> Answer ok(JsonType<T> type, T value) {
    return json(200, type, value);
  }

  public static Answer ok(JsonOut body) {
    return json(200, body);
  }

  public static Answer nothing() {
    return new Answer(204, null, NOTHING, Map.of(), null, false, null);
  }

  /** The answer after which a connection speaks another protocol. */
  public static Answer switchingProtocols() {
    return new Answer(101, null, NOTHING, Map.of(), null, false, null);
  }

  public static Answer text(String contentType, byte[] body) {
    return of(200, contentType, body, Map.of());
  }

  public static Answer of(
      int status, @Nullable String contentType, byte[] body, Map<String, String> headers) {
    return new Answer(status, contentType, body, headers, null, false, null);
  }

  /** An answer whose body is written while it is made. */
  public static Answer streaming(String contentType, Streaming body) {
    return new Answer(200, contentType, NOTHING, Map.of(), null, false, body);
  }

  public Answer header(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Answer(status, contentType, body, more, ifUnsent, undone, streaming);
  }

  /** The same with other bytes. */
  Answer body(byte[] other) {
    return new Answer(status, contentType, other, headers, ifUnsent, undone, streaming);
  }

  /** The same bytes as another type. */
  Answer type(String other) {
    return new Answer(status, other, body, headers, ifUnsent, undone, streaming);
  }

  /** The same to a client that has it already: without its body. */
  Answer unchanged() {
    return new Answer(304, null, NOTHING, headers, ifUnsent, undone, null);
  }

  /** Says what is left to do if it cannot be written; what was done stays done. */
  public Answer ifUnsent(Runnable undo) {
    return new Answer(status, contentType, body, headers, undo, false, streaming);
  }

  /** Says what makes it as if nothing had been asked, if it cannot be written. */
  public Answer undoneBy(Runnable undo) {
    return new Answer(status, contentType, body, headers, undo, true, streaming);
  }

  /** The same, but what is to undo is done in somebody's name. */
  Answer undoing(Consumer<Runnable> name) {
    Runnable undo = ifUnsent;
    return undo == null
        ? this
        : new Answer(
            status, contentType, body, headers, () -> name.accept(undo), undone, streaming);
  }
}
