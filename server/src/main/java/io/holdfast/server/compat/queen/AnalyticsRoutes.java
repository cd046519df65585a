package io.holdfast.server.compat.queen;

import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.access.Caller;
import io.holdfast.server.access.Grant;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.TimeRange;
import io.holdfast.server.status.Sample;
import io.holdfast.server.status.Sampler;
import io.holdfast.server.status.Series;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The history of the last day in the words of Queen, as far as it means something here. */
public final class AnalyticsRoutes {
  /** Most points of one series. */
  private static final int POINTS_MAX = 288;

  /** As many steps as a day has. */
  private static final int STEPS_MAX = 10_000;

  /** Most queues that one answer has a series of. */
  private static final int QUEUES_MAX = 50;

  private static final String BUSIEST =
      "of the busiest " + QUEUES_MAX + " queues, or of the one that is asked for";

  private static final Map<String, Long> INTERVALS =
      Map.of("minute", 60_000L, "hour", 3_600_000L, "day", 86_400_000L);

  private static final Field<String> QUEUE = Field.text("queue", "Only this queue.");
  private static final Field<String> INTERVAL =
      Field.word("interval", "hour", "The length of time of a point.", "minute", "hour", "day");

  private record Pushes(String interval, TimeRange range, Map<Long, Double> buckets) {}

  private static final JsonType<Pushes> PUSHES =
      JsonObject.of(Pushes.class)
          .text("interval", Pushes::interval, "As asked.")
          .time("from", pushes -> pushes.range().fromMs(), "From then on.")
          .time("to", pushes -> pushes.range().toMs(), "Up to then.")
          .list(
              "dataPoints",
              new JsonObject<Map.Entry<Long, Double>>()
                  .time("timestamp", Map.Entry::getKey, "When it began.")
                  .whole("messages", point -> Math.round(point.getValue()), "Messages stored.")
                  .type(),
              pushes -> pushes.buckets().entrySet(),
              "The oldest first.")
          .type();

  /** A point of the series of a queue. */
  private record QueuePoint(String queue, Series.Point point) {
    long total(Series.Field rate) {
      return Math.round(point.count(rate));
    }
  }

  private static final JsonType<Collection<QueuePoint>> LAGS =
      Json.list(
          JsonObject.of(QueuePoint.class)
              .time("bucketTime", at -> at.point().timeMs(), "When it began.")
              .queue("queueName", QueuePoint::queue, "The queue.")
              .whole("popCount", at -> at.total(Series.Field.POP), "Deliveries.")
              .nothing("avgLagMs", "Always null: it is not counted.")
              .whole(
                  "maxLagMs",
                  at -> at.point().level(Series.Field.OLDEST_MS),
                  "The age of the oldest message.")
              .type());

  private static final JsonObject<Series.Point> RATES =
      JsonObject.of(Series.Point.class)
          .number("pushPerSecond", point -> point.average(Series.Field.PUSH), "Messages stored.")
          .number("popPerSecond", point -> point.average(Series.Field.POP), "Deliveries.")
          .number("ackPerSecond", point -> point.average(Series.Field.ACK), "Messages done.")
          .whole(
              "maxLagMs",
              point -> point.level(Series.Field.OLDEST_MS),
              "The age of the oldest message.");

  private record Operations(List<String> queues, List<QueuePoint> series) {}

  private static final JsonType<Operations> OPERATIONS =
      JsonObject.of(Operations.class)
          .list("queues", Json.QUEUE, Operations::queues, "Their names.")
          .list(
              "series",
              JsonObject.of(QueuePoint.class)
                  .time("bucket", at -> at.point().timeMs(), "When it began.")
                  .queue("queueName", QueuePoint::queue, "The queue.")
                  .include(RATES, QueuePoint::point)
                  .whole("pushMessages", at -> at.total(Series.Field.PUSH), "Messages stored.")
                  .whole("popMessages", at -> at.total(Series.Field.POP), "Deliveries.")
                  .whole("ackSuccess", at -> at.total(Series.Field.ACK), "Messages done.")
                  .whole("ackFailed", at -> at.total(Series.Field.NACK), "Messages that failed.")
                  .type(),
              Operations::series,
              "By queue and time.")
          .type();

  private record Whole(Sample sample, TimeRange range, Series series) {}

  private static final JsonType<Sample> SUMMARY =
      JsonObject.of(Sample.class)
          .nothing("totalPushRequests", "Always null: it is not counted.")
          .whole(
              "totalPushMessages", sample -> sample.stats().totals().pushed(), "Messages stored.")
          .nothing("totalPopRequests", "Always null: it is not counted.")
          .whole("totalPopMessages", sample -> sample.stats().totals().delivered(), "Deliveries.")
          .nothing("totalAckRequests", "Always null: it is not counted.")
          .whole("totalAckMessages", sample -> sample.stats().totals().acked(), "Messages done.")
          .whole(
              "totalAckFailed", sample -> sample.stats().totals().nacked(), "Messages that failed.")
          .whole("totalDbErrors", sample -> 0, "0: a write that fails stops the broker.")
          .whole("totalDlq", sample -> sample.stats().totals().dead(), "Dead letters.")
          .whole("pendingMessages", sample -> sample.levels().counts().waiting(), "Waiting now.")
          .type();

