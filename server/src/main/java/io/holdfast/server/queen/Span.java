package io.holdfast.server.queen;

import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Query;
import org.jspecify.annotations.Nullable;

/**
 * From one time to another, both included. A date stands for its whole day, in UTC.
 *
 * @param fromMs the first millisecond
 * @param toMs the first millisecond after it
 */
record Span(long fromMs, long toMs) {
  static final Span ALWAYS = new Span(0, Long.MAX_VALUE);
  private static final int DATE_CHARS = 10;
  private static final long DAY_MS = 24L * 3600 * 1000;

  static Span of(Query query, Param from, Param to) {
    Long first = query.time(from);
    Long last = query.time(to);
    return of(first, last, String.valueOf(query.text(to)));
  }

  private static Span of(@Nullable Long first, @Nullable Long last, String lastText) {
    long fromMs = first == null ? 0 : first;
    long toMs = last == null ? Long.MAX_VALUE : end(last, lastText);
    if (toMs <= fromMs) {
      throw Problem.field("to", "expected a time that is not before from, but it is");
    }
    return new Span(fromMs, toMs);
  }

  /** With another beginning, read from JSON. */
  Span from(JsonIn in) {
    return in.isNull() ? this : new Span(in.time(), toMs);
  }

  /** With another end, read from JSON. */
  Span to(JsonIn in) {
    return in.isNull() ? this : new Span(fromMs, end(in.time(), in.text()));
  }

  /**
   * The span itself, once both ends are read.
   *
   * @throws Problem if it ends before it begins
   */
  Span checked() {
    return toMs == Long.MAX_VALUE ? this : of(fromMs, toMs - 1, "");
  }

  private static long end(long last, String text) {
    return text.length() == DATE_CHARS ? last + DAY_MS : last + 1;
  }
}
