package io.holdfast.server.status;

import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.http.TimeRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    PUSH(0, "push", true, "Messages stored a second."),
    POP(1, "pop", true, "Deliveries a second."),
    ACK(2, "ack", true, "Messages done a second."),
    NACK(3, "nack", true, "Messages that failed a second."),
    WAITING(
        4,
        "waiting",
        false,
        "The most messages that waited, with those that came back. The next four fields are the"
            + " greatest values, too."),
    IN_FLIGHT(5, "inFlight", false, "Leased."),
    DELAYED(6, "delayed", false, "Not yet due."),
    DEAD(7, "dead", false, "Dead letters."),
    OLDEST_MS(8, "oldestMs", false, "How long the oldest message had been there."),
    FSYNC_MS(9, "fsyncMs", true, "How long an fsync took; 0 for a queue.");

    private final int at;
    private final String word;
    private final boolean averaged;
    private final String explanation;

    /**
     * @param at its place in a row of values
     */
    Field(int at, String word, boolean averaged, String explanation) {
      this.at = at;
      this.word = word;
      this.averaged = averaged;
      this.explanation = explanation;
    }
  }

  static final JsonType<Point> POINT = pointType();

  private static JsonType<Point> pointType() {
    JsonObject<Point> object =
        JsonObject.of(Point.class)
            .whole("time", Point::timeMs, "When it began, in epoch milliseconds.");
    for (Field field : Field.values()) {
      if (field.averaged) {
        object.number(field.word, point -> point.average(field), field.explanation);
      } else {
        object.whole(field.word, point -> point.level(field), field.explanation);
      }
    }
    return object.type();
  }

  static final int FIELDS = Field.values().length;

  /** The same, or no points if there is none. */
  public static Series orEmpty(@Nullable Series series, TimeRange range) {
    return series != null
        ? series
        : new Series(range.fromMs(), range.toMs(), History.QUEUE_STEP_MS, List.of());
  }

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
