package io.holdfast.server.compat.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.Page;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.access.Caller;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.TimeRange;
import io.holdfast.server.status.Levels;
import io.holdfast.server.status.QueueRow;
import io.holdfast.server.status.Sample;
import io.holdfast.server.status.Sampler;
import io.holdfast.server.status.Series;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The state of the broker and of one queue in the words of Queen. What is not counted is null. */
public final class QueenStatusRoutes {
  static final String TOPIC = "Status";

  /** Most queues of an answer. */
  private static final int QUEUES_MAX = 1_000;

  /** Most points of a series. */
  private static final int POINTS_MAX = 1_440;

  private static final String NOT_COUNTED = "Always null: it is not counted.";

  private static final Field<String> QUEUE = Field.text("queue", "Only this queue.");
  private static final Field<String> NAMESPACE =
      Field.text("namespace", "Only queues of this namespace.");
  private static final Field<String> TASK = Field.text("task", "Only queues of this task.");

  /**
   * The state of some queues.
   *
   * @param leases live leases; -1 for callers who may not see all queues
   */
  private record Status(
      TimeRange range, Series series, List<QueueRow> rows, Levels levels, long leases) {
    Counts counts() {
      return levels.counts();
    }

    long sum(ToLongFunction<QueueRow> count) {
      return rows.stream().mapToLong(count).sum();
    }

    long acked() {
      return sum(row -> row.load().acked());
    }

    long nacked() {
      return sum(row -> row.load().nacked());
    }
  }

  private static final JsonType<Series.Point> THROUGHPUT =
      JsonObject.of(Series.Point.class)
          .time("timestamp", Series.Point::timeMs, "When it began.")
          .whole(
              "ingested",
              point -> Math.round(point.count(Series.Field.PUSH)),
              "The number of messages that were stored.")
          .whole(
              "processed",
              point -> Math.round(point.count(Series.Field.ACK)),
              "The number of messages that were done.")
          .number(
              "ingestedPerSecond", point -> point.average(Series.Field.PUSH), "The same a second.")
          .number("popPerSecond", point -> point.average(Series.Field.POP), "Deliveries a second.")
          .number(
              "processedPerSecond",
              point -> point.average(Series.Field.ACK),
              "Messages done a second.")
          .whole(
              "maxLagMs",
              point -> point.level(Series.Field.OLDEST_MS),
              "The age of the oldest message.")
          .type();

  private static final JsonType<QueueRow> ROW =
      JsonObject.of(QueueRow.class)
          .text("id", row -> Integer.toString(row.info().id()), "Its id.")
          .queue("name", QueueRow::name, "Its name.")
          .text("namespace", row -> row.text(QueueOption.NAMESPACE), "Its namespace, or empty.")
          .text("task", row -> row.text(QueueOption.TASK), "Its task, or empty.")
          .whole("partitions", row -> row.info().partitions(), "The number of its partitions.")
          .whole(
              "totalConsumed", row -> row.load().acked(), "Messages done since the broker opened.")
          .type();

  private static final JsonObject<Counts> COUNTS =
      JsonObject.of(Counts.class)
          .whole("total", counts -> counts.stored() + counts.delayed(), "All that are stored.")
          .whole("pending", counts -> counts.waiting() + counts.returned(), "Waiting.")
          .whole("processing", Counts::inFlight, "Leased.");

  private static final JsonType<Status> MESSAGES =
      JsonObject.of(Status.class)
          .include(COUNTS, Status::counts)
          .whole("completed", Status::acked, "Done since the broker was opened.")
          .whole("failed", Status::nacked, "Failed since the broker was opened.")
          .whole("deadLetter", status -> status.counts().dead(), "Dead letters.")
          .object(
              "requests",
              JsonObject.of(Status.class)
                  .nothing("push", NOT_COUNTED)
                  .nothing("pop", NOT_COUNTED)
                  .nothing("ack", NOT_COUNTED),
              "Not counted.")
          .field("batchEfficiency", Json.map(Json.TEXT), status -> Map.of(), "Empty.")
          .type();

