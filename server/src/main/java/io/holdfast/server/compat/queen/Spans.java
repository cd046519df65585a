package io.holdfast.server.compat.queen;

import io.holdfast.json.Field;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.TimeRange;
import io.holdfast.server.status.Sample;

/** The time range that a history is asked for; without times, the last day. */
final class Spans {
  static final Field<Long> FROM = Field.time("from", "From then on; a day before to.");
  static final Field<Long> TO = Field.time("to", "Up to then; now.");
  static final JsonType<TimeRange> TYPE =
      JsonObject.of(TimeRange.class)
          .time("from", TimeRange::fromMs, "From then on.")
          .time("to", TimeRange::toMs, "Up to then.")
          .type();
  private static final long DAY_MS = 24 * 3_600_000L;

  private Spans() {}

  static TimeRange of(Call call, Sample now) {
    return TimeRange.endingNow(call.query(), FROM, TO, DAY_MS, now.timeMs());
  }
}
