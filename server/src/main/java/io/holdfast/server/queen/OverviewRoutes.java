package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.Stats;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shows the broker as a whole, and its namespaces and tasks. */
public final class OverviewRoutes {
  private final Broker broker;

  public OverviewRoutes(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        route("namespaces", "namespace", QueueOption.NAMESPACE),
        route("tasks", "task", QueueOption.TASK),
        Route.get(
                "/api/v1/resources/overview",
                Access.READ,
                ResourceRoutes.TOPIC,
                "Show how much the broker holds and how far its groups are behind",
                this::overview)
            .forWholeBroker()
            .answers(200, "as it is now", OVERVIEW));
  }

  private Route route(String plural, String singular, QueueOption option) {
    return Route.get(
            "/api/v1/resources/" + plural,
            Access.READ,
            ResourceRoutes.TOPIC,
            "List the " + plural + " that queues have",
            call -> list(plural, singular, option))
        .answers(
            200,
            "all of them, by name",
            Shape.fields(
                Shape.required(
                    plural,
                    Shape.array(
                        Shape.fields(
                            Shape.required(singular, Shape.TEXT, "Its name."),
                            Shape.required("queues", Shape.WHOLE, "How many queues."),
                            Shape.required("partitions", Shape.WHOLE, "How many partitions."),
                            Shape.required("messages", Shape.OBJECT, "total and pending."))),
                    "The " + plural + ".")));
  }

  /** Sums over queues. */
  private static final class Sum {
    private int queues;
    private long partitions;
    private long total;
    private long pending;
    private long processing;

    private void add(QueueInfo queue) {
      Counts counts = queue.counts();
      queues++;
      partitions += queue.partitions();
      total += counts.stored() + counts.delayed();
      pending += QueueJson.pending(counts);
      processing += counts.inFlight();
    }
  }

  private Map<String, Sum> sums(QueueOption option) {
    Map<String, Sum> sums = new TreeMap<>();
    new AllQueues(broker)
        .visit(
            null,
            queue -> {
              String tag = queue.options().text(option);
              if (!tag.isEmpty()) {
                sums.computeIfAbsent(tag, name -> new Sum()).add(queue);
              }
              return true;
            });
    return sums;
  }

  private Answer list(String plural, String singular, QueueOption option) {
    JsonOut out = new JsonOut().beginObject().beginArray(plural);
    sums(option)
        .forEach(
            (name, sum) ->
                out.beginObject()
                    .put(singular, name)
                    .put("queues", sum.queues)
                    .put("partitions", sum.partitions)
                    .beginObject("messages")
                    .put("total", sum.total)
                    .put("pending", sum.pending)
                    .endObject()
                    .endObject());
    return Answer.ok(out.endArray().endObject());
  }

  private Answer overview(Call call) {
    Sum all = new Sum();
    new AllQueues(broker)
        .visit(
            null,
            queue -> {
              all.add(queue);
              return true;
            });
    Stats stats = Refusals.orThrow(broker.stats());
    List<GroupInfo> groups = new ArrayList<>();
    new AllGroups(broker).visit(new GroupsRequest(null, null), groups::add);
    JsonOut out =
        new JsonOut()
            .beginObject()
            .putTime("timestamp", stats.nowMs())
            .put("queues", all.queues)
            .put("partitions", all.partitions)
            .put("namespaces", sums(QueueOption.NAMESPACE).size())
            .put("tasks", sums(QueueOption.TASK).size())
            .put("groups", stats.groups())
            .put("leases", stats.leases())
            .beginObject("messages")
            .put("total", all.total)
            .put("pending", all.pending)
            .put("processing", all.processing)
            .putNull("completed")
            .putNull("failed")
            .put("deadLetter", stats.dead())
            .put("delayed", stats.delayed())
            .put("bytes", stats.storedBytes())
            .endObject()
            .beginObject("lag");
    spread(out, "time", groups.stream().mapToLong(group -> group.lagMs() / 1000).toArray());
    spread(out, "offset", groups.stream().mapToLong(GroupInfo::lag).toArray());
    totals(out.endObject(), stats);
    return Answer.ok(out.put("statsAge", 0).endObject());
  }

  private static void spread(JsonOut out, String name, long[] values) {
    Arrays.sort(values);
    out.beginObject(name);
    if (values.length == 0) {
      out.putNull("avg").putNull("median").putNull("min").putNull("max");
    } else {
      out.put("avg", Arrays.stream(values).average().orElse(0))
          .put("median", values[values.length / 2])
          .put("min", values[0])
          .put("max", values[values.length - 1]);
    }
    out.endObject();
  }

  private static void totals(JsonOut out, Stats stats) {
    Stats.Totals totals = stats.totals();
    out.putNull("throughput")
        .put("durability", stats.durability())
        .beginObject("since")
        .putTime("openedAt", stats.openedMs())
        .put("pushed", totals.pushed())
        .put("duplicates", totals.duplicates())
        .put("delivered", totals.delivered())
        .put("acked", totals.acked())
        .put("nacked", totals.nacked())
        .put("released", totals.released())
        .put("expired", totals.expired())
        .put("retried", totals.retried())
        .put("dead", totals.dead())
        .put("dropped", totals.dropped())
        .put("cancelled", totals.cancelled())
        .endObject();
  }

  private static final Shape SPREAD =
      Shape.fields(
          Shape.required("avg", Shape.NUMBER, "The mean; null without groups."),
          Shape.required("median", Shape.WHOLE, "The middle one."),
          Shape.required("min", Shape.WHOLE, "The least."),
          Shape.required("max", Shape.WHOLE, "The most."));

  private static final Shape OVERVIEW =
      Shape.fields(
          Shape.required("timestamp", Shape.TIME, "Now, by the broker's clock."),
          Shape.required("queues", Shape.WHOLE, "How many queues."),
          Shape.required("partitions", Shape.WHOLE, "How many partitions."),
          Shape.required("namespaces", Shape.WHOLE, "How many namespaces."),
          Shape.required("tasks", Shape.WHOLE, "How many tasks that queues are of."),
          Shape.required("groups", Shape.WHOLE, "How many groups, counted per queue."),
          Shape.required("leases", Shape.WHOLE, "How many live leases."),
          Shape.required("messages", Shape.OBJECT, "How many messages are where."),
          Shape.required(
              "lag",
              Shape.fields(
                  Shape.required("time", SPREAD, "Seconds the groups are behind."),
                  Shape.required("offset", SPREAD, "Messages the groups are behind.")),
              "Over the first 1,000 groups."),
          Shape.required("throughput", Shape.OBJECT, "null: take it from /metrics."),
          Shape.required("durability", Shape.TEXT, "What an answer promises: fsync or os."),
          Shape.required("since", Shape.OBJECT, "What happened since the broker was opened."),
          Shape.required("statsAge", Shape.WHOLE, "0: every count is current."));
}