  private static final JsonType<Status> STATUS =
      JsonObject.of(Status.class)
          .field("timeRange", Spans.TYPE, Status::range, "The times of throughput.")
          .number(
              "bucketMinutes",
              status -> status.series().stepMs() / 60_000.0,
              "The length of time of a point.")
          .whole("pointCount", status -> status.series().points().size(), "The number of points.")
          .list("throughput", THROUGHPUT, status -> status.series().points(), "The oldest first.")
          .list(
              "queues",
              ROW,
              status -> status.rows().stream().limit(QUEUES_MAX).toList(),
              "The first 1,000, by name.")
          .field("messages", MESSAGES, status -> status, "The numbers of messages.")
          .object(
              "leases",
              JsonObject.of(Status.class)
                  .wholeOrNull(
                      "active",
                      Status::leases,
                      "Live leases; null to callers who may not see all queues.")
                  .nothing("partitionsWithLeases", NOT_COUNTED)
                  .whole("totalBatchSize", status -> status.counts().inFlight(), "Leased messages.")
                  .whole("totalAcked", Status::acked, "Done since the broker was opened."),
              "What is leased.")
          .object(
              "deadLetterQueue",
              JsonObject.of(Status.class)
                  .whole("totalMessages", status -> status.counts().dead(), "Dead letters.")
                  .nothing("affectedPartitions", NOT_COUNTED)
                  .list("topErrors", Json.TEXT, status -> List.of(), "Empty."),
              "See also /api/v1/dlq/errors.")
          .list("workers", Json.TEXT, status -> List.of(), "Empty.")
          .object(
              "errors",
              JsonObject.of(Status.class)
                  .whole("dbErrors", status -> 0, "0: a write that fails stops the broker.")
                  .whole("ackFailed", Status::nacked, "Messages that failed.")
                  .whole(
                      "dlqMessages",
                      status -> status.sum(row -> row.load().dead()),
                      "Messages that became dead letters."),
              "Since the broker was opened.")
          .whole("statsAge", status -> 0, "0: every count is current.")
          .type();

  /**
   * A queue with a page of its partitions.
   *
   * @param row what was counted of it; null if it is too new
   */
  private record OneQueue(QueueInfo queue, @Nullable QueueRow row, Page<PartitionInfo> partitions) {
    Counts counts() {
      return queue.counts();
    }
  }

  private static final JsonType<QueueOptions> CONFIG =
      JsonObject.of(QueueOptions.class)
          .whole("leaseTime", options -> options.number(QueueOption.LEASE_TIME), "As configured.")
          .whole("retryLimit", options -> options.number(QueueOption.RETRY_LIMIT), "As configured.")
          .whole("retryDelay", options -> options.number(QueueOption.RETRY_DELAY), "As configured.")
          .whole("ttl", options -> options.number(QueueOption.TTL), "As configured.")
          .whole("maxQueueSize", options -> options.number(QueueOption.MAX_SIZE), "As configured.")
          .flag(
              "deadLetterQueue",
              options -> options.flag(QueueOption.DEAD_LETTER_QUEUE),
              "As configured.")
          .type();

  private static final JsonType<QueueInfo> QUEUE_INFO =
      JsonObject.of(QueueInfo.class)
          .text("id", queue -> Integer.toString(queue.id()), "Its id.")
          .queue("name", QueueInfo::name, "Its name.")
          .text(
              "namespace",
              queue -> queue.options().text(QueueOption.NAMESPACE),
              "Its namespace, or empty.")
          .text("task", queue -> queue.options().text(QueueOption.TASK), "Its task, or empty.")
          .whole("priority", queue -> queue.options().number(QueueOption.PRIORITY), "Its priority.")
          .time("createdAt", QueueInfo::createdMs, "When it was created.")
          .field("config", CONFIG, QueueInfo::options, "Its options.")
          .type();

  private static final JsonObject<OneQueue> TOTALS =
      JsonObject.of(OneQueue.class)
          .include(COUNTS, OneQueue::counts)
          .fieldOrNull(
              "completed",
              Json.WHOLE,
              one -> one.row() == null ? null : one.row().load().acked(),
              "Done since the broker was opened.")
          .fieldOrNull(
              "failed",
              Json.WHOLE,
              one -> one.row() == null ? null : one.row().load().nacked(),
              "Failed since the broker was opened.")
          .whole("deadLetter", one -> one.counts().dead(), "Dead letters.");

