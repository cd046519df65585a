package io.holdfast.server.status;

import java.util.ArrayList;
import java.util.List;

/**
 * How something went, from one time to another.
 *
 * @param stepMs how much time a point stands for
 */
public record Series(long fromMs, long toMs, long stepMs, List<Point> points) {
  /**
   * How it was for a while: rates are averages, all else is the most there was.
   *
   * @param timeMs when that began
   * @param seenMs for how much of it something is known
   */
  public record Point(long timeMs, long seenMs, float[] values) {
    float value(Field field) {
      return values[field.at];
    }

    /** A value that is an average, rounded. */
    public double average(Field field) {
      return Rates.rounded(value(field));
    }

    /** A value that is a count of something at one time. */
    public long level(Field field) {
      return (long) value(field);
    }

    /** How many there were, of something that is told as a rate. */
    public double count(Field rate) {
      return value(rate) * seenMs / 1000.0;
    }
  }

  /** What is kept of each step. */
  public enum Field {
    PUSH(0, true),
    POP(1, true),
    ACK(2, true),
    NACK(3, true),
    FSYNC_MS(4, true),
    WAITING(5, false),
    IN_FLIGHT(6, false),
    DELAYED(7, false),
    DEAD(8, false),
    OLDEST_MS(9, false);

    private final int at;
    private final boolean averaged;

    /**
     * @param at its place in a row of values
     */
    Field(int at, boolean averaged) {
      this.at = at;
      this.averaged = averaged;
    }
  }

  static final int FIELDS = Field.values().length;

  /** What a ring holds of a span, in at most so many points. */
  static Series of(Ring ring, long fromMs, long toMs, int pointsMax) {
    long firstMs = Math.max(fromMs, toMs - ring.spanMs());
    long steps = Math.max(1, (toMs - firstMs) / ring.stepMs());
    long each = (steps + pointsMax - 1) / pointsMax;
    long stepMs = each * ring.stepMs();
    List<Point> points = new ArrayList<>();
    // Points of the same length fall on the same times, whenever one asks.
    for (long ms = firstMs / stepMs * stepMs; ms < toMs; ms += stepMs) {
      Point point = merged(ring, ms, each);
      if (point.seenMs() > 0) {
        points.add(point);
      }
    }
    return new Series(fromMs, toMs, stepMs, points);
  }

  private static Point merged(Ring ring, long timeMs, long steps) {
    long firstStep = timeMs / ring.stepMs();
    float[] sum = new float[FIELDS];
    float[] one = new float[FIELDS];
    int found = 0;
    for (long step = firstStep; step < firstStep + steps; step++) {
      if (ring.get(step, one)) {
        found++;
        for (Field field : Field.values()) {
          int at = field.at;
          sum[at] = field.averaged ? sum[at] + one[at] : Math.max(sum[at], one[at]);
        }
      }
    }
    for (Field field : Field.values()) {
      if (field.averaged && found > 0) {
        sum[field.at] /= found;
      }
    }
    return new Point(timeMs, found * ring.stepMs(), sum);
  }
}
