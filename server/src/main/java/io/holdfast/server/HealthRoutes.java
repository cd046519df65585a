package io.holdfast.server;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.Stats;
import io.holdfast.server.access.Caller;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.http.Traffic;
import io.holdfast.server.status.ClockWarning;
import io.holdfast.server.status.Version;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the server lives, takes work, and is well.
 *
 * <p>Anybody may ask as often as they like; so the broker is asked for all of them together.
 *
 * <p>Thread: any.
 */
public final class HealthRoutes {
  private static final String TOPIC = "Health and metrics";
  private static final String STATUS = "status";

  /** How old what is told may be. */
  static final Duration FRESH = Duration.ofMillis(250);

  private final Broker broker;
  private final Traffic traffic;
  private final long begunNanos = System.nanoTime();
  private final ReentrantLock asking = new ReentrantLock();
  private @Nullable Result<Stats> told;
  private long toldNanos;

  public HealthRoutes(Broker broker, Traffic traffic) {
    this.broker = broker;
    this.traffic = traffic;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/health/live", Access.PUBLIC, TOPIC, "Whether the process answers", this::live)
            .answers(
                200,
                "it does",
                Shape.fields(Shape.required(STATUS, Shape.words("live"), "That it does."))),
        Route.get(
                "/health/ready", Access.PUBLIC, TOPIC, "Whether the broker takes work", this::ready)
            .answers(200, "it does", readiness("ready"))
            .answers(503, "it does not: it shuts down or has stopped", readiness("not_ready")),
        Route.get("/health", Access.PUBLIC, TOPIC, "How the broker is", this::health)
            .answers(200, "it is well", health("healthy"))
            .answers(503, "it does not take work", health("unhealthy")));
  }

  private static Shape readiness(String word) {
    return Shape.fields(
        Shape.required(STATUS, Shape.words(word), "Whether it takes work."),
        Shape.optional("error", Shape.TEXT, "Why it does not, for those who may read."),
        Shape.optional("code", Shape.TEXT, "The same for programs."));
  }

  private static Shape health(String word) {
    return Shape.fields(
        Shape.required(STATUS, Shape.words(word), "How it is."),
        Shape.required("engine", Shape.TEXT, "holdfast."),
        Shape.optional("version", Shape.TEXT, "Its version, for those who may read."),
        Shape.optional(
            "uptimeSeconds", Shape.WHOLE, "How long it has been serving, for those who may read."),
        Shape.required(
            "database",
            Shape.words("connected", "disconnected"),
            "Whether the store that is part of it takes writes."),
        Shape.optional(
            "durability",
            Shape.words("fsync", "os"),
            "What an answer survives: a power cut, or the death of the process; for those who may"
                + " read."),
        Shape.optional(
            "clockAheadSeconds",
            Shape.WHOLE,
            "How far the broker's time is ahead of the system clock, negative if it is behind; for"
                + " those who may read."),
        Shape.optional(
            "warning",
            Shape.TEXT,
            "That the clocks differ by more than a minute, for those who may read."),
        Shape.optional("error", Shape.TEXT, "What is wrong, for those who may read."),
        Shape.optional("code", Shape.TEXT, "The same for programs."));
  }

  private Answer live(Call call) {
    return Answer.ok(new JsonOut().beginObject().put(STATUS, "live").endObject());
  }

  private Answer ready(Call call) {
    Refusal refusal = refusal(stats());
    JsonOut out = new JsonOut().beginObject().put(STATUS, refusal == null ? "ready" : "not_ready");
    return answer(out, refusal);
  }

  private Answer health(Call call) {
    Result<Stats> stats = stats();
    Refusal refusal = refusal(stats);
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put(STATUS, refusal == null ? "healthy" : "unhealthy")
            .put("engine", "holdfast")
            .put("database", isWell(stats) ? "connected" : "disconnected");
    if (Caller.mayNow(Access.READ)) {
      out.put("version", Version.text())
          .put("uptimeSeconds", Duration.ofNanos(System.nanoTime() - begunNanos).toSeconds());
      if (stats.isOk()) {
        clock(out.put("durability", stats.orThrow().durability()), stats.orThrow());
      }
    }
    return answer(out, refusal);
  }

  private static void clock(JsonOut out, Stats stats) {
    out.put("clockAheadSeconds", ClockWarning.aheadSeconds(stats));
    String warning = ClockWarning.of(stats);
    if (warning != null) {
      out.put("warning", warning);
    }
  }

  private @Nullable Refusal refusal(Result<Stats> stats) {
    if (traffic.isDraining()) {
      return Refusal.of(ErrorCode.CLOSED, "the broker is shutting down");
    }
    return isWell(stats) ? null : stats.refusal();
  }

  /** A broker that has much to do takes work; whom it cannot take, it tells to come again. */
  private static boolean isWell(Result<Stats> stats) {
    return stats.isOk() || stats.refusal().code() == ErrorCode.OVERLOADED;
  }

  private Result<Stats> stats() {
    asking.lock();
    try {
      Result<Stats> known = told;
      if (known == null || System.nanoTime() - toldNanos >= FRESH.toNanos()) {
        known = broker.stats();
        told = known;
        toldNanos = System.nanoTime();
      }
      return known;
    } finally {
      asking.unlock();
    }
  }

  private static Answer answer(JsonOut out, @Nullable Refusal refusal) {
    if (refusal == null) {
      return Answer.ok(out.endObject());
    }
    if (Caller.mayNow(Access.READ)) {
      out.put("error", refusal.detail());
    }
    out.put("code", refusal.code().name());
    return Answer.json(503, out.endObject());
  }
}
