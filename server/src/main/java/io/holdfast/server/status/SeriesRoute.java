package io.holdfast.server.status;

import io.holdfast.json.Field;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.List;

/** Tells how the broker, or a queue, was during the last day. */
public final class SeriesRoute {
  private static final long HOUR_MS = 3_600_000;

  private static final Field<String> QUEUE =
      Field.text("queue", "Of this queue alone; without it, of the whole broker.");
  private static final Field<Long> FROM = Field.time("from", "From then on; an hour before to.");
  private static final Field<Long> TO = Field.time("to", "Up to then; now.");
  private static final Field<Long> POINTS = Field.number("points", 300, 1, 10_000, "Most points.");

  private static final JsonType<Series.Point> POINT =
      JsonObject.of(Series.Point.class)
          .whole("time", Series.Point::timeMs, "When it began, in epoch milliseconds.")
          .number("push", point -> point.average(Series.Field.PUSH), "Messages stored a second.")
          .number("pop", point -> point.average(Series.Field.POP), "Deliveries a second.")
          .number("ack", point -> point.average(Series.Field.ACK), "Messages done a second.")
          .number(
              "nack", point -> point.average(Series.Field.NACK), "Messages that failed a second.")
          .whole(
              "waiting",
              point -> point.level(Series.Field.WAITING),
              "The most messages that waited, with those that came back. The next four fields are"
                  + " the greatest values, too.")
          .whole("inFlight", point -> point.level(Series.Field.IN_FLIGHT), "Leased.")
          .whole("delayed", point -> point.level(Series.Field.DELAYED), "Not yet due.")
          .whole("dead", point -> point.level(Series.Field.DEAD), "Dead letters.")
          .whole(
              "oldestMs",
              point -> point.level(Series.Field.OLDEST_MS),
              "How long the oldest message had been there.")
          .number(
              "fsyncMs",
              point -> point.average(Series.Field.FSYNC_MS),
              "How long an fsync took; 0 for a queue.")
          .type();

  /** A series, or an empty one if none is kept. */
  private record KeptSeries(Series series, boolean kept) {}

  private static final JsonType<KeptSeries> SERIES =
      JsonObject.of(KeptSeries.class)
          .whole("from", kept -> kept.series().fromMs(), "In epoch milliseconds.")
          .whole("to", kept -> kept.series().toMs(), "In epoch milliseconds.")
          .whole("stepMs", kept -> kept.series().stepMs(), "The length of time of a point.")
          .flag(
              "kept",
              KeptSeries::kept,
              "Whether there is a series: only the "
                  + History.QUEUES_MAX
                  + " busiest queues have one, and the broker for callers who may see all queues.")
          .list(
              "points",
              POINT,
              kept -> kept.series().points(),
              "The oldest first; times without a sample have no point.")
          .type();

  private final Sampler sampler;

  public SeriesRoute(Sampler sampler) {
    this.sampler = sampler;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/status/series",
                Access.READ,
                LiveRoute.TOPIC,
                "How it went during the last day: the broker every 10 s, a queue every minute",
                this::series)
            .query(QUEUE, FROM, TO, POINTS)
            .answers(200, "what was seen; nothing is kept over a restart", SERIES));
  }

  private Answer series(Call call) {
    Values query = call.query();
    Sample now = sampler.now();
    VisibleQueues visible = VisibleQueues.ofCaller();
    Long asked = query.find(TO);
    long toMs = asked == null ? now.timeMs() : asked;
    Long begin = query.find(FROM);
    long fromMs = begin == null ? Math.max(0, toMs - HOUR_MS) : begin;
    if (fromMs > toMs) {
      throw Problem.field("from", "expected a time that is not after to, but it is");
    }
    int points = query.get(POINTS).intValue();
    String queue = query.find(QUEUE);
    Series found;
    if (queue == null) {
      // A limited token is told nothing of the whole; it may name a queue.
      found = visible.isAll() ? sampler.history().whole(fromMs, toMs, points) : null;
    } else {
      visible.check(queue);
      if (!now.byName().containsKey(queue)) {
        throw Problem.notFound("there is no queue " + queue);
      }
      found = sampler.history().ofQueue(queue, fromMs, toMs, points);
    }
    return Answer.ok(
        SERIES,
        found == null
            ? new KeptSeries(new Series(fromMs, toMs, History.QUEUE_STEP_MS, List.of()), false)
            : new KeptSeries(found, true));
  }
}
