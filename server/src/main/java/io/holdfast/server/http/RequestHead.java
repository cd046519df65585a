package io.holdfast.server.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request: its first line and its headers. The names of headers are compared without
 * regard to case.
 *
 * <p>Thread: any, because it does not change.
 */
public interface RequestHead {
  String method();

  /** The path, percent-encoded. */
  String rawPath();

  /** The query, percent-encoded and without its question mark; empty if there is none. */
  String rawQuery();

  /** The first value of a header; null if there is none. */
  @Nullable String header(String name);

  /** All values of a header, in their order. */
  List<String> headers(String name);

  /** Whether there is a header. */
  default boolean has(String name) {
    return header(name) != null;
  }

  /** The first value of a header, or another text if there is none. */
  default String header(String name, String otherwise) {
    String value = header(name);
    return value == null ? otherwise : value;
  }
}
