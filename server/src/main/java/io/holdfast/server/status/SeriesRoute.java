package io.holdfast.server.status;

import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Query;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.List;
import java.util.function.Supplier;

/** Tells how the broker, or a queue, was during the last day. */
public final class SeriesRoute {
  private static final long HOUR_MS = 3_600_000;

  private static final Param QUEUE =
      Param.text("queue", "Of this queue alone; without it, of the whole broker.");
  private static final Param FROM = Param.time("from", "From then on; an hour before to.");
  private static final Param TO = Param.time("to", "Up to then; now.");
  private static final Param POINTS = Param.number("points", 300, 1, 10_000, "Most points.");

  private static final Shape POINT =
      Shape.fields(
          Shape.required("time", Shape.WHOLE, "When it began, in epoch milliseconds."),
          Shape.required("push", Shape.NUMBER, "Messages stored a second."),
          Shape.required("pop", Shape.NUMBER, "Deliveries a second."),
          Shape.required("ack", Shape.NUMBER, "Messages done a second."),
          Shape.required("nack", Shape.NUMBER, "Messages that failed a second."),
          Shape.required(
              "waiting",
              Shape.WHOLE,
              "Most that waited, also those that came back; so for the next four."),
          Shape.required("inFlight", Shape.WHOLE, "Leased."),
          Shape.required("delayed", Shape.WHOLE, "Not yet due."),
          Shape.required("dead", Shape.WHOLE, "Dead letters."),
          Shape.required("oldestMs", Shape.WHOLE, "How long the oldest had been there."),
          Shape.required("fsyncMs", Shape.NUMBER, "How long an fsync took; 0 for a queue."));

  private final Sampler sampler;
  private final Supplier<Sight> sight;

  /**
   * @param sight what whoever asks may see, while a route acts
   */
  public SeriesRoute(Sampler sampler, Supplier<Sight> sight) {
    this.sampler = sampler;
    this.sight = sight;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/status/series",
                Access.READ,
                LiveRoute.TOPIC,
                "How it went during the last day: the broker every 10 s, a queue every minute",
                this::series)
            .query(QUEUE, FROM, TO, POINTS)
            .answers(
                200,
                "what was seen; nothing is kept over a restart",
                Shape.fields(
                    Shape.required("from", Shape.WHOLE, "In epoch milliseconds."),
                    Shape.required("to", Shape.WHOLE, "In epoch milliseconds."),
                    Shape.required("stepMs", Shape.WHOLE, "How much time a point stands for."),
                    Shape.required(
                        "kept",
                        Shape.FLAG,
                        "Whether there is a series: only the "
                            + History.QUEUES_MAX
                            + " busiest queues have one, and the broker for those who may see all"
                            + " queues."),
                    Shape.required(
                        "points",
                        Shape.array(POINT),
                        "The oldest first; times without a point were not seen."))));
  }

  private Answer series(Call call) {
    Query query = call.query();
    Sample now = sampler.now();
    Sight seen = sight.get();
    Long asked = query.time(TO);
    long toMs = asked == null ? now.timeMs() : asked;
    Long begin = query.time(FROM);
    long fromMs = begin == null ? Math.max(0, toMs - HOUR_MS) : begin;
    if (fromMs > toMs) {
      throw Problem.field("from", "expected a time that is not after to, but it is");
    }
    int points = (int) query.number(POINTS);
    String queue = query.text(QUEUE);
    Series found;
    if (queue == null) {
      // A limited token is told nothing of the whole; it may name a queue.
      found = seen.isAll() ? sampler.history().whole(fromMs, toMs, points) : null;
    } else {
      if (!seen.covers(queue)) {
        throw Problem.forbidden("the token is not for the queue " + queue);
      }
      if (!now.byName().containsKey(queue)) {
        throw Problem.notFound("there is no queue " + queue);
      }
      found = sampler.history().ofQueue(queue, fromMs, toMs, points);
    }
    return found == null
        ? answer(new Series(fromMs, toMs, History.QUEUE_STEP_MS, List.of()), false)
        : answer(found, true);
  }

  private static Answer answer(Series series, boolean kept) {
    JsonOut out =
        new JsonOut(64 * 1024)
            .beginObject()
            .put("from", series.fromMs())
            .put("to", series.toMs())
            .put("stepMs", series.stepMs())
            .put("kept", kept)
            .beginArray("points");
    for (Series.Point point : series.points()) {
      out.beginObject().put("time", point.timeMs());
      rate(out, "push", point.value(Series.Field.PUSH));
      rate(out, "pop", point.value(Series.Field.POP));
      rate(out, "ack", point.value(Series.Field.ACK));
      rate(out, "nack", point.value(Series.Field.NACK));
      out.put("waiting", (long) point.value(Series.Field.WAITING))
          .put("inFlight", (long) point.value(Series.Field.IN_FLIGHT))
          .put("delayed", (long) point.value(Series.Field.DELAYED))
          .put("dead", (long) point.value(Series.Field.DEAD))
          .put("oldestMs", (long) point.value(Series.Field.OLDEST_MS));
      rate(out, "fsyncMs", point.value(Series.Field.FSYNC_MS));
      out.endObject();
    }
    return Answer.ok(out.endArray().endObject());
  }

  private static void rate(JsonOut out, String name, float value) {
    out.put(name, QueueRowJson.rounded(value));
  }
}
