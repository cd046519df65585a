package io.holdfast.server.compat.queen;

import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Route;
import io.holdfast.server.status.Sample;
import io.holdfast.server.status.Sampler;
import io.holdfast.server.status.Series;
import io.holdfast.server.status.VisibleQueues;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
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
          .whole("pendingMessages", sample -> sample.levels().waiting(), "Waiting now.")
          .type();

  private static final JsonType<Whole> WHOLE =
      JsonObject.of(Whole.class)
          .field("timeRange", TimeRange.TYPE, Whole::range, "The times of the series.")
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
          .field("timeRange", TimeRange.TYPE, range -> range, "What it is about.")
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
    return List.of(
        get(
                "/api/v1/status/analytics",
                "The number of messages that were stored, in the words of Queen",
                this::analytics)
            .query(INTERVAL, TimeRange.FROM, TimeRange.TO, QUEUE)
            .answers(200, "of the last day, as far as it was seen", PUSHES),
        get(
                "/api/v1/analytics/queue-lag",
                "The age of the oldest message of queues, in the words of Queen",
                this::lag)
            .query(TimeRange.FROM, TimeRange.TO, QUEUE)
            .answers(200, BUSIEST, LAGS),
        get(
                "/api/v1/analytics/queue-ops",
                "What went through queues, in the words of Queen",
                this::operations)
            .query(TimeRange.FROM, TimeRange.TO, QUEUE)
            .answers(200, BUSIEST, OPERATIONS),
        get(
                "/api/v1/analytics/worker-metrics",
                "The history of the broker, in the words of Queen",
                this::whole)
            .forWholeBroker()
            .query(TimeRange.FROM, TimeRange.TO)
            .answers(200, "as far as it was seen", WHOLE),
        get(
                "/api/v1/analytics/system-metrics",
                "Series of processor and memory use, in the shape of Queen's: none are kept",
                this::system)
            .forWholeBroker()
            .query(TimeRange.FROM, TimeRange.TO)
            .answers(
                200,
                "without any replica; /api/v1/status/now has the memory, /metrics has more",
                SYSTEM),
        get(
                "/api/v1/analytics/postgres-stats",
                "Statistics of PostgreSQL, in the shape of Queen's: there is no PostgreSQL here",
                call -> Answer.ok(POSTGRES, sampler.now().timeMs()))
            .forWholeBroker()
            .answers(200, "all of it empty", POSTGRES));
  }

  private static Route get(String path, String summary, Route.Action action) {
    return Route.get(path, Access.READ, QueenStatusRoutes.TOPIC, summary, action);
  }

  private Answer analytics(Call call) {
    TimeRange range = TimeRange.of(call.query(), sampler.now().timeMs());
    String interval = call.query().get(INTERVAL);
    long bucketMs = Objects.requireNonNull(INTERVALS.get(interval), "the word was checked");
    String queue = call.query().find(QUEUE);
    Map<Long, Double> buckets = new TreeMap<>();
    for (Series.Point point : queue == null ? ofAll(range) : ofQueue(queue, range, STEPS_MAX)) {
      buckets.merge(
          point.timeMs() / bucketMs * bucketMs, point.count(Series.Field.PUSH), Double::sum);
    }
    return Answer.ok(PUSHES, new Pushes(interval, range, buckets));
  }

  private List<Series.Point> ofAll(TimeRange range) {
    return VisibleQueues.ofCaller().isAll() ? whole(range, STEPS_MAX).points() : List.of();
  }

  private Series whole(TimeRange range, int points) {
    return sampler.history().whole(range.fromMs(), range.toMs(), points);
  }

  private List<Series.Point> ofQueue(String queue, TimeRange range, int points) {
    VisibleQueues.ofCaller().check(queue);
    @Nullable Series found = sampler.history().ofQueue(queue, range.fromMs(), range.toMs(), points);
    return found == null ? List.of() : found.points();
  }

  /** The queues that are asked for, and have a series. */
  private List<String> queues(Call call) {
    String only = call.query().find(QUEUE);
    if (only != null) {
      return List.of(only);
    }
    VisibleQueues visible = VisibleQueues.ofCaller();
    return sampler.history().busiest().stream().filter(visible::covers).limit(QUEUES_MAX).toList();
  }

  private List<QueuePoint> points(Call call, List<String> queues) {
    TimeRange range = TimeRange.of(call.query(), sampler.now().timeMs());
    return queues.stream().flatMap(queue -> points(queue, range)).toList();
  }

  private Stream<QueuePoint> points(String queue, TimeRange range) {
    return ofQueue(queue, range, POINTS_MAX).stream().map(point -> new QueuePoint(queue, point));
  }

  private Answer lag(Call call) {
    return Answer.ok(LAGS, points(call, queues(call)));
  }

  private Answer operations(Call call) {
    List<String> queues = queues(call);
    return Answer.ok(OPERATIONS, new Operations(queues, points(call, queues)));
  }

  private Answer whole(Call call) {
    Sample sample = sampler.now();
    TimeRange range = TimeRange.of(call.query(), sample.timeMs());
    return Answer.ok(WHOLE, new Whole(sample, range, whole(range, POINTS_MAX)));
  }

  private Answer system(Call call) {
    return Answer.ok(SYSTEM, TimeRange.of(call.query(), sampler.now().timeMs()));
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
