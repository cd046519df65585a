package io.holdfast.server.http;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Refusal;
import io.holdfast.json.JsonException;
import io.holdfast.json.JsonOut;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that cannot be answered as asked: the status, a code for programs, a text for people.
 */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The media type of an error. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private static final String BAD_REQUEST = "BAD_REQUEST";
  private static final Map<String, String> NONE = Map.of();

  private final int status;
  private final String code;
  private final @Nullable String field;
  private final transient Map<String, String> headers;

  private Problem(
      int status, String code, String text, @Nullable String field, Map<String, String> headers) {
    // Nobody looks at where it was thrown, and it may be thrown a lot.
    super(text, null, false, false);
    this.status = status;
    this.code = code;
    this.field = field;
    this.headers = headers;
  }

  public static Problem of(int status, String code, String text) {
    return new Problem(status, code, text, null, NONE);
  }

  /** A request id that was used before, for something else. */
  public static Problem requestIdUsed() {
    return of(409, "REQUEST_ID_USED", "requestId: another request has used it, with other content");
  }

  /** A method that a path does not have. */
  static Problem noSuchMethod(String methods, String allowed) {
    return new Problem(
        405,
        "NO_SUCH_METHOD",
        "this route is asked with " + methods,
        null,
        Map.of("Allow", allowed));
  }

  /** A field or parameter that is not what was expected. */
  public static Problem field(String field, String expected) {
    return new Problem(400, BAD_REQUEST, field + ": " + expected, field, NONE);
  }

  /** A field that has to be there and is not. */
  public static Problem required(String field, String text) {
    return new Problem(400, BAD_REQUEST, text, field, NONE);
  }

  /** A body that is not what was expected. */
  public static Problem body(String text) {
    return new Problem(400, BAD_REQUEST, text, null, NONE);
  }

  /** The problem of a request that failed; null if the failure is not the caller's. */
  public static @Nullable Problem from(Throwable failed) {
    return switch (failed) {
      case Problem problem -> problem;
      case JsonException wrong -> json(wrong);
      case InvalidArgumentException refused -> argument("", refused);
      default -> null;
    };
  }

  private static Problem json(JsonException wrong) {
    boolean tooLarge = wrong.isTooLarge();
    return new Problem(
        tooLarge ? 413 : 400,
        tooLarge ? ErrorCode.TOO_LARGE.name() : BAD_REQUEST,
        String.valueOf(wrong.getMessage()),
        wrong.field(),
        NONE);
  }

  /** A field that asks for what this broker does not offer. */
  public static Problem unsupported(String field, String text) {
    return new Problem(400, ErrorCode.UNSUPPORTED.name(), field + ": " + text, field, NONE);
  }

  /** A field or a body that has more in it than is taken. */
  public static Problem tooLarge(String field, String expected) {
    return new Problem(413, ErrorCode.TOO_LARGE.name(), field + ": " + expected, field, NONE);
  }

  /** What cannot be done now, but may be in a moment. */
  public static Problem overloaded(String text) {
    return new Problem(429, ErrorCode.OVERLOADED.name(), text, null, retryAfter(1));
  }

  /** Of a server that takes no more calls. */
  public static Problem closing() {
    return of(503, "CLOSED", "the broker is shutting down; ask again in a moment");
  }

  public static Problem notFound(String text) {
    return new Problem(404, ErrorCode.NOT_FOUND.name(), text, null, NONE);
  }

  /** A caller who did not prove to be somebody. */
  public static Problem unauthenticated(String text) {
    return new Problem(
        401,
        ErrorCode.UNAUTHENTICATED.name(),
        text,
        null,
        Map.of("WWW-Authenticate", "Bearer realm=\"holdfast\""));
  }

  /** A caller who may not do this. */
  public static Problem forbidden(String text) {
    return new Problem(403, ErrorCode.FORBIDDEN.name(), text, null, NONE);
  }

  private static Map<String, String> retryAfter(int seconds) {
    return Map.of("Retry-After", Integer.toString(seconds));
  }

  /** The name of a field of something that stands at a place. */
  public static String in(String place, String field) {
    return place.isEmpty() ? field : place + '.' + field;
  }

  /** An argument that its record refused; its message begins with the name of the field. */
  public static Problem argument(String path, InvalidArgumentException refused) {
    String text = String.valueOf(refused.getMessage());
    int colon = text.indexOf(": ");
    if (colon < 0) {
      return body(text);
    }
    String field =
        path.isEmpty() ? text.substring(0, colon) : path + '.' + text.substring(0, colon);
    return new Problem(400, BAD_REQUEST, field + text.substring(colon), field, NONE);
  }

  /** What the broker refused. */
  public static Problem refused(Refusal why) {
    int status =
        switch (why.code()) {
          case FULL, OVERLOADED -> 429;
          case TOO_LARGE -> 413;
          // What an operation of a commit names is no part of the address.
          case NOT_FOUND -> why.operation() < 0 ? 404 : 409;
          case UNSUPPORTED -> 400;
          case UNAUTHENTICATED -> 401;
          case FORBIDDEN -> 403;
          case READ_FAILED, SHARD_STOPPED, CLOSED, NOT_LEADER -> 503;
          case OUTCOME_UNKNOWN -> 504;
          case DAMAGED, INTERNAL -> 500;
          case LIMIT,
              STALE_LEASE,
              ALREADY_SETTLED,
              CANCELLED,
              LEASE_REQUIRED,
              NOT_APPLIED,
              DUPLICATE,
              WRONG_POSITION,
              WRONG_VERSION,
              WRONG_STATE,
              KEY_MISSING,
              REQUEST_FORGOTTEN ->
              409;
        };
    boolean later =
        status == 429 || why.code() == ErrorCode.CLOSED || why.code() == ErrorCode.NOT_LEADER;
    String field = why.operation() < 0 ? null : "operations[" + why.operation() + "]";
    return new Problem(
        status, why.code().name(), why.detail(), field, later ? retryAfter(1) : NONE);
  }

  /** The error body of all routes: {@code error} and {@code code}, and the fields of RFC 9457. */
  public Answer answer(RequestId request) {
    JsonOut out =
        begin(new JsonOut().beginObject())
            .put("type", "about:blank")
            .put("title", title())
            .put("status", status)
            .put("detail", getMessage())
            .put("requestId", request.toString());
    return answer(out, MEDIA_TYPE).header(RequestId.HEADER, request.toString());
  }

  /** A problem in an object that was begun, behind what is there already. */
  public Answer answer(JsonOut begun) {
    return answer(begin(begun), Answer.JSON);
  }

  private JsonOut begin(JsonOut begun) {
    JsonOut out = begun.put("error", getMessage()).put("code", code);
    return field == null ? out : out.put("field", field);
  }

  private Answer answer(JsonOut out, String type) {
    Answer answer = Answer.of(status, type, out.endObject().done(), NONE);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      answer = answer.header(header.getKey(), header.getValue());
    }
    return answer;
  }

  private String title() {
    return status == 413 ? "Content Too Large" : HttpResponseStatus.valueOf(status).reasonPhrase();
  }

  /** Headers of its answer. */
  public Map<String, String> headers() {
    return headers;
  }

  public int status() {
    return status;
  }

  /** The same for programs. */
  public String code() {
    return code;
  }
}
