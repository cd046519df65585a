package io.holdfast.server.queen;

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
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Query;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Shows queues and partitions, and how much they hold. */
public final class ResourceRoutes {
  static final String TOPIC = "Queues";

  /** Partitions that one look for the fullest goes through. */
  static final int PARTITIONS_LOOKED_MAX = 100_000;

  private static final Param PREFIX =
      Param.text("prefix", "", "Only queues whose name begins with this.");
  private static final Param NAMESPACE = Param.text("namespace", "Only queues of this namespace.");
  private static final Param TASK = Param.text("task", "Only queues of this task.");
  private static final Param AFTER = Param.text("after", "The next of an earlier page.");
  private static final Param LIMIT =
      Param.number("limit", Limits.PAGE_MAX, 1, Limits.PAGE_MAX, "Most rows of the page.");
  private static final Param QUEUE = Param.text("queue", "Only partitions of this queue.");
  private static final Param TOP =
      Param.number("limit", 610, 1, Limits.PAGE_MAX, "Most partitions of the answer.");
  private static final Param GROUP =
      Param.text("group", "Whose depth; without it, by the slowest group.");

  private final Broker broker;

  public ResourceRoutes(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/v1/resources/queues", Access.READ, TOPIC, "List queues", this::queues)
            .query(PREFIX, NAMESPACE, TASK, AFTER, LIMIT)
            .answers(
                200,
                "a page of queues, by name",
                Shape.fields(
                    Shape.required("queues", Shape.array(QueueJson.QUEUE), "The queues."),
                    Shape.required("next", Shape.TEXT, "Where the next page begins, or null."))),
        Route.get(
                "/api/v1/resources/queues/{queue}",
                Access.READ,
                TOPIC,
                "Show a queue, its options and a page of its partitions",
                this::queue)
            .query(AFTER, LIMIT)
            .answers(200, "the queue", SHAPE),
        Route.get(
                "/api/v1/resources/queues/{queue}/depth",
                Access.READ,
                TOPIC,
                "Show how many messages a queue, or one group of it, has ahead",
                this::depth)
            .query(GROUP, AFTER, LIMIT)
            .answers(200, "the depth", DEPTH),
        Route.get(
                "/api/v1/resources/partitions",
                Access.READ,
                TOPIC,
                "List the partitions with most pending messages",
                this::fullest)
            .query(QUEUE, TOP)
            .answers(
                200,
                "the fullest first",
                Shape.fields(
                    Shape.required("partitions", Shape.array(FULLEST), "The partitions."),
                    Shape.required(
                        "complete",
                        Shape.FLAG,
                        "Whether all were looked at; only "
                            + PARTITIONS_LOOKED_MAX
                            + " are in one go."))));
  }

  private Answer queues(Call call) {
    Query query = call.query();
    Page<QueueInfo> page =
        Refusals.orThrow(
            broker.queues(
                new QueuesRequest(
                    query.textOrDefault(PREFIX),
                    query.text(NAMESPACE),
                    query.text(TASK),
                    query.text(AFTER),
                    (int) query.number(LIMIT))));
    JsonOut out = new JsonOut().beginObject().beginArray("queues");
    page.items().forEach(queue -> QueueJson.write(out, queue));
    return Answer.ok(out.endArray().put("next", page.next()).endObject());
  }

  private Answer queue(Call call) {
    String name = call.part("queue");
    Page<PartitionInfo> partitions = Refusals.orThrow(broker.partitions(page(call, name, null)));
    QueueInfo queue = Refusals.orThrow(broker.queue(name));
    JsonOut out = QueueJson.begin(new JsonOut(), queue);
    QueueJson.options(out, queue.options()).beginArray("partitions");
    partitions.items().forEach(partition -> QueueJson.write(out, partition));
    out.endArray().put("partitionCount", queue.partitions()).put("next", partitions.next());
    QueueJson.counts(out.beginObject("totals"), queue.counts(), true).endObject();
    return Answer.ok(out.endObject());
  }

  private static PartitionsRequest page(Call call, String queue, @Nullable String group) {
    Query query = call.query();
    return new PartitionsRequest(queue, group, query.text(AFTER), (int) query.number(LIMIT));
  }

  private Answer depth(Call call) {
    String name = call.part("queue");
    String group = call.query().text(GROUP);
    Page<PartitionInfo> page = Refusals.orThrow(broker.partitions(page(call, name, group)));
    long pending;
    long processing;
    if (group == null) {
      Counts counts = Refusals.orThrow(broker.queue(name)).counts();
      pending = QueueJson.pending(counts);
      processing = counts.inFlight();
    } else {
      GroupInfo found =
          Refusals.orThrow(broker.groups(new GroupsRequest(name, group))).items().stream()
              .findFirst()
              .orElseThrow(
                  () -> Problem.notFound("there is no group " + group + " of a queue " + name));
      pending = found.waiting() + found.returned();
      processing = found.inFlight();
    }
    JsonOut out = new JsonOut().beginObject().put("queue", name).put("group", group);
    out.put("pending", pending).put("processing", processing).put("conflation", false);
    out.put("effectivePending", pending).beginArray("partitions");
    for (PartitionInfo partition : page.items()) {
      out.beginObject()
          .put("partition", partition.name())
          .put("partitionId", PartitionIds.text(partition.id()))
          .put("pending", QueueJson.pending(partition.counts()))
          .put("processing", partition.counts().inFlight())
          .endObject();
    }
    return Answer.ok(out.endArray().put("next", page.next()).endObject());
  }

  private Answer fullest(Call call) {
    int most = (int) call.query().number(TOP);
    PriorityQueue<PartitionInfo> fullest = new PriorityQueue<>(BY_PENDING);
    List<String> queues = new ArrayList<>();
    String only = call.query().text(QUEUE);
    if (only == null) {
      new AllQueues(broker).visit(null, queue -> queues.add(queue.name()));
    } else {
      Refusals.orThrow(broker.queue(only));
      queues.add(only);
    }
    int left = PARTITIONS_LOOKED_MAX;
    for (String queue : queues) {
      left = look(queue, fullest, most, left);
    }
    List<PartitionInfo> found = new ArrayList<>(fullest);
    found.sort(BY_PENDING.reversed());
    JsonOut out = new JsonOut().beginObject().beginArray("partitions");
    for (PartitionInfo partition : found) {
      out.beginObject()
          .put("queue", partition.queue())
          .put("partition", partition.name())
          .put("partitionId", PartitionIds.text(partition.id()))
          .put("pending", QueueJson.pending(partition.counts()))
          .put("processing", partition.counts().inFlight())
          .putNull("lagSeconds")
          .endObject();
    }
    return Answer.ok(out.endArray().put("complete", left >= 0).endObject());
  }

  /** Looks at the partitions of a queue; answers how many more may be, below 0 if it stopped. */
  private int look(String queue, PriorityQueue<PartitionInfo> fullest, int most, int allowed) {
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

  private static final Comparator<PartitionInfo> BY_PENDING =
      Comparator.<PartitionInfo>comparingLong(partition -> QueueJson.pending(partition.counts()))
          .thenComparing(PartitionInfo::id, Comparator.reverseOrder());

  private static final Shape SHAPE =
      Shape.fields(
          Shape.required("id", Shape.TEXT, "Its number."),
          Shape.required("name", Shape.TEXT, "Its name."),
          Shape.required("namespace", Shape.TEXT, "Its namespace, or empty."),
          Shape.required("task", Shape.TEXT, "Its task, or empty."),
          Shape.required("createdAt", Shape.TIME, "When it was made."),
          Shape.required("paused", Shape.FLAG, "Whether deliveries are stopped."),
          Shape.required("groups", Shape.WHOLE, "How many groups it has."),
          Shape.required("options", Shape.OBJECT, "All its options."),
          Shape.required(
              "partitions", Shape.array(QueueJson.PARTITION), "A page of them, by name."),
          Shape.required("partitionCount", Shape.WHOLE, "How many there are."),
          Shape.required("next", Shape.TEXT, "Where the next page begins, or null."),
          Shape.required("totals", QueueJson.COUNTS, "How many messages are where."));

  private static final Shape DEPTH =
      Shape.fields(
          Shape.required("queue", Shape.QUEUE, "The queue."),
          Shape.required("group", Shape.TEXT, "The group, or null."),
          Shape.required("pending", Shape.WHOLE, "Waiting or come back."),
          Shape.required("processing", Shape.WHOLE, "Leased."),
          Shape.required("conflation", Shape.FLAG, "false: every message counts."),
          Shape.required("effectivePending", Shape.WHOLE, "The same as pending."),
          Shape.required(
              "partitions",
              Shape.array(
                  Shape.fields(
                      Shape.required("partition", Shape.TEXT, "The partition."),
                      Shape.required("partitionId", Shape.TEXT, "The same, as acks name it."),
                      Shape.required("pending", Shape.WHOLE, "Waiting or come back."),
                      Shape.required("processing", Shape.WHOLE, "Leased."))),
              "A page of its partitions, by name."),
          Shape.required("next", Shape.TEXT, "Where the next page begins, or null."));

  private static final Shape FULLEST =
      Shape.fields(
          Shape.required("queue", Shape.QUEUE, "Its queue."),
          Shape.required("partition", Shape.TEXT, "Its name."),
          Shape.required("partitionId", Shape.TEXT, "The same, as acks name it."),
          Shape.required("pending", Shape.WHOLE, "Waiting or come back."),
          Shape.required("processing", Shape.WHOLE, "Leased."),
          Shape.required("lagSeconds", Shape.NUMBER, "null: it is known by group only."));
}
