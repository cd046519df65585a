package io.holdfast.server.queues;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.QueueJson;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Pages;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shows queues and partitions, and how much they hold. */
public final class ResourceRoutes {
  static final String TOPIC = "Queues";
  private static final String NEXT = "The parameter after of the next page; null on the last.";

  /** Partitions that one look for the fullest goes through. */
  static final int PARTITIONS_LOOKED_MAX = 100_000;

  private static final Field<String> PREFIX =
      Field.text("prefix", "", "Only queues whose name begins with this.");
  private static final Field<String> NAMESPACE =
      Field.text("namespace", "Only queues of this namespace.");
  private static final Field<String> TASK = Field.text("task", "Only queues of this task.");
  private static final Field<Long> LIMIT =
      Field.number("limit", Limits.PAGE_MAX, 1, Limits.PAGE_MAX, "Most rows of the page.");
  private static final Field<String> QUEUE = Field.text("queue", "Only partitions of this queue.");
  private static final Field<Long> TOP =
      Field.number("limit", 610, 1, Limits.PAGE_MAX, "Most partitions of the answer.");
  private static final Field<String> GROUP =
      Field.text("group", "Whose depth; without it, by the slowest group.");

  /** A queue and a page of its partitions. */
  private record QueuePage(QueueInfo queue, Page<PartitionInfo> partitions) {}

  private static final JsonType<QueuePage> QUEUE_PAGE =
      JsonObject.of(QueuePage.class)
          .include(QueueJson.HEAD, QueuePage::queue)
          .field("options", OptionFields.VALUES, page -> page.queue().options(), "All its options.")
          .list(
              "partitions",
              QueueJson.PARTITION,
              page -> page.partitions().items(),
              "A page of its partitions, by name.")
          .whole("partitionCount", page -> page.queue().partitions(), "Number of partitions.")
          .textOrNull("next", page -> page.partitions().next(), NEXT)
          .field("totals", QueueJson.COUNTS, page -> page.queue().counts(), "Messages by state.")
          .type();

  /** Messages ahead of a group, or of the slowest one. */
  private record Depth(
      String queue,
      @Nullable String group,
      long pending,
      long processing,
      Page<PartitionInfo> partitions) {}

  private static final JsonType<Depth> DEPTH =
      JsonObject.of(Depth.class)
          .queue("queue", Depth::queue, "The queue.")
          .textOrNull("group", Depth::group, "The group, or null.")
          .whole("pending", Depth::pending, "Waiting or returned.")
          .whole("processing", Depth::processing, "Leased.")
          .flag("conflation", depth -> false, "false: every message counts.")
          .whole("effectivePending", Depth::pending, "The same as pending.")
          .list(
              "partitions",
              QueueJson.DEPTH.type(),
              depth -> depth.partitions().items(),
              "A page of its partitions, by name.")
          .textOrNull("next", depth -> depth.partitions().next(), NEXT)
          .type();

  private static final JsonType<PartitionInfo> PARTITION_DEPTH =
      JsonObject.of(PartitionInfo.class)
          .queue("queue", PartitionInfo::queue, "Its queue.")
          .include(QueueJson.DEPTH, partition -> partition)
          .nothing("lagSeconds", "null: it is known by group only.")
          .type();

  /** The partitions with most pending messages. */
  private record Fullest(List<PartitionInfo> partitions, boolean complete) {}

  private static final JsonType<Fullest> FULLEST =
      JsonObject.of(Fullest.class)
          .list("partitions", PARTITION_DEPTH, Fullest::partitions, "The partitions.")
          .flag(
              "complete",
              Fullest::complete,
              "Whether all partitions were compared; at most "
                  + PARTITIONS_LOOKED_MAX
                  + " are in one call.")
          .type();

  private static final JsonType<Page<QueueInfo>> QUEUES =
      Json.page("queues", QueueJson.QUEUE, "The queues.");

  private static final Comparator<PartitionInfo> BY_PENDING =
      Comparator.<PartitionInfo>comparingLong(partition -> QueueJson.pending(partition.counts()))
          .thenComparing(PartitionInfo::id, Comparator.reverseOrder());