  private static final JsonType<Whole> WHOLE =
      JsonObject.of(Whole.class)
          .field("timeRange", Spans.TYPE, Whole::range, "The times of the series.")
          .number(
              "bucketMinutes",
              whole -> whole.series().stepMs() / 60_000.0,
              "The length of time of a point.")
          .whole("pointCount", whole -> whole.series().points().size(), "The number of points.")
          .list(
              "timeSeries",
              JsonObject.of(Series.Point.class)
                  .time("timestamp", Series.Point::timeMs, "When it began.")
                  .include(RATES, point -> point)
                  .whole(
                      "pendingMessages",
                      point -> point.level(Series.Field.WAITING),
                      "The most that waited.")
                  .type(),
              whole -> whole.series().points(),
              "The oldest first.")
          .list("workers", Json.TEXT, whole -> List.of(), "Empty.")
          .list("queues", Json.TEXT, whole -> List.of(), "Empty.")
          .field("summary", SUMMARY, Whole::sample, "Since the broker was opened.")
          .type();

  private static final JsonType<TimeRange> SYSTEM =
      JsonObject.of(TimeRange.class)
          .field("timeRange", Spans.TYPE, range -> range, "What it is about.")
          .whole("bucketMinutes", range -> 1, "1.")
          .whole("pointCount", range -> 0, "0.")
          .whole("replicaCount", range -> 0, "0.")
          .list("replicas", Json.TEXT, range -> List.of(), "Empty.")
          .type();

  private static final JsonType<Long> POSTGRES = postgres();

  private final Sampler sampler;

  public AnalyticsRoutes(Sampler sampler) {
    this.sampler = sampler;
  }

  public List<Route> routes() {
    return Route.about(
        QueenStatusRoutes.TOPIC,
        Route.get("/api/v1/status/analytics")
            .summary("The number of messages that were stored, in the words of Queen")
            .query(INTERVAL, Spans.FROM, Spans.TO, QUEUE)
            .answers("of the last day, as far as it was seen", PUSHES, this::pushes),
        Route.get("/api/v1/analytics/queue-lag")
            .summary("The age of the oldest message of queues, in the words of Queen")
            .query(Spans.FROM, Spans.TO, QUEUE)
            .answers(BUSIEST, LAGS, call -> points(call, queues(call))),
        Route.get("/api/v1/analytics/queue-ops")
            .summary("What went through queues, in the words of Queen")
            .query(Spans.FROM, Spans.TO, QUEUE)
            .answers(BUSIEST, OPERATIONS, this::operations),
        Route.get("/api/v1/analytics/worker-metrics")
            .summary("The history of the broker, in the words of Queen")
            .forWholeBroker()
            .query(Spans.FROM, Spans.TO)
            .answers("as far as it was seen", WHOLE, this::whole),
        Route.get("/api/v1/analytics/system-metrics")
            .summary("Series of processor and memory use, in the shape of Queen's: none are kept")
            .forWholeBroker()
            .query(Spans.FROM, Spans.TO)
            .answers(
                "without any replica; /api/v1/status/now has the memory, /metrics has more",
                SYSTEM,
                call -> Spans.of(call, sampler.now())),
        Route.get("/api/v1/analytics/postgres-stats")
            .summary(
                "Statistics of PostgreSQL, in the shape of Queen's: there is no PostgreSQL here")
            .forWholeBroker()
            .answers("all of it empty", POSTGRES, call -> sampler.now().timeMs()));
  }

  private Pushes pushes(Call call) {
    TimeRange range = Spans.of(call, sampler.now());
    String interval = call.query().get(INTERVAL);
    long bucketMs = Objects.requireNonNull(INTERVALS.get(interval), "the word was checked");
    Map<Long, Double> buckets = new TreeMap<>();
    for (Series.Point point : series(call.query().find(QUEUE), range, STEPS_MAX).points()) {
      buckets.merge(
          point.timeMs() / bucketMs * bucketMs, point.count(Series.Field.PUSH), Double::sum);
    }
    return new Pushes(interval, range, buckets);
  }

  private Series series(@Nullable String queue, TimeRange range, int pointsMax) {
    return Series.orEmpty(sampler.series(queue, range, pointsMax), range);
  }

  /** The queues that are asked for, and have a series. */
  private List<String> queues(Call call) {
    String only = call.query().find(QUEUE);
    if (only != null) {
      return List.of(only);
    }
    Grant caller = Caller.currentGrant();
    return sampler.history().busiest().stream().filter(caller::covers).limit(QUEUES_MAX).toList();
  }

  private List<QueuePoint> points(Call call, List<String> queues) {
    TimeRange range = Spans.of(call, sampler.now());
    List<QueuePoint> points = new ArrayList<>();
    for (String queue : queues) {
      series(queue, range, POINTS_MAX)
          .points()
          .forEach(point -> points.add(new QueuePoint(queue, point)));
    }
    return points;
  }

  private Operations operations(Call call) {
    List<String> queues = queues(call);
    return new Operations(queues, points(call, queues));
  }

  private Whole whole(Call call) {
    Sample sample = sampler.now();
    TimeRange range = Spans.of(call, sample);
    return new Whole(sample, range, series(null, range, POINTS_MAX));
  }

  private static JsonType<Long> postgres() {
    JsonObject<Long> object =
        JsonObject.of(Long.class)
            .time("timestamp", now -> now, "Now, by the broker's clock.")
            .text("database", now -> "", "Empty.");
    for (String name : List.of("databaseCache", "cacheSummary", "bufferConfig")) {
      object.field(name, Json.map(Json.TEXT), now -> Map.of(), "Empty.");
    }
    for (String name :
        List.of(
            "tableCache",
            "indexCache",
            "deadTuples",
            "hotUpdates",
            "activeQueries",
            "autovacuumStatus",
            "bufferUsage",
            "tableSizes")) {
      object.list(name, Json.TEXT, now -> List.of(), "Empty.");
    }
    return object.type();
  }
}
