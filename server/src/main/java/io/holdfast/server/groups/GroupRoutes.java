package io.holdfast.server.groups;

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
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.GroupJson;
import io.holdfast.json.objects.PartitionIds;
import io.holdfast.json.objects.QueueJson;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Authority;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Pages;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists consumer groups with their lag, and deletes them. */
public final class GroupRoutes {
  static final String TOPIC = "Consumer groups";

  private static final int LAGGING_MAX = 10_000;

  /** Most partitions of one answer, of all queues of a group. */
  static final int SHOWN_MAX = 10_000;

  private static final Field<String> QUEUE = Field.text("queue", "Only groups of this queue.");
  private static final Field<String> GROUP = Field.text("group", "Only groups of this name.");
  private static final Field<Long> LIMIT =
      Field.number("limit", Limits.PAGE_MAX, 1, Limits.PAGE_MAX, "Most groups of the answer.");
  private static final Field<Long> MIN_LAG =
      Field.number(
          "minLagSeconds", 3600, 0, Limits.DURATION_MS_MAX / 1000, "Only groups so far behind.");
  private static final Field<Boolean> DELETE_METADATA =
      Field.optional(
          "deleteMetadata", Json.FLAG, true, "Only true: the start of a group is deleted with it.");

  private static final JsonType<Page<GroupInfo>> GROUPS =
      Json.page("groups", GroupJson.TYPE, "The groups.");

  /** A group that lags, and since when. */
  private record Lagging(GroupInfo group, long sinceMs) {}

  private static final JsonType<Collection<Lagging>> LAGGING =
      Json.list(
          JsonObject.of(Lagging.class)
              .text("consumer_group", lagging -> lagging.group().group(), "The group.")
              .queue("queue_name", lagging -> lagging.group().queue(), "Its queue.")
              .whole(
                  "offset_lag",
                  lagging -> lagging.group().lag(),
                  "Messages that it has not settled.")
              .whole(
                  "time_lag_seconds",
                  lagging -> lagging.group().lagMs() / 1000,
                  "Age of the oldest, in seconds.")
              .number(
                  "lag_hours",
                  lagging -> lagging.group().lagMs() / 3_600_000.0,
                  "The same, in hours.")
              .time("oldest_unconsumed_at", Lagging::sinceMs, "When the oldest was pushed.")
              .type());

  private static final JsonType<PartitionInfo> PARTITION =
      JsonObject.of(PartitionInfo.class)
          .text("partition", PartitionInfo::name, "The partition.")
          .text("partitionId", part -> PartitionIds.text(part.id()), "The same, as in acks.")
          .nothing("workerId", "null: not known by partition.")
          .nothing("lastConsumedAt", "null: not known by partition.")
          .nothing("totalConsumed", "null: not counted.")
          .whole("offsetLag", GroupRoutes::lag, "Messages that the group has not settled.")
          .nothing("timeLagSeconds", "null: not known by partition.")
          .flag("leaseActive", part -> part.counts().inFlight() > 0, "Whether some are leased.")
          .type();

  /** A group on one of its queues. */
  private record OfQueue(GroupInfo group, List<PartitionInfo> partitions, boolean more) {}

  private static final JsonType<Map<String, OfQueue>> BY_QUEUE =
      Json.map(
          JsonObject.of(OfQueue.class)
              .include(GroupJson.STATE, OfQueue::group)
              .list("partitions", PARTITION, OfQueue::partitions, "Its partitions, by name.")
              .flag("morePartitions", OfQueue::more, "Whether some are left out.")
              .type());

  private record Deleted(String group, @Nullable String queue, long partitions) {}

  private static final JsonType<Deleted> DELETED =
      JsonObject.of(Deleted.class)
          .flag("success", deleted -> true, "true.")
          .text("consumerGroup", Deleted::group, "The group.")
          .whole(
              "deletedPartitions",
              Deleted::partitions,
              "Number of partitions that it read; 0 if there was no such group.")
          .flag("metadataDeleted", deleted -> true, "true.")
          .optional("queueName", Json.QUEUE, Deleted::queue, "The queue, if one was named.")
          .type();

  private GroupRoutes() {}