  private ResourceRoutes() {}

  public static List<Route> routes() {
    return Route.about(
        TOPIC,
        Route.get("/api/v1/resources/queues")
            .summary("List queues")
            .query(PREFIX, NAMESPACE, TASK, Paging.AFTER, LIMIT)
            .answers("a page of queues, by name", QUEUES, ResourceRoutes::queues),
        Route.get("/api/v1/resources/queues/{queue}")
            .summary("Show a queue, its options and a page of its partitions")
            .query(Paging.AFTER, LIMIT)
            .answers("the queue", QUEUE_PAGE, ResourceRoutes::queue),
        Route.get("/api/v1/resources/queues/{queue}/depth")
            .summary("Show how many messages a queue, or one group of it, has ahead")
            .query(GROUP, Paging.AFTER, LIMIT)
            .answers("the depth", DEPTH, ResourceRoutes::depth),
        Route.get("/api/v1/resources/partitions")
            .summary("List the partitions with most pending messages")
            .query(QUEUE, TOP)
            .answers("the fullest first", FULLEST, ResourceRoutes::fullest));
  }

  private static Page<QueueInfo> queues(Call call) {
    Values query = call.query();
    return call.ask(
        Broker::queues,
        new QueuesRequest(
            query.get(PREFIX),
            query.find(NAMESPACE),
            query.find(TASK),
            query.find(Paging.AFTER),
            query.get(LIMIT).intValue()));
  }

  private static Page<PartitionInfo> partitions(Call call, @Nullable String group) {
    String after = call.query().find(Paging.AFTER);
    int limit = call.query().get(LIMIT).intValue();
    return call.ask(
        Broker::partitions, new PartitionsRequest(call.part("queue"), group, after, limit));
  }

  private static QueuePage queue(Call call) {
    Page<PartitionInfo> partitions = partitions(call, null);
    return new QueuePage(call.ask(Broker::queue, call.part("queue")), partitions);
  }

  private static Depth depth(Call call) {
    String queue = call.part("queue");
    String group = call.query().find(GROUP);
    Page<PartitionInfo> page = partitions(call, group);
    if (group == null) {
      Counts counts = call.ask(Broker::queue, queue).counts();
      return new Depth(queue, null, QueueJson.pending(counts), counts.inFlight(), page);
    }
    GroupInfo found =
        call.ask(Broker::groups, new GroupsRequest(queue, group)).items().stream()
            .findFirst()
            .orElseThrow(
                () -> Problem.notFound("there is no group " + group + " of a queue " + queue));
    return new Depth(queue, group, found.waiting() + found.returned(), found.inFlight(), page);
  }

  private static Fullest fullest(Call call) {
    int most = call.query().get(TOP).intValue();
    String only = call.query().find(QUEUE);
    Stream<String> queues =
        only == null
            ? Pages.queues(call.broker()).map(QueueInfo::name)
            : Stream.of(call.ask(Broker::queue, only).name());
    PriorityQueue<PartitionInfo> fullest = new PriorityQueue<>(BY_PENDING);
    AtomicInteger looked = new AtomicInteger();
    queues
        .flatMap(queue -> partitions(call.broker(), queue))
        .limit(PARTITIONS_LOOKED_MAX + 1L)
        .forEach(
            partition -> {
              looked.incrementAndGet();
              fullest.add(partition);
              if (fullest.size() > most) {
                fullest.poll();
              }
            });
    return new Fullest(
        fullest.stream().sorted(BY_PENDING.reversed()).toList(),
        looked.get() <= PARTITIONS_LOOKED_MAX);
  }

  /** The partitions of a queue; none if it was deleted meanwhile. */
  private static Stream<PartitionInfo> partitions(Broker broker, String queue) {
    return Pages.stream(
        after ->
            Pages.orEmpty(broker.partitions(new PartitionsRequest(queue, after, Limits.PAGE_MAX))));
  }
}
