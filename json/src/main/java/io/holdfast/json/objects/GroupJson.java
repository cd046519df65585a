package io.holdfast.json.objects;

import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.StartFrom;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import java.util.List;

/** A group of a queue as JSON, in the words of seed 001 and of Queen. */
public final class GroupJson {
  /** A group whose oldest message has waited longer than this lags: the default lease time. */
  public static final long LAGGING_MS = 300_000;

  /** All fields except for its name and queue. */
  public static final JsonObject<GroupInfo> STATE =
      JsonObject.of(GroupInfo.class)
          .whole("members", GroupInfo::leases, "Number of live leases.")
          .whole("totalLag", GroupInfo::lag, "Messages that it has not settled.")
          .whole("maxTimeLag", group -> group.lagMs() / 1000, "Age of the oldest, in seconds.")
          .field(
              "state",
              Json.word("Stable", "Lagging", "Dead"),
              GroupJson::state,
              "Stable: no message has waited longer than 300 seconds. Lagging: one has, and there"
                  + " is a live lease. Dead: one has, and there is none.")
          .field(
              "subscriptionMode",
              Json.word("all", "new", "timestamp"),
              GroupJson::mode,
              "Where it began: at the oldest stored message, at its creation, or at a time.")
          .timeOrNull(
              "subscriptionTimestamp", GroupJson::startMs, "From when on it reads; null for all.")
          .time("subscriptionCreatedAt", GroupInfo::createdMs, "When it was created.")
          .whole("waiting", GroupInfo::waiting, "Messages that were never delivered to it.")
          .whole("returned", GroupInfo::returned, "Messages that were returned to it.")
          .whole("inFlight", GroupInfo::inFlight, "Messages of its leases.")
          .whole("deadLetters", GroupInfo::dead, "Its dead letters.");

  public static final JsonType<GroupInfo> TYPE =
      JsonObject.of(GroupInfo.class)
          .text("name", GroupInfo::group, "The group.")
          .list("topics", Json.TEXT, group -> List.of(group.queue()), "An array of its one queue.")
          .queue("queueName", GroupInfo::queue, "Its queue.")
          .include(STATE, group -> group)
          .type();

  private GroupJson() {}

  private static String mode(GroupInfo group) {
    return switch (group.start()) {
      case StartFrom.All all -> "all";
      case StartFrom.New fresh -> "new";
      case StartFrom.Time time -> "timestamp";
    };
  }

  private static long startMs(GroupInfo group) {
    return switch (group.start()) {
      case StartFrom.All all -> 0;
      case StartFrom.New fresh -> group.createdMs();
      case StartFrom.Time time -> time.fromMs();
    };
  }

  private static String state(GroupInfo group) {
    if (group.lagMs() <= LAGGING_MS) {
      return "Stable";
    }
    return group.leases() > 0 ? "Lagging" : "Dead";
  }
}
