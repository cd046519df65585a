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
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
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
    return List.of(
        Route.get(
                "/api/v1/resources/queues",
                Access.READ,
                TOPIC,
                "List queues",
                ResourceRoutes::queues)
            .query(PREFIX, NAMESPACE, TASK, Paging.AFTER, LIMIT)
            .answers(200, "a page of queues, by name", QUEUES),
        Route.get(
                "/api/v1/resources/queues/{queue}",
                Access.READ,
                TOPIC,
                "Show a queue, its options and a page of its partitions",
                ResourceRoutes::queue)
            .query(Paging.AFTER, LIMIT)
            .answers(200, "the queue", QUEUE_PAGE),
        Route.get(
                "/api/v1/resources/queues/{queue}/depth",
                Access.READ,
                TOPIC,
                "Show how many messages a queue, or one group of it, has ahead",
                ResourceRoutes::depth)
            .query(GROUP, Paging.AFTER, LIMIT)
            .answers(200, "the depth", DEPTH),
        Route.get(
                "/api/v1/resources/partitions",
                Access.READ,
                TOPIC,
                "List the partitions with most pending messages",
                ResourceRoutes::fullest)
            .query(QUEUE, TOP)
            .answers(200, "the fullest first", FULLEST));
  }

  private static Answer queues(Call call) {
    Values query = call.query();
    return Answer.ok(
        QUEUES,
        Refusals.orThrow(
            call.broker()
                .queues(
                    new QueuesRequest(
                        query.get(PREFIX),
                        query.find(NAMESPACE),
                        query.find(TASK),
                        query.find(Paging.AFTER),
                        query.get(LIMIT).intValue()))));
  }

  private static Page<PartitionInfo> partitions(Call call, @Nullable String group) {
    Values query = call.query();
    return Refusals.orThrow(
        call.broker()
            .partitions(
                new PartitionsRequest(
                    call.part("queue"),
                    group,
                    query.find(Paging.AFTER),
                    query.get(LIMIT).intValue())));
  }

  private static Answer queue(Call call) {
    Page<PartitionInfo> partitions = partitions(call, null);
    QueueInfo queue = Refusals.orThrow(call.broker().queue(call.part("queue")));
    return Answer.ok(QUEUE_PAGE, new QueuePage(queue, partitions));
  }

  private static Answer depth(Call call) {
    String queue = call.part("queue");
    String group = call.query().find(GROUP);
    Page<PartitionInfo> page = partitions(call, group);
    if (group == null) {
      Counts counts = Refusals.orThrow(call.broker().queue(queue)).counts();
      return Answer.ok(
          DEPTH, new Depth(queue, null, QueueJson.pending(counts), counts.inFlight(), page));
    }
    GroupInfo found =
        Refusals.orThrow(call.broker().groups(new GroupsRequest(queue, group))).items().stream()
            .findFirst()
            .orElseThrow(
                () -> Problem.notFound("there is no group " + group + " of a queue " + queue));
    return Answer.ok(
        DEPTH, new Depth(queue, group, found.waiting() + found.returned(), found.inFlight(), page));
  }

  private static Answer fullest(Call call) {
    Broker broker = call.broker();
    int most = call.query().get(TOP).intValue();
    PriorityQueue<PartitionInfo> fullest = new PriorityQueue<>(BY_PENDING);
    List<String> queues = new ArrayList<>();
    String only = call.query().find(QUEUE);
    if (only == null) {
      new AllQueues(broker).visit(null, queue -> queues.add(queue.name()));
    } else {
      Refusals.orThrow(broker.queue(only));
      queues.add(only);
    }
    int left = PARTITIONS_LOOKED_MAX;
    for (String queue : queues) {
      left = look(broker, queue, fullest, most, left);
    }
    List<PartitionInfo> found = new ArrayList<>(fullest);
    found.sort(BY_PENDING.reversed());
    return Answer.ok(FULLEST, new Fullest(found, left >= 0));
  }

  /**
   * Compares the partitions of a queue.
   *
   * @return how many more may be compared; below 0 if some were left out
   */
  private static int look(
      Broker broker, String queue, PriorityQueue<PartitionInfo> fullest, int most, int allowed) {
    int left = allowed;
    String after = null;
    do {
      if (left <= 0) {
        return -1;
      }
      // A queue that was deleted meanwhile has none.
      var answer = broker.partitions(new PartitionsRequest(queue, after, Limits.PAGE_MAX));
      if (!answer.isOk()) {
        return left;
      }
      Page<PartitionInfo> page = answer.orThrow();
      for (PartitionInfo partition : page.items()) {
        fullest.add(partition);
        if (fullest.size() > most) {
          fullest.poll();
        }
      }
      left -= page.items().size();
      after = page.next();
    } while (after != null);
    return left;
  }
}
