package io.holdfast.server.queues;

import io.holdfast.api.Broker;
import io.holdfast.api.Stats;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.objects.QueueJson;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Pages;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Shows the broker as a whole, and its namespaces and tasks. */
public final class OverviewRoutes {
  /** Sums over queues. */
  private static final class Sum {
    private int queues;
    private long partitions;
    private Counts counts = Counts.NONE;

    private void add(QueueInfo queue) {
      queues++;
      partitions += queue.partitions();
      counts = counts.plus(queue.counts());
    }
  }

  private static final JsonObject<Counts> MESSAGES =
      JsonObject.of(Counts.class)
          .whole("total", counts -> counts.stored() + counts.delayed(), "Stored or delayed.")
          .whole("pending", QueueJson::pending, "Waiting or returned.");

  /** How a value is spread over the groups. */
  private record Spread(@Nullable Double avg, long @Nullable [] sorted) {
    static Spread of(List<GroupInfo> groups, ToLongFunction<GroupInfo> value) {
      long[] sorted = groups.stream().mapToLong(value).sorted().toArray();
      return sorted.length == 0
          ? new Spread(null, null)
          : new Spread(Arrays.stream(sorted).average().orElse(0), sorted);
    }

    @Nullable Long median() {
      return sorted == null ? null : sorted[sorted.length / 2];
    }

    @Nullable Long min() {
      return sorted == null ? null : sorted[0];
    }

    @Nullable Long max() {
      return sorted == null ? null : sorted[sorted.length - 1];
    }
  }

  private static final JsonType<Spread> SPREAD =
      JsonObject.of(Spread.class)
          .fieldOrNull("avg", Json.NUMBER, Spread::avg, "The mean; null without groups.")
          .fieldOrNull("median", Json.WHOLE, Spread::median, "The median.")
          .fieldOrNull("min", Json.WHOLE, Spread::min, "The least.")
          .fieldOrNull("max", Json.WHOLE, Spread::max, "The most.")
          .type();

  private record Overview(
      Sum all, int namespaces, int tasks, Stats stats, List<GroupInfo> groups) {}

  private static final JsonType<Overview> OVERVIEW =
      JsonObject.of(Overview.class)
          .time("timestamp", of -> of.stats().nowMs(), "The current time of the broker.")
          .whole("queues", of -> of.all().queues, "Number of queues.")
          .whole("partitions", of -> of.all().partitions, "Number of partitions.")
          .whole("namespaces", Overview::namespaces, "Number of namespaces.")
          .whole("tasks", Overview::tasks, "Number of tasks that queues belong to.")
          .whole("groups", of -> of.stats().groups(), "Number of groups, counted per queue.")
          .whole("leases", of -> of.stats().leases(), "Number of live leases.")
          .field("messages", messages(), of -> of, "Messages by state.")
          .field("lag", lag(), Overview::groups, "The lag of all groups.")
          .nothing("throughput", "null: see /metrics.")
          .text("durability", of -> of.stats().durability(), "Durability of answers: fsync or os.")
          .field("since", since(), Overview::stats, "Totals since the broker was opened.")
          .whole("statsAge", of -> 0, "0: every count is current.")
          .type();

  private OverviewRoutes() {}

  private static JsonType<Overview> messages() {
    return JsonObject.of(Overview.class)
        .include(MESSAGES, of -> of.all().counts)
        .whole("processing", of -> of.all().counts.inFlight(), "Leased, summed over groups.")
        .nothing("completed", "null: not counted.")
        .nothing("failed", "null: not counted.")
        .whole("deadLetter", of -> of.stats().dead(), "Dead letters.")
        .whole("delayed", of -> of.stats().delayed(), "Not yet due.")
        .whole("bytes", of -> of.stats().storedBytes(), "Bytes of the stored messages.")
        .type();
  }

  private static JsonType<List<GroupInfo>> lag() {
    return new JsonObject<List<GroupInfo>>()
        .field(
            "time",
            SPREAD,
            groups -> Spread.of(groups, group -> group.lagMs() / 1000),
            "Seconds that the groups are behind.")
        .field(
            "offset",
            SPREAD,
            groups -> Spread.of(groups, GroupInfo::lag),
            "Messages that the groups are behind.")
        .type();
  }

  private static JsonType<Stats> since() {
    return JsonObject.of(Stats.class)
        .timeOrNull("openedAt", Stats::openedMs, "When the broker was opened.")
        .whole("pushed", stats -> stats.totals().pushed(), "Messages pushed.")
        .whole("duplicates", stats -> stats.totals().duplicates(), "Duplicates ignored.")
        .whole("delivered", stats -> stats.totals().delivered(), "Messages delivered.")
        .whole("acked", stats -> stats.totals().acked(), "Messages acked.")
        .whole("nacked", stats -> stats.totals().nacked(), "Messages nacked.")
        .whole("released", stats -> stats.totals().released(), "Messages released.")
        .whole("expired", stats -> stats.totals().expired(), "Messages whose lease expired.")
        .whole("retried", stats -> stats.totals().retried(), "Messages retried.")
        .whole("dead", stats -> stats.totals().dead(), "Messages that became dead letters.")
        .whole("dropped", stats -> stats.totals().dropped(), "Messages dropped.")
        .whole("cancelled", stats -> stats.totals().cancelled(), "Messages cancelled.")
        .type();
  }

  public static List<Route> routes() {
    return Route.about(
        ResourceRoutes.TOPIC,
        route("namespaces", "namespace", QueueOption.NAMESPACE),
        route("tasks", "task", QueueOption.TASK),
        Route.get("/api/v1/resources/overview")
            .summary("Show how much the broker holds and how far its groups are behind")
            .forWholeBroker()
            .answers("the current values", OVERVIEW, OverviewRoutes::overview));
  }

  private static Route route(String plural, String singular, QueueOption option) {
    JsonType<Map.Entry<String, Sum>> entry =
        new JsonObject<Map.Entry<String, Sum>>()
            .text(singular, Map.Entry::getKey, "Its name.")
            .whole("queues", one -> one.getValue().queues, "Number of queues.")
            .whole("partitions", one -> one.getValue().partitions, "Number of partitions.")
            .field("messages", MESSAGES.type(), one -> one.getValue().counts, "Messages by state.")
            .type();
    JsonType<Map<String, Sum>> list =
        new JsonObject<Map<String, Sum>>()
            .list(plural, entry, Map::entrySet, "The " + plural + ".")
            .type();
    return Route.get("/api/v1/resources/" + plural)
        .summary("List the " + plural + " of queues")
        .answers("all of them, by name", list, call -> sums(call.broker(), option));
  }

  private static Map<String, Sum> sums(Broker broker, QueueOption option) {
    Map<String, Sum> sums = new TreeMap<>();
    Pages.queues(broker)
        .forEach(
            queue -> {
              String tag = queue.options().text(option);
              if (!tag.isEmpty()) {
                sums.computeIfAbsent(tag, name -> new Sum()).add(queue);
              }
            });
    return sums;
  }

  private static Overview overview(Call call) {
    Broker broker = call.broker();
    Sum all = new Sum();
    Pages.queues(broker).forEach(all::add);
    return new Overview(
        all,
        sums(broker, QueueOption.NAMESPACE).size(),
        sums(broker, QueueOption.TASK).size(),
        Refusals.orThrow(broker.stats()),
        Pages.groups(broker, null, null).toList());
  }
}
