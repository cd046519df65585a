package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.dead.DeadErrors;
import io.holdfast.api.dead.DeadErrorsRequest;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Sorts dead letters by what they died of. */
public final class DeadErrorsRoute {
  /** Most errors that are told. */
  private static final int TOLD_MAX = 500;

  /** What some dead letters of a queue died of. */
  private record Line(String queue, DeadErrors.Kind kind) {}

  private final Broker broker;
  private final DeadErrorCounts counts;

  /**
   * @param open reads for all who ask alike; what they are told of is asked of the other one
   */
  public DeadErrorsRoute(Broker broker, Broker open, TimeSource time) {
    this.broker = broker;
    this.counts = new DeadErrorCounts(open, time);
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/dlq/errors",
                Access.READ,
                DeadLetterListRoute.TOPIC,
                "What dead letters died of, the most frequent first",
                this::errors)
            .query(DeadLetterListRoute.QUEUE)
            .answers(
                200,
                "by error and queue; at most a few seconds old",
                Shape.fields(
                    Shape.required(
                        "errors",
                        Shape.array(
                            Shape.fields(
                                Shape.required(
                                    "error",
                                    Shape.TEXT,
                                    "What they say, with # for numbers and ids; empty if nothing."),
                                Shape.required("sample", Shape.TEXT, "What the newest says."),
                                Shape.required("queue", Shape.QUEUE, "The queue."),
                                Shape.required("count", Shape.WHOLE, "How many."),
                                Shape.required("first", Shape.TIME, "The first death."),
                                Shape.required("last", Shape.TIME, "The last death."),
                                Shape.required("messageId", Shape.TEXT, "The newest of them."))),
                        "At most " + TOLD_MAX + "."),
                    Shape.required("total", Shape.WHOLE, "How many dead letters were looked at."),
                    Shape.required(
                        "complete",
                        Shape.FLAG,
                        "Whether those were all; at most "
                            + DeadErrorsRequest.LOOKED_MAX
                            + " are looked at."))));
  }

  private Answer errors(Call call) {
    String only = call.query().text(DeadLetterListRoute.QUEUE);
    List<Line> lines = new ArrayList<>();
    long total = 0;
    boolean complete = true;
    for (String queue : only == null ? queues() : List.of(named(only))) {
      if (total >= DeadErrorsRequest.LOOKED_MAX) {
        complete = false;
        break;
      }
      try {
        DeadErrorCounts.Counted counted = counts.of(queue);
        counted.kinds().values().forEach(kind -> lines.add(new Line(queue, kind)));
        total += counted.looked();
        complete &= counted.complete();
      } catch (Problem gone) {
        if (only != null || gone.status() != 404) {
          throw gone;
        }
        // It was deleted since the queues were listed.
      }
    }
    lines.sort(
        Comparator.comparingLong((Line line) -> line.kind.count())
            .reversed()
            .thenComparing(line -> line.kind.error()));
    return answer(lines, total, complete && lines.size() <= TOLD_MAX);
  }

  private String named(String queue) {
    Refusals.orThrow(broker.queue(queue));
    return queue;
  }

  private List<String> queues() {
    List<String> queues = new ArrayList<>();
    new AllQueues(broker)
        .visit(
            null,
            queue -> {
              if (queue.counts().dead() > 0) {
                queues.add(queue.name());
              }
              return queues.size() < DeadLetterListRoute.QUEUES_MAX;
            });
    return queues;
  }

  private static Answer answer(List<Line> lines, long total, boolean complete) {
    JsonOut out = new JsonOut().beginObject().beginArray("errors");
    for (Line line : lines.subList(0, Math.min(lines.size(), TOLD_MAX))) {
      out.beginObject()
          .put("error", line.kind.error())
          .put("sample", line.kind.sample())
          .put("queue", line.queue)
          .put("count", line.kind.count())
          .putTime("first", line.kind.firstMs())
          .putTime("last", line.kind.lastMs())
          .put("messageId", line.kind.messageId())
          .endObject();
    }
    return Answer.ok(out.endArray().put("total", total).put("complete", complete).endObject());
  }
}
