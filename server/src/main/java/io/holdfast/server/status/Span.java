package io.holdfast.server.status;

import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Query;
import io.holdfast.server.http.Shape;

/** From one time to another; without them, the last day. */
record Span(long fromMs, long toMs) {
  static final Param FROM = Param.time("from", "From then on; a day before to.");
  static final Param TO = Param.time("to", "Up to then; now.");
  static final Shape SHAPE =
      Shape.fields(
          Shape.required("from", Shape.TIME, "From then on."),
          Shape.required("to", Shape.TIME, "Up to then."));
  private static final long DAY_MS = 24 * 3_600_000L;

  static Span of(Query query, long nowMs) {
    Long last = query.time(TO);
    long toMs = last == null ? nowMs : last;
    Long first = query.time(FROM);
    long fromMs = first == null ? Math.max(0, toMs - DAY_MS) : first;
    if (fromMs > toMs) {
      throw Problem.field("from", "expected a time that is not after to, but it is");
    }
    return new Span(fromMs, toMs);
  }

  JsonOut write(JsonOut out) {
    return out.beginObject("timeRange").putTime("from", fromMs).putTime("to", toMs).endObject();
  }
}
