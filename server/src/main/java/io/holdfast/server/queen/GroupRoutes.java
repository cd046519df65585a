package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.api.queue.QueueInfo;
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
import java.util.List;
import java.util.function.LongSupplier;

/** Shows consumer groups and how far they are behind, and forgets them. */
public final class GroupRoutes {
  static final String TOPIC = "Consumer groups";

  private static final int LAGGING_MAX = 10_000;

  /** Most partitions of one answer, of all queues of a group. */
  static final int SHOWN_MAX = 10_000;

  private static final Param QUEUE = Param.text("queue", "Only groups of this queue.");
  private static final Param GROUP = Param.text("group", "Only groups of this name.");
  private static final Param AFTER = Param.text("after", "The next of an earlier page.");
  private static final Param LIMIT =
      Param.number("limit", Limits.PAGE_MAX, 1, Limits.PAGE_MAX, "Most groups of the answer.");
  private static final Param MIN_LAG =
      Param.number(
          "minLagSeconds", 3600, 0, Limits.DURATION_MS_MAX / 1000, "Only groups so far behind.");
  private static final Param DELETE_METADATA =
      new Param(
          "deleteMetadata",
          Param.Kind.FLAG,
          0,
          0,
          true,
          List.of(),
          "Only true: where a group began is forgotten with it.");

  private final Broker broker;
  private final LongSupplier nowMs;

