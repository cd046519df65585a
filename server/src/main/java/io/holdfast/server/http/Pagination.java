package io.holdfast.server.http;

import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import java.util.List;
import java.util.stream.Stream;

/** The part of a list that was asked for. */
public record Pagination(long limit, long offset) {
  public static final JsonType<Pagination> TYPE =
      JsonObject.of(Pagination.class)
          .whole("limit", Pagination::limit, "As asked.")
          .whole("offset", Pagination::offset, "As asked.")
          .type();

  /** The rows of this part. */
  public <T> List<T> of(Stream<T> rows) {
    return rows.skip(offset).limit(limit).toList();
  }
}
