package io.holdfast.server.compat.queen;

import io.holdfast.json.Field;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Problem;

/** From one time to another; without them, the last day. */
record TimeRange(long fromMs, long toMs) {
  static final Field<Long> FROM = Field.time("from", "From then on; a day before to.");
  static final Field<Long> TO = Field.time("to", "Up to then; now.");
  static final JsonType<TimeRange> TYPE =
      JsonObject.of(TimeRange.class)
          .time("from", TimeRange::fromMs, "From then on.")
          .time("to", TimeRange::toMs, "Up to then.")
          .type();
  private static final long DAY_MS = 24 * 3_600_000L;

  static TimeRange of(Values query, long nowMs) {
    Long last = query.find(TO);
    long toMs = last == null ? nowMs : last;
    Long first = query.find(FROM);
    long fromMs = first == null ? Math.max(0, toMs - DAY_MS) : first;
    if (fromMs > toMs) {
      throw Problem.field("from", "expected a time that is not after to, but it is");
    }
    return new TimeRange(fromMs, toMs);
  }
}