  private static final JsonType<Counts> PARTITION_COUNTS =
      JsonObject.of(Counts.class)
          .include(COUNTS, counts -> counts)
          .nothing("completed", NOT_COUNTED)
          .nothing("failed", NOT_COUNTED)
          .nothing("deadLetter", NOT_COUNTED)
          .type();

  private static final JsonType<PartitionInfo> PARTITION =
      JsonObject.of(PartitionInfo.class)
          .text("id", partition -> Long.toString(partition.id()), "Its id.")
          .text("name", PartitionInfo::name, "Its name.")
          .nothing("createdAt", "Always null: it is not kept.")
          .timeOrNull(
              "lastActivity", PartitionInfo::lastPushMs, "The last push; null if there was none.")
          .field("stats", PARTITION_COUNTS, PartitionInfo::counts, "The numbers of messages.")
          .field("messages", PARTITION_COUNTS, PartitionInfo::counts, "The same.")
          .object(
              "cursor",
              JsonObject.of(PartitionInfo.class)
                  .nothing("totalConsumed", NOT_COUNTED)
                  .nothing("batchesConsumed", NOT_COUNTED),
              "Not counted.")
          .nothing("oldestMessage", NOT_COUNTED)
          .timeOrNull(
              "newestMessage", PartitionInfo::lastPushMs, "The last push; null if there was none.")
          .type();

  private static final JsonType<OneQueue> ONE_QUEUE =
      JsonObject.of(OneQueue.class)
          .field("queue", QUEUE_INFO, OneQueue::queue, "The queue.")
          .field(
              "totals",
              JsonObject.of(OneQueue.class)
                  .include(TOTALS, one -> one)
                  .field("messages", TOTALS.type(), one -> one, "The same.")
                  .type(),
              one -> one,
              "The numbers of messages.")
          .list("partitions", PARTITION, one -> one.partitions().items(), "A page of them.")
          .textOrNull(
              "next",
              one -> one.partitions().next(),
              "The parameter after of the next page; null on the last.")
          .type();

  private static final JsonType<Sample> BUFFERS =
      JsonObject.of(Sample.class)
          .whole("pending", sample -> sample.stats().mailboxDepth(), "Commands that wait.")
          .whole("failed", sample -> 0, "0: a write that fails stops the broker.")
          .flag("dbHealthy", sample -> sample.refusal() == null, "Whether the broker takes work.")
          .whole("worker", sample -> 0, "0.")
          .type();

  private final Sampler sampler;

  public QueenStatusRoutes(Sampler sampler) {
    this.sampler = sampler;
  }

  public List<Route> routes() {
    return Route.about(
        TOPIC,
        Route.get("/api/v1/status")
            .summary("The state of the broker, in the words of Queen")
            .query(Spans.FROM, Spans.TO, QUEUE, NAMESPACE, TASK)
            .answers("of the queues that are asked for, and may be seen", STATUS, this::status),
        Route.get("/api/v1/status/queues/{queue}")
            .summary("The state of a queue, in the words of Queen")
            .query(Paging.AFTER, Paging.LIMIT)
            .answers("with a page of its partitions, by name", ONE_QUEUE, this::queue),
        Route.get("/api/v1/status/buffers")
            .summary("What waits to be written, in the words of Queen")
            .forWholeBroker()
            .answers("as it is now", BUFFERS, call -> sampler.now()));
  }

  private Status status(Call call) {
    Values query = call.query();
    String queue = query.find(QUEUE);
    Sample sample = sampler.now();
    NamePatterns visible = Caller.currentGrant().names();
    List<QueueRow> rows =
        sample.rows(visible).stream()
            .filter(row -> queue == null || queue.equals(row.name()))
            .filter(row -> row.isOf(query.find(NAMESPACE), query.find(TASK)))
            .toList();
    TimeRange range = Spans.of(call, sample);
    Series series = Series.orEmpty(sampler.series(queue, range, POINTS_MAX), range);
    return new Status(
        range, series, rows, Levels.of(rows), visible.isAll() ? sample.stats().leases() : -1);
  }

  private OneQueue queue(Call call) {
    String name = call.part("queue");
    Values query = call.query();
    return new OneQueue(
        call.ask(Broker::queue, name),
        sampler.now().byName().get(name),
        call.ask(
            Broker::partitions,
            new PartitionsRequest(
                name, query.find(Paging.AFTER), query.get(Paging.LIMIT).intValue())));
  }
}
