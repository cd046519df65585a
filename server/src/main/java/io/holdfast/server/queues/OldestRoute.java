package io.holdfast.server.queues;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.BrowsePlace;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionInfo.LaneInfo;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.json.Field;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.http.Authority;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Pages;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows the oldest waiting message of a queue. */
public final class OldestRoute {
  /** Most partitions that are searched in one call. */
  private static final int PARTITIONS_MAX = 10_000;

  private static final Field<String> GROUP =
      Field.text(
          "consumerGroup",
          PopRequest.QUEUE_MODE,
          "The group for which it waits; by default that of competing consumers.");

  /** A message that waits, and the time of the broker. */
  private record Waiting(Message message, long nowMs) {}

  private static final JsonType<Waiting> WAITING =
      JsonObject.of(Waiting.class)
          .id("id", waiting -> waiting.message().id(), "Its id.")
          .textOrId(
              "transactionId",
              waiting -> waiting.message().transactionId(),
              waiting -> waiting.message().id(),
              "Its name; the id if it has none.")
          .text("partition", waiting -> waiting.message().partition(), "Its partition.")
          .time("createdAt", waiting -> waiting.message().createdMs(), "When it was pushed.")
          .whole(
              "ageSeconds",
              waiting -> (waiting.nowMs() - waiting.message().createdMs()) / 1000,
              "Seconds since then.")
          .type();

  /** The result of a search. */
  private record Oldest(String queue, String group, @Nullable Waiting message, boolean complete) {}

  private static final JsonType<Oldest> OLDEST =
      JsonObject.of(Oldest.class)
          .queue("queue", Oldest::queue, "The queue.")
          .text("consumerGroup", Oldest::group, "The group.")
          .fieldOrNull("message", WAITING, Oldest::message, "null if no message waits.")
          .flag(
              "complete",
              Oldest::complete,
              "Whether all partitions were searched, and not only the first "
                  + PARTITIONS_MAX
                  + ".")
          .type();

  private OldestRoute() {}

  public static List<Route> routes() {
    return Route.about(
        ResourceRoutes.TOPIC,
        Route.get("/api/v1/queues/{queue}/oldest")
            .summary("Show the oldest waiting message of a queue")
            .asking(Authority.CALLER, Authority.SERVER)
            .query(GROUP)
            .answers("the message, or null if none waits", OLDEST, OldestRoute::oldest));
  }

  private static Oldest oldest(Call call) {
    String queue = call.part("queue");
    String group = call.query().get(GROUP);
    Message oldest = null;
    String after = null;
    int left = PARTITIONS_MAX;
    do {
      int limit = Math.min(left, Limits.PAGE_MAX);
      Page<PartitionInfo> page =
          call.ask(Broker::partitions, new PartitionsRequest(queue, after, limit));
      for (PartitionInfo partition : page.items()) {
        for (LaneInfo lane : partition.lanes()) {
          oldest = older(oldest, first(call.broker(), group, partition, lane));
        }
      }
      left -= page.items().size();
      after = page.next();
    } while (after != null && left > 0);
    Waiting waiting = oldest == null ? null : new Waiting(oldest, call.nowMs());
    return new Oldest(queue, group, waiting, after == null);
  }

  private static @Nullable Message older(@Nullable Message one, @Nullable Message other) {
    return one == null || (other != null && other.createdMs() < one.createdMs()) ? other : one;
  }

  /** The first waiting message of a lane, or of a later lane; null if there is none. */
  private static @Nullable Message first(
      Broker broker, String group, PartitionInfo partition, LaneInfo lane) {
    BrowseRequest request =
        BrowseRequest.queue(partition.queue())
            .group(group)
            .partition(partition.name())
            .states(MessageState.WAITING)
            .limit(1);
    String start = BrowsePlace.inLane(partition.name(), lane.lane(), -1).text();
    // A page may be empty although there is a next one.
    return Pages.stream(
            after -> Refusals.orThrow(broker.browse(request.after(after == null ? start : after))))
        .map(BrowsedMessage::message)
        .findFirst()
        .orElse(null);
  }
}
