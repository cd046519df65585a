package io.holdfast.server.status;

import io.holdfast.json.Field;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.TimeRange;
import java.util.List;

/** Tells how the broker, or a queue, was during the last day. */
public final class SeriesRoute {
  private static final long HOUR_MS = 3_600_000;

  private static final Field<String> QUEUE =
      Field.text("queue", "Of this queue alone; without it, of the whole broker.");
  private static final Field<Long> FROM = Field.time("from", "From then on; an hour before to.");
  private static final Field<Long> TO = Field.time("to", "Up to then; now.");
  private static final Field<Long> POINTS = Field.number("points", 300, 1, 10_000, "Most points.");

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
              Series.POINT,
              kept -> kept.series().points(),
              "The oldest first; times without a sample have no point.")
          .type();

  private final Sampler sampler;

  public SeriesRoute(Sampler sampler) {
    this.sampler = sampler;
  }

  public List<Route> routes() {
    return Route.about(
        LiveRoute.TOPIC,
        Route.get("/api/v1/status/series")
            .summary("How it went during the last day: the broker every 10 s, a queue every minute")
            .query(QUEUE, FROM, TO, POINTS)
            .answers("what was seen; nothing is kept over a restart", SERIES, this::series));
  }

  private KeptSeries series(Call call) {
    Values query = call.query();
    Sample now = sampler.now();
    TimeRange range = TimeRange.endingNow(query, FROM, TO, HOUR_MS, now.timeMs());
    String queue = query.find(QUEUE);
    Series found = sampler.series(queue, range, query.get(POINTS).intValue());
    if (queue != null && !now.byName().containsKey(queue)) {
      throw Problem.notFound("there is no queue " + queue);
    }
    return new KeptSeries(Series.orEmpty(found, range), found != null);
  }
}
