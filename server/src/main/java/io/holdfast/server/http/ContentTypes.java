package io.holdfast.server.http;

import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads headers about types and encodings of bodies. */
final class ContentTypes {
  private ContentTypes() {}

  /**
   * Whether a body of this type may be JSON. So may one whose client names no type, or the type
   * that curl sends by itself with {@code -d}.
   */
  static boolean mayBeJson(@Nullable String type) {
    if (type == null || type.equals(Answer.JSON)) {
      return true;
    }
    String bare = type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
    return bare.equals(Answer.JSON)
        || (bare.startsWith("application/") && bare.endsWith("+json"))
        || bare.equals("application/x-www-form-urlencoded");
  }

  /** The elements of a header that is a list. */
  static Stream<String> listed(RequestHead head, String header) {
    return head.headers(header).stream()
        .flatMap(list -> Stream.of(list.split(",")))
        .map(String::strip);
  }
}
