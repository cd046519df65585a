package io.holdfast.server.http;

import io.netty.handler.codec.http.HttpRequest;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request: its first line and its headers. The names of headers are compared without
 * regard to case.
 *
 * <p>Thread: any, because it does not change.
 */
public final class RequestHead {
  private final HttpRequest request;
  private final String path;
  private final String query;

  public RequestHead(HttpRequest request) {
    this.request = request;
    String target = request.uri();
    int mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.substring(0, mark);
    this.query = mark < 0 ? "" : target.substring(mark + 1);
  }

  public String method() {
    return request.method().name();
  }

  /** The path, percent-encoded. */
  String rawPath() {
    return path;
  }

  /** The query, percent-encoded and without its question mark; empty if there is none. */
  String rawQuery() {
    return query;
  }

  /** The first value of a header; null if there is none. */
  @Nullable String header(String name) {
    return request.headers().get(name);
  }

  /** The first value of a header, or another text if there is none. */
  public String header(String name, String otherwise) {
    return request.headers().get(name, otherwise);
  }

  /** All values of a header, in their order. */
  List<String> headers(String name) {
    return request.headers().getAll(name);
  }

  boolean has(String name) {
    return request.headers().contains(name);
  }

  /** The elements of a header that is a list. */
  Stream<String> listed(String name) {
    return headers(name).stream().flatMap(list -> Stream.of(list.split(","))).map(String::strip);
  }

  /** Whether a header lists a word. */
  public boolean lists(String name, String word) {
    return has(name) && listed(name).anyMatch(word::equalsIgnoreCase);
  }
}
