package io.holdfast.server.messages;

import io.holdfast.json.Field;
import io.holdfast.json.Values;
import io.holdfast.server.http.Problem;

/**
 * A range of times, in epoch milliseconds.
 *
 * @param fromMs the first millisecond
 * @param toMs the first millisecond after it
 */
public record TimeRange(long fromMs, long toMs) {
  /**
   * The range between two fields.
   *
   * @param to of the type {@link io.holdfast.json.Json#TIME_END}
   * @throws Problem if it ends before it begins
   */
  public static TimeRange of(Values in, Field<Long> from, Field<Long> to) {
    Long first = in.find(from);
    Long end = in.find(to);
    TimeRange range = new TimeRange(first == null ? 0 : first, end == null ? Long.MAX_VALUE : end);
    if (range.toMs <= range.fromMs) {
      throw Problem.field("to", "expected a time that is not before from, but it is");
    }
    return range;
  }
}
