package io.holdfast.server.status;

import io.holdfast.api.Stats;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How the last day went in the words of Queen, as far as it means something here. */
public final class AnalyticsRoutes {
  /** Most points of one series. */
  private static final int POINTS_MAX = 288;

  /** As many steps as a day has. */
  private static final int STEPS_MAX = 10_000;

  /** Most queues that one answer tells the series of. */
  private static final int QUEUES_MAX = 50;

  private static final Map<String, Long> INTERVALS =
      Map.of("minute", 60_000L, "hour", 3_600_000L, "day", 86_400_000L);

  private static final Param QUEUE = Param.text("queue", "Only this queue.");
  private static final Param INTERVAL =
      Param.word("interval", "hour", "How much time a point stands for.", "minute", "hour", "day");

  private final Sampler sampler;
  private final Supplier<Sight> sight;

  /**
   * @param sight what whoever asks may see, while a route acts
   */
  public AnalyticsRoutes(Sampler sampler, Supplier<Sight> sight) {
    this.sampler = sampler;
    this.sight = sight;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/status/analytics",
                Access.READ,
                LiveRoute.TOPIC,
                "How many messages were stored, as Queen tells it",
                this::analytics)
            .query(INTERVAL, Span.FROM, Span.TO, QUEUE)
            .answers(
                200,
                "of the last day, as far as it was seen",
                Shape.fields(
                    Shape.required("interval", Shape.TEXT, "As asked."),
                    Shape.required("from", Shape.TIME, "From then on."),
                    Shape.required("to", Shape.TIME, "Up to then."),
                    Shape.required(
                        "dataPoints",
                        Shape.array(
                            Shape.fields(
                                Shape.required("timestamp", Shape.TIME, "When it began."),
                                Shape.required("messages", Shape.WHOLE, "Messages stored."))),
                        "The oldest first."))),
        Route.get(
                "/api/v1/analytics/queue-lag",
                Access.READ,
                LiveRoute.TOPIC,
                "How old the oldest message of queues was, as Queen tells it",
                this::lag)
            .query(Span.FROM, Span.TO, QUEUE)
            .answers(
                200,
                "of the busiest " + QUEUES_MAX + " queues, or of the one that is asked for",
                Shape.array(
                    Shape.fields(
                        Shape.required("bucketTime", Shape.TIME, "When it began."),
                        Shape.required("queueName", Shape.QUEUE, "The queue."),
                        Shape.required("popCount", Shape.WHOLE, "Deliveries."),
                        Shape.required("avgLagMs", Shape.WHOLE, "null: it is not counted."),
                        Shape.required("maxLagMs", Shape.WHOLE, "The oldest there was.")))),
        Route.get(
                "/api/v1/analytics/queue-ops",
                Access.READ,
                LiveRoute.TOPIC,
                "What went through queues, as Queen tells it",
                this::operations)
            .query(Span.FROM, Span.TO, QUEUE)
            .answers(
                200,
                "of the busiest " + QUEUES_MAX + " queues, or of the one that is asked for",
                Shape.fields(
                    Shape.required("queues", Shape.array(Shape.TEXT), "Their names."),
                    Shape.required("series", Shape.array(Shape.OBJECT), "By queue and time."))),
        Route.get(
                "/api/v1/analytics/worker-metrics",
                Access.READ,
                LiveRoute.TOPIC,
                "How the broker went, as Queen tells it",
                this::whole)
            .forWholeBroker()
            .query(Span.FROM, Span.TO)
            .answers(
                200,
                "as far as it was seen",
                Shape.fields(
                    Shape.required("timeRange", Span.SHAPE, "What it is about."),
                    Shape.required("bucketMinutes", Shape.NUMBER, "How much a point stands for."),
                    Shape.required("pointCount", Shape.WHOLE, "How many points."),
                    Shape.required("timeSeries", Shape.array(Shape.OBJECT), "The oldest first."),
                    Shape.required("workers", Shape.array(Shape.OBJECT), "Empty."),
                    Shape.required("queues", Shape.array(Shape.OBJECT), "Empty."),
                    Shape.required(
                        "summary",
                        Shape.OBJECT,
                        "Since the broker was opened; null: not counted."))));
  }

  private Answer analytics(Call call) {
    Sample sample = sampler.now();
    Span span = Span.of(call.query(), sample.timeMs());
    String interval = Objects.requireNonNullElse(call.query().word(INTERVAL), "hour");
    long bucketMs = Objects.requireNonNull(INTERVALS.get(interval), "the word was checked");
    String queue = call.query().text(QUEUE);
    Map<Long, Double> buckets = new TreeMap<>();
    Series series =
        queue == null
            ? sight.get().isAll() ? whole(span, STEPS_MAX) : null
            : ofQueue(queue, span, STEPS_MAX);
    if (series != null) {
      for (Series.Point point : series.points()) {
        buckets.merge(
            point.timeMs() / bucketMs * bucketMs, point.count(Series.Field.PUSH), Double::sum);
      }
    }
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("interval", interval)
            .putTime("from", span.fromMs())
            .putTime("to", span.toMs())
            .beginArray("dataPoints");
    buckets.forEach(
        (time, stored) ->
            out.beginObject()
                .putTime("timestamp", time)
                .put("messages", Math.round(stored))
                .endObject());
    return Answer.ok(out.endArray().endObject());
  }

  private Series whole(Span span, int points) {
    return sampler.history().whole(span.fromMs(), span.toMs(), points);
  }

  private @Nullable Series ofQueue(String queue, Span span, int points) {
    if (!sight.get().covers(queue)) {
      throw Problem.forbidden("the token is not for the queue " + queue);
    }
    return sampler.history().ofQueue(queue, span.fromMs(), span.toMs(), points);
  }

  /** The queues that are asked for, and have a series. */
  private List<String> queues(Call call) {
    String only = call.query().text(QUEUE);
    if (only != null) {
      return List.of(only);
    }
    Sight seen = sight.get();
    return sampler.history().busiest().stream().filter(seen::covers).limit(QUEUES_MAX).toList();
  }

  private Answer lag(Call call) {
    Span span = Span.of(call.query(), sampler.now().timeMs());
    JsonOut out = new JsonOut(64 * 1024).beginArray();
    for (String queue : queues(call)) {
      Series series = ofQueue(queue, span, POINTS_MAX);
      for (Series.Point point : points(series)) {
        out.beginObject()
            .putTime("bucketTime", point.timeMs())
            .put("queueName", queue)
            .put("popCount", Math.round(point.count(Series.Field.POP)))
            .putNull("avgLagMs")
            .put("maxLagMs", (long) point.value(Series.Field.OLDEST_MS))
            .endObject();
      }
    }
    return Answer.ok(out.endArray());
  }

  private static List<Series.Point> points(@Nullable Series series) {
    return series == null ? List.of() : series.points();
  }

  private Answer operations(Call call) {
    Span span = Span.of(call.query(), sampler.now().timeMs());
    List<String> queues = queues(call);
    JsonOut out = new JsonOut(64 * 1024).beginObject().beginArray("queues");
    queues.forEach(out::add);
    out.endArray().beginArray("series");
    for (String queue : queues) {
      Series series = ofQueue(queue, span, POINTS_MAX);
      for (Series.Point point : points(series)) {
        flow(out.beginObject().putTime("bucket", point.timeMs()).put("queueName", queue), point)
            .put("pushMessages", Math.round(point.count(Series.Field.PUSH)))
            .put("popMessages", Math.round(point.count(Series.Field.POP)))
            .put("ackSuccess", Math.round(point.count(Series.Field.ACK)))
            .put("ackFailed", Math.round(point.count(Series.Field.NACK)))
            .endObject();
      }
    }
    return Answer.ok(out.endArray().endObject());
  }

  private static JsonOut flow(JsonOut out, Series.Point point) {
    return out.put("pushPerSecond", QueueRowJson.rounded(point.value(Series.Field.PUSH)))
        .put("popPerSecond", QueueRowJson.rounded(point.value(Series.Field.POP)))
        .put("ackPerSecond", QueueRowJson.rounded(point.value(Series.Field.ACK)))
        .put("maxLagMs", (long) point.value(Series.Field.OLDEST_MS));
  }

  private Answer whole(Call call) {
    Sample sample = sampler.now();
    Span span = Span.of(call.query(), sample.timeMs());
    Series series = whole(span, POINTS_MAX);
    JsonOut out = span.write(new JsonOut(64 * 1024).beginObject());
    out.put("bucketMinutes", series.stepMs() / 60_000.0)
        .put("pointCount", series.points().size())
        .beginArray("timeSeries");
    for (Series.Point point : series.points()) {
      flow(out.beginObject().putTime("timestamp", point.timeMs()), point)
          .put("pendingMessages", (long) point.value(Series.Field.WAITING))
          .endObject();
    }
    Stats.Totals totals = sample.stats().totals();
    out.endArray()
        .beginArray("workers")
        .endArray()
        .beginArray("queues")
        .endArray()
        .beginObject("summary")
        .putNull("totalPushRequests")
        .put("totalPushMessages", totals.pushed())
        .putNull("totalPopRequests")
        .put("totalPopMessages", totals.delivered())
        .putNull("totalAckRequests")
        .put("totalAckMessages", totals.acked())
        .put("totalAckFailed", totals.nacked())
        .put("totalDbErrors", 0)
        .put("totalDlq", totals.dead())
        .put("pendingMessages", sample.levels().waiting())
        .endObject();
    return Answer.ok(out.endObject());
  }
}
