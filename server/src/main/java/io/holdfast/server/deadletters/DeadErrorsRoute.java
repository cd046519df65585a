package io.holdfast.server.deadletters;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.dead.DeadErrors;
import io.holdfast.api.dead.DeadErrorsRequest;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.http.Authority;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sorts dead letters by what they died of. */
public final class DeadErrorsRoute {
  /** Most errors of an answer. */
  private static final int ERRORS_MAX = 500;

  /** The dead letters of a queue that have one error. */
  private record Line(String queue, DeadErrors.Kind kind) {}

  /** The answer. */
  private record Counted(List<Line> lines, long total, boolean complete) {}

  private static final JsonType<Line> LINE =
      JsonObject.of(Line.class)
          .text(
              "error",
              line -> line.kind.error(),
              "What they say, with # for numbers and ids; empty if nothing.")
          .text("sample", line -> line.kind.sample(), "What the newest says.")
          .queue("queue", Line::queue, "The queue.")
          .whole("count", line -> line.kind.count(), "How many.")
          .time("first", line -> line.kind.firstMs(), "The first death.")
          .time("last", line -> line.kind.lastMs(), "The last death.")
          .id("messageId", line -> line.kind.messageId(), "The newest of them.")
          .type();

  private static final JsonType<Counted> ANSWER =
      JsonObject.of(Counted.class)
          .list("errors", LINE, Counted::lines, "At most " + ERRORS_MAX + ".")
          .whole("total", Counted::total, "How many dead letters were looked at.")
          .flag(
              "complete",
              Counted::complete,
              "Whether those were all; at most " + DeadErrorsRequest.LOOKED_MAX + " are looked at.")
          .type();

  private final DeadErrorCounts counts;

  public DeadErrorsRoute(TimeSource time) {
    this.counts = new DeadErrorCounts(time);
  }

  public List<Route> routes() {
    return Route.about(
        DeadLetterListRoute.TOPIC,
        Route.get("/api/v1/dlq/errors")
            .summary("What dead letters died of, the most frequent first")
            // The server reads for all callers alike; the caller is asked which queues it may see.
            .asking(Authority.CALLER, Authority.SERVER)
            .query(DeadLetterListRoute.QUEUE)
            .answers("by error and queue; at most a few seconds old", ANSWER, this::errors));
  }

  private Counted errors(Call call) {
    String only = call.query().find(DeadLetterListRoute.QUEUE);
    List<Line> lines = new ArrayList<>();
    long total = 0;
    boolean complete = true;
    for (String queue : queues(call.broker(), only)) {
      if (total >= DeadErrorsRequest.LOOKED_MAX) {
        complete = false;
        break;
      }
      try {
        DeadErrorCounts.Counted counted = counts.of(call.broker(Authority.SERVER), queue);
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
    return new Counted(
        lines.subList(0, Math.min(lines.size(), ERRORS_MAX)),
        total,
        complete && lines.size() <= ERRORS_MAX);
  }

  private static List<String> queues(Broker broker, @Nullable String only) {
    if (only == null) {
      return DeadLetterListRoute.queues(broker, DeadLetterListRoute.QUEUES_MAX);
    }
    Refusals.orThrow(broker.queue(only));
    return List.of(only);
  }
}
