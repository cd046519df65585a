package io.holdfast.server.http;

import io.holdfast.json.Field;
import io.holdfast.json.Values;

/**
 * A range of times, in epoch milliseconds.
 *
 * @param fromMs the first millisecond
 * @param toMs the first millisecond after it
 */
public record TimeRange(long fromMs, long toMs) {
  /**
   * The range between two fields; without them, all times.
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

  /**
   * The range between two fields; without them, a length of time that ends now.
   *
   * @throws Problem if it ends before it begins
   */
  public static TimeRange endingNow(
      Values in, Field<Long> from, Field<Long> to, long lengthMs, long nowMs) {
    Long end = in.find(to);
    long toMs = end == null ? nowMs : end;
    Long first = in.find(from);
    long fromMs = first == null ? Math.max(0, toMs - lengthMs) : first;
    if (fromMs > toMs) {
      throw Problem.field("from", "expected a time that is not after to, but it is");
    }
    return new TimeRange(fromMs, toMs);
  }
}
