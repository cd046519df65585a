package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a queue, or changes its options. */
public final class ConfigureRoute {
  private final Broker broker;

  public ConfigureRoute(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/v1/configure",
                Access.CONSUME,
                "Queues",
                "Make a queue, or change its options",
                this::configure)
            .auditedInside("configure")
            .body(
                Shape.fields(
                    Shape.required("queue", Shape.QUEUE, "The queue."),
                    Shape.optional("namespace", Shape.TEXT, "As the option of that name."),
                    Shape.optional("task", Shape.TEXT, "As the option of that name."),
                    Shape.optional(
                        "mode",
                        Shape.words("merge", "replace"),
                        "merge (default): an option that is absent stays. replace: it gets its"
                            + " default."),
                    Shape.optional(
                        "options",
                        OptionItems.SHAPE,
                        "Values by option; null is the default. They may also stand beside"
                            + " queue.")))
            .answers(
                200,
                "configured",
                Shape.fields(
                    Shape.required("configured", Shape.FLAG, "true."),
                    Shape.required("queueId", Shape.TEXT, "The queue's number."),
                    Shape.required("partitionId", Shape.TEXT, "null: no partition is made."),
                    Shape.required("queue", Shape.QUEUE, "The queue."),
                    Shape.required("namespace", Shape.TEXT, "Its namespace, or empty."),
                    Shape.required("task", Shape.TEXT, "Its task, or empty."),
                    Shape.required("options", OptionItems.SHAPE, "All options as they are now."))));
  }

  /** A request as it came. */
  private record Wish(String queue, OptionItems options, boolean replace) {}

  private Answer configure(Call call) {
    Wish wish = call.json(ConfigureRoute::read);
    QueueInfo queue =
        Refusals.orThrow(
            broker.configure(
                new ConfigureRequest(
                    wish.queue(), wish.options().changes(before(wish)), wish.replace())));
    QueueOptions options = queue.options();
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("configured", true)
            .put("queueId", Integer.toString(queue.id()))
            .putNull("partitionId")
            .put("queue", queue.name())
            .put("namespace", options.text(QueueOption.NAMESPACE))
            .put("task", options.text(QueueOption.TASK))
            .beginObject("options");
    OptionItems.write(out, options);
    return Answer.ok(out.endObject().endObject());
  }

  /** The options that stay as they are unless the request names them. */
  private QueueOptions before(Wish wish) {
    if (wish.replace() || !wish.options().needsOthers()) {
      return QueueOptions.DEFAULTS;
    }
    Result<QueueInfo> queue = broker.queue(wish.queue());
    return queue.isOk() ? queue.orThrow().options() : QueueOptions.DEFAULTS;
  }

  private static Wish read(JsonIn in) {
    String queue = null;
    boolean replace = false;
    OptionItems options = new OptionItems();
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "queue" -> queue = in.textOrNull();
        case "mode" -> replace = isReplace(in);
        case "options" -> options(in, options);
        default -> options.read(field, in, List.of("queue", "mode", "options"));
      }
    }
    return wish(queue, options, replace);
  }

  private static Wish wish(@Nullable String queue, OptionItems options, boolean replace) {
    if (queue == null || queue.isEmpty()) {
      throw Problem.required("queue", "queue is required");
    }
    return new Wish(queue, options, replace);
  }

  private static void options(JsonIn in, OptionItems options) {
    if (in.isNull()) {
      return;
    }
    in.beginObject();
    for (String name = in.nextField(); name != null; name = in.nextField()) {
      options.read(name, in, List.of());
    }
  }

  private static boolean isReplace(JsonIn in) {
    if (in.isNull()) {
      return false;
    }
    return switch (in.text()) {
      case "merge" -> false;
      case "replace" -> true;
      default -> throw in.wrong("merge or replace");
    };
  }
}
