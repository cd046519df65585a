package io.holdfast.server.groups;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.Sought;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Pages;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves consumer groups forwards and backwards, and changes where they begin. */
public final class SeekRoutes {
  private static final Field<Boolean> TO_END = Field.flag("toEnd", "Past the newest message.");
  private static final Field<Boolean> TO_BEGINNING =
      Field.flag("toBeginning", "To the oldest message that is kept.");
  private static final Field<Long> TIMESTAMP =
      Field.time("timestamp", "To the first message that entered at or after.");
  private static final Field<Long> SUBSCRIPTION_TIMESTAMP =
      Field.required(
              "subscriptionTimestamp",
              Json.TIME,
              "The group does not read messages that entered those partitions before.")
          .missing("Missing subscriptionTimestamp in request body");

  private static final JsonType<List<SeekRequest.To>> TARGETS =
      Json.object(SeekRoutes::targets, TO_END, TO_BEGINNING, TIMESTAMP);
  private static final JsonType<StartFrom.Time> SUBSCRIPTION =
      Json.object(in -> new StartFrom.Time(in.get(SUBSCRIPTION_TIMESTAMP)), SUBSCRIPTION_TIMESTAMP);

  /** A group that was moved. */
  private record Moved(SeekRequest request, Sought sought) {
    long timeMs() {
      return request.to() instanceof SeekRequest.To.Time time ? time.fromMs() : 0;
    }
  }

  private static final JsonType<Moved> MOVED =
      JsonObject.of(Moved.class)
          .flag("success", moved -> true, "true.")
          .flag(
              "updated",
              moved -> moved.sought().partitions() > 0,
              "Whether there was a partition to move on.")
          .text("consumerGroup", moved -> moved.request().group(), "The group.")
          .queue("queueName", moved -> moved.request().queue(), "The queue.")
          .optional(
              "partitionName",
              Json.TEXT,
              moved -> moved.request().partition(),
              "The partition, if one was named.")
          .flag(
              "seekToEnd",
              moved -> moved.request().to() instanceof SeekRequest.To.End,
              "Whether it was moved to the end.")
          .timeOrNull("targetTimestamp", Moved::timeMs, "The requested time, or null.")
          .whole(
              "partitionsUpdated",
              moved -> moved.sought().partitions(),
              "Number of partitions on which it was moved.")
          .flag(
              "clamped",
              moved -> moved.sought().clamped(),
              "Whether messages from there on are no longer kept.")
          .whole("totalLag", moved -> moved.sought().lag(), "Messages that it has not settled now.")
          .type();

  /** A group whose start was changed on some queues. */
  private record Subscribed(String group, StartFrom.Time start, long queues) {}

  private static final JsonType<Subscribed> SUBSCRIBED =
      JsonObject.of(Subscribed.class)
          .flag("success", subscribed -> true, "true.")
          .text("consumerGroup", Subscribed::group, "The group.")
          .time("newTimestamp", subscribed -> subscribed.start().fromMs(), "When it begins now.")
          .whole(
              "rowsUpdated", Subscribed::queues, "Number of queues; 0 if there is no such group.")
          .type();

  private SeekRoutes() {}

  public static List<Route> routes() {
    String queue = "/api/v1/consumer-groups/{group}/queues/{queue}";
    return Route.about(
        GroupRoutes.TOPIC,
        Route.post(queue + "/seek", Access.ADMIN)
            .summary("Move a group on a queue; its leases there end")
            .auditedInside("seek")
            .body(TARGETS)
            .answers("it was moved", MOVED, call -> seek(call, null, call.json(TARGETS))),
        Route.post(queue + "/partitions/{partition}/seek", Access.ADMIN)
            .summary("Move a group on one partition, by default to its end")
            .auditedInside("seek")
            .bodyIfAny(TARGETS)
            .answers("it was moved", MOVED, SeekRoutes::seekPartition),
        Route.post("/api/v1/consumer-groups/{group}/subscription", Access.ADMIN)
            .summary(
                "Change when a group begins on partitions that are created later, for all its"
                    + " queues; its current positions stay, and seek moves them")
            .auditedInside("subscribe-from")
            .body(SUBSCRIPTION)
            .answers(
                "it was changed, or there is no such group", SUBSCRIBED, SeekRoutes::subscription));
  }

  private static List<SeekRequest.To> targets(Values in) {
    List<SeekRequest.To> targets = new ArrayList<>();
    if (in.get(TO_END)) {
      targets.add(new SeekRequest.To.End());
    }
    if (in.get(TO_BEGINNING)) {
      targets.add(new SeekRequest.To.Beginning());
    }
    Long time = in.find(TIMESTAMP);
    if (time != null) {
      targets.add(new SeekRequest.To.Time(time));
    }
    return targets;
  }

  private static Moved seekPartition(Call call) {
    List<SeekRequest.To> targets = call.jsonOrEmpty(TARGETS);
    return seek(
        call,
        call.part("partition"),
        targets.isEmpty() ? List.of(new SeekRequest.To.End()) : targets);
  }

  private static Moved seek(Call call, @Nullable String partition, List<SeekRequest.To> targets) {
    if (targets.size() != 1) {
      throw Problem.body(
          "Must specify either 'toEnd': true or 'timestamp', or 'toBeginning': true");
    }
    SeekRequest request =
        new SeekRequest(call.part("queue"), call.part("group"), partition, targets.getFirst());
    return new Moved(request, call.ask(Broker::seek, request));
  }

  private static Subscribed subscription(Call call) {
    String group = call.part("group");
    StartFrom.Time start = call.json(SUBSCRIPTION);
    long changed =
        Pages.queues(call.broker())
            .filter(queue -> queue.groups() > 0)
            .filter(queue -> subscribe(call.broker(), queue.name(), group, start))
            .count();
    return new Subscribed(group, start, changed);
  }

  /** Changes the start of a group of a queue, if there is one. */
  private static boolean subscribe(Broker broker, String queue, String group, StartFrom start) {
    // Asked first: a refused change costs as much as one that is made.
    Result<Page<GroupInfo>> found = broker.groups(new GroupsRequest(queue, group));
    if (!found.isOk() || found.orThrow().items().isEmpty()) {
      return false;
    }
    Result<StartFrom> changed = broker.subscribeFrom(new SubscribeRequest(queue, group, start));
    if (!changed.isOk() && changed.refusal().code() != ErrorCode.NOT_FOUND) {
      throw Problem.refused(changed.refusal());
    }
    return changed.isOk();
  }
}