  public static List<Route> routes() {
    return Route.about(
        TOPIC,
        Route.get("/api/v1/consumer-groups")
            .summary("List groups, each once for each of its queues")
            .query(QUEUE, GROUP, Paging.AFTER, LIMIT)
            .answers("a page, by queue", GROUPS, GroupRoutes::list),
        Route.get("/api/v1/consumer-groups/lagging")
            .summary("List the groups whose oldest message has waited long")
            .asking(Authority.CALLER, Authority.SERVER)
            .query(MIN_LAG)
            .answers(
                "one element for each group and queue, at most " + LAGGING_MAX,
                LAGGING,
                GroupRoutes::lagging),
        Route.get("/api/v1/consumer-groups/{group}")
            .summary("Show a group, by queue and partition")
            .answers(
                "an object by queue, of the first "
                    + Limits.PAGE_MAX
                    + " queues and "
                    + SHOWN_MAX
                    + " partitions, 1000 of each queue; empty if there is no such group",
                BY_QUEUE,
                GroupRoutes::show),
        Route.delete("/api/v1/consumer-groups/{group}", Access.ADMIN)
            .summary("Delete a group of all queues, with its leases and dead letters")
            .auditedInside("delete-group")
            .query(DELETE_METADATA)
            .answers("it is gone, or there was none", DELETED, GroupRoutes::delete),
        Route.delete("/api/v1/consumer-groups/{group}/queues/{queue}", Access.ADMIN)
            .summary("Delete a group of one queue, with its leases and dead letters")
            .auditedInside("delete-group")
            .query(DELETE_METADATA)
            .answers("it is gone, or there was none", DELETED, GroupRoutes::deleteOfQueue));
  }

  private static long lag(PartitionInfo partition) {
    Counts counts = partition.counts();
    return QueueJson.pending(counts) + counts.inFlight();
  }

  private static Page<GroupInfo> list(Call call) {
    Values query = call.query();
    return call.ask(
        Broker::groups,
        new GroupsRequest(
            query.find(QUEUE),
            query.find(GROUP),
            query.find(Paging.AFTER),
            query.get(LIMIT).intValue()));
  }

  private static List<Lagging> lagging(Call call) {
    long minMs = call.query().get(MIN_LAG) * 1000;
    List<GroupInfo> lagging =
        Pages.groups(call.broker(), null, null)
            .filter(group -> group.lag() > 0 && group.lagMs() >= minMs)
            .limit(LAGGING_MAX)
            .toList();
    long nowMs = call.nowMs();
    return lagging.stream().map(group -> new Lagging(group, nowMs - group.lagMs())).toList();
  }

  private static Map<String, OfQueue> show(Call call) {
    String name = call.part("group");
    Map<String, OfQueue> byQueue = new LinkedHashMap<>();
    int left = SHOWN_MAX;
    for (GroupInfo group :
        Pages.groups(call.broker(), null, name).limit(Limits.PAGE_MAX).toList()) {
      if (left == 0) {
        byQueue.put(group.queue(), new OfQueue(group, List.of(), true));
        continue;
      }
      int limit = Math.min(left, Limits.PAGE_MAX);
      Result<Page<PartitionInfo>> found =
          call.broker().partitions(new PartitionsRequest(group.queue(), name, null, limit));
      if (found.isOk()) {
        Page<PartitionInfo> page = found.orThrow();
        left -= page.items().size();
        byQueue.put(group.queue(), new OfQueue(group, page.items(), page.next() != null));
      }
    }
    return byQueue;
  }

  private static Deleted delete(Call call) {
    checkMetadata(call);
    String name = call.part("group");
    // All are read before the first is deleted.
    long partitions =
        Pages.groups(call.broker(), null, name).toList().stream()
            .mapToLong(group -> delete(call.broker(), group.queue(), name))
            .sum();
    return new Deleted(name, null, partitions);
  }

  private static Deleted deleteOfQueue(Call call) {
    checkMetadata(call);
    String name = call.part("group");
    String queue = call.part("queue");
    return new Deleted(name, queue, delete(call.broker(), queue, name));
  }

  private static void checkMetadata(Call call) {
    if (!call.query().get(DELETE_METADATA)) {
      throw Problem.field(
          DELETE_METADATA.name(),
          "expected true, because the start of a group is deleted with it, but got false");
    }
  }

  /** Deletes a group of a queue; returns the number of partitions that it read. */
  private static long delete(Broker broker, String queue, String group) {
    Result<QueueInfo> info = broker.queue(queue);
    Result<Affected> deleted = broker.deleteGroup(queue, group);
    if (!deleted.isOk() && deleted.refusal().code() != ErrorCode.NOT_FOUND) {
      throw Problem.refused(deleted.refusal());
    }
    return deleted.isOk() && info.isOk() ? info.orThrow().partitions() : 0;
  }
}
