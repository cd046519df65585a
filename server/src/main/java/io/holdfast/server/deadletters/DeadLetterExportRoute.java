package io.holdfast.server.deadletters;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.json.Schema;
import io.holdfast.json.objects.DeadLetterJson;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Outlet;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.ArrayList;
import java.util.List;

/** Hands out dead letters, all that match, one a line, while they are read. */
public final class DeadLetterExportRoute {
  private static final String LINES = "application/x-ndjson";
  private static final byte[] NEWLINE = {'\n'};

  private DeadLetterExportRoute() {}

  public static List<Route> routes() {
    return Route.about(
        DeadLetterListRoute.TOPIC,
        Route.get("/api/v1/dlq/export")
            .summary("Take a copy of dead letters, one a line, by queue, the oldest death first")
            .audited("export-dead-letters")
            .query(DeadLetterListRoute.FILTER)
            .doing(DeadLetterExportRoute::export)
            .answers(
                200,
                "all that match; each line is an object like those of /api/v1/dlq. If the connection"
                    + " ends before the body does, some are missing",
                Schema.document(LINES)));
  }

  private static Answer export(Call call) {
    Broker broker = call.broker();
    String only = call.query().find(DeadLetterListRoute.QUEUE);
    if (only != null) {
      Refusals.orThrow(broker.queue(only));
    }
    List<DeadLetterFilter> filters = new ArrayList<>();
    for (String queue :
        only == null ? DeadLetterListRoute.queues(broker, Integer.MAX_VALUE) : List.of(only)) {
      filters.add(DeadLetterListRoute.filter(call.query(), queue));
    }
    return Answer.streaming(LINES, out -> filters.forEach(filter -> write(broker, out, filter)))
        .header("Content-Disposition", "attachment; filename=\"dead-letters.ndjson\"");
  }

  private static void write(Broker broker, Outlet out, DeadLetterFilter filter) {
    String after = null;
    do {
      Result<DeadLetters> answer =
          broker.deadLetters(new DeadLettersRequest(filter, after, Limits.PAGE_MAX).uncounted());
      if (!answer.isOk() && answer.refusal().code() == ErrorCode.NOT_FOUND) {
        // The queue was deleted meanwhile.
        return;
      }
      DeadLetters page = Refusals.orThrow(answer);
      page.items()
          .forEach(
              dead -> {
                out.write(DeadLetterJson.TYPE.bytes(dead));
                out.write(NEWLINE);
              });
      after = page.next();
    } while (after != null);
  }
}
