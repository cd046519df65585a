package io.holdfast.server.status;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.Stats;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Query;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.queen.Refusals;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The state of the broker and of one queue in the words of Queen. What is not counted is null. */
public final class QueenStatusRoutes {
  /** Most queues that one answer tells of. */
  private static final int QUEUES_MAX = 1_000;

  /** Most points of a series. */
  private static final int POINTS_MAX = 1_440;

  private static final Param QUEUE = Param.text("queue", "Only this queue.");
  private static final Param NAMESPACE = Param.text("namespace", "Only queues of this namespace.");
  private static final Param TASK = Param.text("task", "Only queues of this task.");
  private static final Param AFTER = Param.text("after", "The next of an earlier page.");
  private static final Param LIMIT =
      Param.number("limit", 100, 1, Limits.PAGE_MAX, "Most partitions of the page.");

  private final Broker broker;
  private final Sampler sampler;
  private final Supplier<Sight> sight;

  /**
   * @param sight what whoever asks may see, while a route acts
   */
  public QueenStatusRoutes(Broker broker, Sampler sampler, Supplier<Sight> sight) {
    this.broker = broker;
    this.sampler = sampler;
    this.sight = sight;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/status",
                Access.READ,
                LiveRoute.TOPIC,
                "The state of the broker, as Queen tells it",
                this::status)
            .query(Span.FROM, Span.TO, QUEUE, NAMESPACE, TASK)
            .answers(200, "of the queues that are asked for, and may be seen", STATUS),
        Route.get(
                "/api/v1/status/queues/{queue}",
                Access.READ,
                LiveRoute.TOPIC,
                "The state of a queue, as Queen tells it",
                this::queue)
            .query(AFTER, LIMIT)
            .answers(200, "with a page of its partitions, by name", ONE_QUEUE),
        Route.get(
                "/api/v1/status/buffers",
                Access.READ,
                LiveRoute.TOPIC,
                "What waits to be written, as Queen tells it",
                this::buffers)
            .forWholeBroker()
            .answers(
                200,
                "as it is now",
                Shape.fields(
                    Shape.required("pending", Shape.WHOLE, "Commands that wait."),
                    Shape.required(
                        "failed", Shape.WHOLE, "0: a write that fails stops the broker."),
                    Shape.required("dbHealthy", Shape.FLAG, "Whether the broker takes work."),
                    Shape.required("worker", Shape.WHOLE, "0."))));
  }

  private Answer status(Call call) {
    Query query = call.query();
    Sample sample = sampler.now();
    List<QueueRow> rows =
        sample.rows(sight.get()).stream()
            .filter(row -> is(row.name(), query.text(QUEUE)))
            .filter(row -> is(option(row, QueueOption.NAMESPACE), query.text(NAMESPACE)))
            .filter(row -> is(option(row, QueueOption.TASK), query.text(TASK)))
            .toList();
    Span span = Span.of(query, sample.timeMs());
    Series series = series(query.text(QUEUE), span);
    JsonOut out = span.write(new JsonOut(16 * 1024).beginObject());
    out.put("bucketMinutes", series.stepMs() / 60_000.0).put("pointCount", series.points().size());
    out.beginArray("throughput");
    series.points().forEach(point -> throughput(out, point));
    out.endArray().beginArray("queues");
    rows.stream().limit(QUEUES_MAX).forEach(row -> line(out, row));
    out.endArray();
    messages(out.beginObject("messages"), rows);
    boolean whole = sight.get().isAll();
    leases(out.endObject().beginObject("leases"), rows, whole ? sample.stats() : null);
    out.endObject()
        .beginObject("deadLetterQueue")
        .put("totalMessages", Levels.of(rows).dead())
        .putNull("affectedPartitions")
        .beginArray("topErrors")
        .endArray()
        .endObject()
        .beginArray("workers")
        .endArray()
        .beginObject("errors")
        .put("dbErrors", 0)
        .put("ackFailed", rows.stream().mapToLong(row -> row.load().nacked()).sum())
        .put("dlqMessages", rows.stream().mapToLong(row -> row.load().dead()).sum())
        .endObject();
    return Answer.ok(out.put("statsAge", 0).endObject());
  }

  private Series series(@Nullable String queue, Span span) {
    Series none = new Series(span.fromMs(), span.toMs(), History.QUEUE_STEP_MS, List.of());
    if (queue == null) {
      return sight.get().isAll()
          ? sampler.history().whole(span.fromMs(), span.toMs(), POINTS_MAX)
          : none;
    }
    if (!sight.get().covers(queue)) {
      throw Problem.forbidden("the token is not for the queue " + queue);
    }
    Series found = sampler.history().ofQueue(queue, span.fromMs(), span.toMs(), POINTS_MAX);
    return found == null ? none : found;
  }

  private static boolean is(String value, @Nullable String wanted) {
    return wanted == null || wanted.equals(value);
  }

  private static String option(QueueRow row, QueueOption option) {
    return row.info().options().text(option);
  }

  private static void throughput(JsonOut out, Series.Point point) {
    double push = QueueRowJson.rounded(point.value(Series.Field.PUSH));
    double pop = QueueRowJson.rounded(point.value(Series.Field.POP));
    double ack = QueueRowJson.rounded(point.value(Series.Field.ACK));
    out.beginObject()
        .putTime("timestamp", point.timeMs())
        .put("ingested", Math.round(point.count(Series.Field.PUSH)))
        .put("processed", Math.round(point.count(Series.Field.ACK)))
        .put("ingestedPerSecond", push)
        .put("popPerSecond", pop)
        .put("processedPerSecond", ack)
        .put("maxLagMs", (long) point.value(Series.Field.OLDEST_MS))
        .endObject();
  }

  private static void line(JsonOut out, QueueRow row) {
    out.beginObject()
        .put("id", Integer.toString(row.info().id()))
        .put("name", row.name())
        .put("namespace", option(row, QueueOption.NAMESPACE))
        .put("task", option(row, QueueOption.TASK))
        .put("partitions", row.info().partitions())
        .put("totalConsumed", row.load().acked())
        .endObject();
  }

  private static void messages(JsonOut out, List<QueueRow> rows) {
    Levels levels = Levels.of(rows);
    out.put("total", rows.stream().mapToLong(row -> row.counts().stored()).sum() + levels.delayed())
        .put("pending", levels.waiting() + levels.returned())
        .put("processing", levels.inFlight())
        .put("completed", rows.stream().mapToLong(row -> row.load().acked()).sum())
        .put("failed", rows.stream().mapToLong(row -> row.load().nacked()).sum())
        .put("deadLetter", levels.dead())
        .beginObject("requests")
        .putNull("push")
        .putNull("pop")
        .putNull("ack")
        .endObject()
        .beginObject("batchEfficiency")
        .endObject();
  }

  private static void leases(JsonOut out, List<QueueRow> rows, @Nullable Stats stats) {
    if (stats == null) {
      out.putNull("active");
    } else {
      out.put("active", stats.leases());
    }
    out.putNull("partitionsWithLeases")
        .put("totalBatchSize", Levels.of(rows).inFlight())
        .put("totalAcked", rows.stream().mapToLong(row -> row.load().acked()).sum());
  }

  private Answer queue(Call call) {
    String name = call.part("queue");
    QueueInfo queue = Refusals.orThrow(broker.queue(name));
    Page<PartitionInfo> page =
        Refusals.orThrow(
            broker.partitions(
                new PartitionsRequest(
                    name, call.query().text(AFTER), (int) call.query().number(LIMIT))));
    QueueRow row = sampler.now().byName().get(name);
    JsonOut out = new JsonOut(8 * 1024).beginObject().beginObject("queue");
    out.put("id", Integer.toString(queue.id()))
        .put("name", queue.name())
        .put("namespace", queue.options().text(QueueOption.NAMESPACE))
        .put("task", queue.options().text(QueueOption.TASK))
        .put("priority", queue.options().number(QueueOption.PRIORITY))
        .putTime("createdAt", queue.createdMs());
    config(out.beginObject("config"), queue.options());
    counts(out.endObject().endObject().beginObject("totals"), queue.counts(), row);
    counts(out.beginObject("messages"), queue.counts(), row);
    out.endObject().endObject().beginArray("partitions");
    page.items().forEach(partition -> partition(out, partition));
    return Answer.ok(out.endArray().put("next", page.next()).endObject());
  }

  private static void config(JsonOut out, QueueOptions options) {
    out.put("leaseTime", options.number(QueueOption.LEASE_TIME))
        .put("retryLimit", options.number(QueueOption.RETRY_LIMIT))
        .put("retryDelay", options.number(QueueOption.RETRY_DELAY))
        .put("ttl", options.number(QueueOption.TTL))
        .put("maxQueueSize", options.number(QueueOption.MAX_SIZE))
        .put("deadLetterQueue", options.flag(QueueOption.DEAD_LETTER_QUEUE));
  }

  private static void counts(JsonOut out, Counts counts, @Nullable QueueRow row) {
    out.put("total", counts.stored() + counts.delayed())
        .put("pending", counts.waiting() + counts.returned())
        .put("processing", counts.inFlight());
    if (row == null) {
      out.putNull("completed").putNull("failed");
    } else {
      out.put("completed", row.load().acked()).put("failed", row.load().nacked());
    }
    out.put("deadLetter", counts.dead());
  }

  private static void partition(JsonOut out, PartitionInfo partition) {
    out.beginObject()
        .put("id", Long.toString(partition.id()))
        .put("name", partition.name())
        .putNull("createdAt")
        .putTime("lastActivity", partition.lastPushMs());
    for (String name : List.of("stats", "messages")) {
      out.beginObject(name)
          .put("total", partition.counts().stored() + partition.counts().delayed())
          .put("pending", partition.counts().waiting() + partition.counts().returned())
          .put("processing", partition.counts().inFlight())
          .putNull("completed")
          .putNull("failed")
          .putNull("deadLetter")
          .endObject();
    }
    out.beginObject("cursor")
        .putNull("totalConsumed")
        .putNull("batchesConsumed")
        .endObject()
        .putNull("oldestMessage")
        .putTime("newestMessage", partition.lastPushMs())
        .endObject();
  }

  private Answer buffers(Call call) {
    Sample sample = sampler.now();
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put("pending", sample.stats().mailboxDepth())
            .put("failed", 0)
            .put("dbHealthy", sample.refusal() == null)
            .put("worker", 0)
            .endObject());
  }

  private static final Shape STATUS =
      Shape.fields(
          Shape.required("timeRange", Span.SHAPE, "What throughput is about."),
          Shape.required("bucketMinutes", Shape.NUMBER, "How much time a point stands for."),
          Shape.required("pointCount", Shape.WHOLE, "How many points."),
          Shape.required("throughput", Shape.array(Shape.OBJECT), "How it went, oldest first."),
          Shape.required("queues", Shape.array(Shape.OBJECT), "The first 1,000, by name."),
          Shape.required(
              "messages",
              Shape.OBJECT,
              "How many are where; completed and failed since" + " the broker was opened."),
          Shape.required("leases", Shape.OBJECT, "What is leased."),
          Shape.required("deadLetterQueue", Shape.OBJECT, "See also /api/v1/dlq/errors."),
          Shape.required("workers", Shape.array(Shape.OBJECT), "Empty."),
          Shape.required("errors", Shape.OBJECT, "Since the broker was opened."),
          Shape.required("statsAge", Shape.WHOLE, "0: every count is current."));

  private static final Shape ONE_QUEUE =
      Shape.fields(
          Shape.required("queue", Shape.OBJECT, "What it is."),
          Shape.required("totals", Shape.OBJECT, "How many messages are where."),
          Shape.required("partitions", Shape.array(Shape.OBJECT), "A page of them."),
          Shape.required("next", Shape.TEXT, "Where the next page begins, or null."));
}
