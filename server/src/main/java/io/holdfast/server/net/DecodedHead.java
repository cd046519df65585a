package io.holdfast.server.net;

import io.holdfast.server.http.RequestHead;
import io.netty.handler.codec.http.HttpRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The head of a request as Netty has decoded it. */
final class DecodedHead implements RequestHead {
  private final HttpRequest request;
  private final String path;
  private final String query;

  DecodedHead(HttpRequest request) {
    this.request = request;
    String target = request.uri();
    int mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.substring(0, mark);
    this.query = mark < 0 ? "" : target.substring(mark + 1);
  }

  @Override
  public String method() {
    return request.method().name();
  }

  @Override
  public String rawPath() {
    return path;
  }

  @Override
  public String rawQuery() {
    return query;
  }

  @Override
  public @Nullable String header(String name) {
    return request.headers().get(name);
  }

  @Override
  public List<String> headers(String name) {
    return request.headers().getAll(name);
  }
}