  public GroupRoutes(Broker broker, LongSupplier nowMs) {
    this.broker = broker;
    this.nowMs = nowMs;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/consumer-groups",
                Access.READ,
                TOPIC,
                "List groups, each once for each of its queues",
                this::list)
            .query(QUEUE, GROUP, AFTER, LIMIT)
            .answers(
                200,
                "a page, by queue",
                Shape.fields(
                    Shape.required("groups", Shape.array(GroupJson.SHAPE), "The groups."),
                    Shape.required("next", Shape.TEXT, "Where the next page begins, or null."))),
        Route.get(
                "/api/v1/consumer-groups/lagging",
                Access.READ,
                TOPIC,
                "List the groups whose oldest message has waited long",
                this::lagging)
            .query(MIN_LAG)
            .answers(
                200,
                "one element for each group and queue, at most " + LAGGING_MAX,
                Shape.array(LAGGING)),
        Route.get(
                "/api/v1/consumer-groups/{group}",
                Access.READ,
                TOPIC,
                "Show a group, by queue and partition",
                this::show)
            .answers(
                200,
                "an object by queue, of the first "
                    + Limits.PAGE_MAX
                    + " queues and "
                    + SHOWN_MAX
                    + " partitions, 1000 of each queue: morePartitions says where some are left"
                    + " out; empty if there is no such group",
                Shape.OBJECT),
        Route.delete(
                "/api/v1/consumer-groups/{group}",
                Access.ADMIN,
                TOPIC,
                "Forget a group of all queues, with its leases and dead letters",
                this::delete)
            .auditedInside("delete-group")
            .query(DELETE_METADATA)
            .answers(200, "it is gone, or there was none", DELETED),
        Route.delete(
                "/api/v1/consumer-groups/{group}/queues/{queue}",
                Access.ADMIN,
                TOPIC,
                "Forget a group of one queue, with its leases and dead letters",
                this::deleteOfQueue)
            .auditedInside("delete-group")
            .query(DELETE_METADATA)
            .answers(200, "it is gone, or there was none", DELETED));
  }

  /** The groups of a name, one for each queue. */
  private List<GroupInfo> named(String group, int most) {
    List<GroupInfo> named = new ArrayList<>();
    new AllGroups(broker)
        .visit(
            new GroupsRequest(null, group),
            found -> {
              named.add(found);
              return named.size() < most;
            });
    return named;
  }

  private Answer list(Call call) {
    Query query = call.query();
    Page<GroupInfo> page =
        Refusals.orThrow(
            broker.groups(
                new GroupsRequest(
                    query.text(QUEUE),
                    query.text(GROUP),
                    query.text(AFTER),
                    (int) query.number(LIMIT))));
    JsonOut out = new JsonOut().beginObject().beginArray("groups");
    page.items().forEach(group -> GroupJson.write(out, group));
    return Answer.ok(out.endArray().put("next", page.next()).endObject());
  }

  private Answer lagging(Call call) {
    long minMs = call.query().number(MIN_LAG) * 1000;
    List<GroupInfo> lagging = new ArrayList<>();
    new AllGroups(broker)
        .visit(
            new GroupsRequest(null, null),
            group -> {
              if (group.lag() > 0 && group.lagMs() >= minMs) {
                lagging.add(group);
              }
              return lagging.size() < LAGGING_MAX;
            });
    long now = nowMs.getAsLong();
    JsonOut out = new JsonOut().beginArray();
    for (GroupInfo group : lagging) {
      out.beginObject()
          .put("consumer_group", group.group())
          .put("queue_name", group.queue())
          .put("offset_lag", group.lag())
          .put("time_lag_seconds", group.lagMs() / 1000)
          .put("lag_hours", group.lagMs() / 3_600_000.0)
          .putTime("oldest_unconsumed_at", now - group.lagMs())
          .endObject();
    }
    return Answer.ok(out.endArray());
  }

  private Answer show(Call call) {
    String name = call.part("group");
    JsonOut out = new JsonOut().beginObject();
    int left = SHOWN_MAX;
    for (GroupInfo group : named(name, Limits.PAGE_MAX)) {
      if (left == 0) {
        GroupJson.fields(out.beginObject(group.queue()), group)
            .beginArray("partitions")
            .endArray()
            .put("morePartitions", true)
            .endObject();
        continue;
      }
      Result<Page<PartitionInfo>> found =
          broker.partitions(
              new PartitionsRequest(group.queue(), null, Math.min(left, Limits.PAGE_MAX))
                  .asSeenBy(name));
      if (!found.isOk()) {
        continue;
      }
      left -= found.orThrow().items().size();
      GroupJson.fields(out.beginObject(group.queue()), group).beginArray("partitions");
      for (PartitionInfo partition : found.orThrow().items()) {
        Counts counts = partition.counts();
        out.beginObject()
            .put("partition", partition.name())
            .put("partitionId", PartitionIds.text(partition.id()))
            .putNull("workerId")
            .putNull("lastConsumedAt")
            .putNull("totalConsumed")
            .put("offsetLag", QueueJson.pending(counts) + counts.inFlight())
            .putNull("timeLagSeconds")
            .put("leaseActive", counts.inFlight() > 0)
            .endObject();
      }
      out.endArray().put("morePartitions", found.orThrow().next() != null).endObject();
    }
    return Answer.ok(out.endObject());
  }

  private Answer delete(Call call) {
    checkMetadata(call);
    String name = call.part("group");
    long partitions = 0;
    for (GroupInfo group : named(name, Integer.MAX_VALUE)) {
      partitions += delete(group.queue(), name);
    }
    return Answer.ok(deleted(name, partitions).endObject());
  }

  private Answer deleteOfQueue(Call call) {
    checkMetadata(call);
    String name = call.part("group");
    String queue = call.part("queue");
    return Answer.ok(deleted(name, delete(queue, name)).put("queueName", queue).endObject());
  }

  private static void checkMetadata(Call call) {
    if (!call.query().flag(DELETE_METADATA)) {
      throw Problem.field(
          DELETE_METADATA.name(),
          "expected true, because where a group began is forgotten with it, but got false");
    }
  }

  /** Forgets a group of a queue; answers how many partitions it had there. */
  private long delete(String queue, String group) {
    Result<QueueInfo> info = broker.queue(queue);
    Result<Affected> deleted = broker.deleteGroup(queue, group);
    if (!deleted.isOk() && deleted.refusal().code() != ErrorCode.NOT_FOUND) {
      throw Problem.refused(deleted.refusal());
    }
    return deleted.isOk() && info.isOk() ? info.orThrow().partitions() : 0;
  }

  private static JsonOut deleted(String group, long partitions) {
    return new JsonOut()
        .beginObject()
        .put("success", true)
        .put("consumerGroup", group)
        .put("deletedPartitions", partitions)
        .put("metadataDeleted", true);
  }

  private static final Shape LAGGING =
      Shape.fields(
          Shape.required("consumer_group", Shape.TEXT, "The group."),
          Shape.required("queue_name", Shape.QUEUE, "Its queue."),
          Shape.required("offset_lag", Shape.WHOLE, "Messages it has still to settle."),
          Shape.required("time_lag_seconds", Shape.WHOLE, "Seconds the oldest has been there."),
          Shape.required("lag_hours", Shape.NUMBER, "The same in hours."),
          Shape.required("oldest_unconsumed_at", Shape.TIME, "Since when it has been there."));

  private static final Shape DELETED =
      Shape.fields(
          Shape.required("success", Shape.FLAG, "true."),
          Shape.required("consumerGroup", Shape.TEXT, "The group."),
          Shape.optional("queueName", Shape.QUEUE, "The queue, if one was named."),
          Shape.required("deletedPartitions", Shape.WHOLE, "How many partitions it read; 0: none."),
          Shape.required("metadataDeleted", Shape.FLAG, "true."));
}
