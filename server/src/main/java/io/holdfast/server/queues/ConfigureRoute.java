package io.holdfast.server.queues;

import io.holdfast.api.Broker;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Route;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates a queue, or changes its options. */
public final class ConfigureRoute {
  private static final Field<String> QUEUE =
      Field.required(
              "queue",
              Json.QUEUE,
              "The queue. An empty name is answered as if it were configured, for Queen's"
                  + " queue(''), but no queue is created.")
          .missing("queue is required");
  private static final Field<String> MODE =
      Field.word(
          "mode",
          "merge",
          "merge (default): an option that is absent stays. replace: it gets its default.",
          "merge",
          "replace");

  /** A request to configure a queue. */
  private record Configuration(String queue, OptionFields.Changes changes, boolean replace) {}

  private static final JsonType<Configuration> BODY =
      Json.object(
          ConfigureRoute::read,
          OptionFields.ALL.after(OptionFields.NESTED).after(MODE).after(QUEUE));

  /**
   * A queue that was configured.
   *
   * @param id empty if none was created
   */
  private record Configured(String id, Configuration asked, QueueOptions options) {
    OptionFields.QueenOptions queen() {
      return new OptionFields.QueenOptions(options, asked.changes().retentionEnabled());
    }
  }

  private static final JsonType<Configured> CONFIGURED =
      JsonObject.of(Configured.class)
          .flag("configured", queue -> true, "true.")
          .text("queueId", Configured::id, "The queue's number; empty if none was created.")
          .nothing("partitionId", "null: no partition is created.")
          .queue("queue", queue -> queue.asked().queue(), "The queue.")
          .text(
              "namespace",
              queue -> queue.options().text(QueueOption.NAMESPACE),
              "Its namespace, or empty.")
          .text("task", queue -> queue.options().text(QueueOption.TASK), "Its task, or empty.")
          .field(
              "options",
              OptionFields.QUEEN_VALUES,
              Configured::queen,
              "All options as they are now.")
          .type();

  private ConfigureRoute() {}

  public static List<Route> routes() {
    return Route.about(
        ResourceRoutes.TOPIC,
        Route.post("/api/v1/configure", Access.CONSUME)
            .summary("Create a queue, or change its options")
            .auditedInside("configure")
            .body(BODY)
            .answers("configured", CONFIGURED, ConfigureRoute::configure));
  }

  private static Configuration read(Values in) {
    return new Configuration(
        in.get(QUEUE),
        OptionFields.read(in, "").and(in.find(OptionFields.NESTED)),
        in.get(MODE).equals("replace"));
  }

  private static Configured configure(Call call) {
    Configuration asked = call.json(BODY);
    Map<QueueOption, @Nullable Object> changes = asked.changes().resolve();
    if (asked.queue().isEmpty()) {
      // Queen's client sends it for queue(''), and then neither pushes there nor pops.
      call.ignore("queue");
      return new Configured("", asked, QueueOptions.DEFAULTS.with(changes));
    }
    QueueInfo queue =
        call.ask(Broker::configure, new ConfigureRequest(asked.queue(), changes, asked.replace()));
    return new Configured(Integer.toString(queue.id()), asked, queue.options());
  }
}
