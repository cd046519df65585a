package io.holdfast.server;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.Stats;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.access.Caller;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Authority;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Route;
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

  /** How old the numbers of an answer may be. */
  static final Duration FRESH = Duration.ofMillis(250);

  /**
   * The state of the broker.
   *
   * @param refusal why it does not take work; null if it does
   * @param mayRead whether the caller may read, and so gets the details
   */
  private record Health(
      Result<Stats> stats, @Nullable Refusal refusal, boolean mayRead, long uptimeSeconds) {
    @Nullable Stats details() {
      return mayRead && stats.isOk() ? stats.orThrow() : null;
    }
  }

  private static final JsonType<String> LIVE =
      JsonObject.of(String.class)
          .field(STATUS, Json.word("live"), word -> word, "That it does.")
          .type();

  private static final JsonObject<Health> ERROR =
      JsonObject.of(Health.class)
          .optional(
              "error",
              Json.TEXT,
              health ->
                  health.refusal() == null || !health.mayRead() ? null : health.refusal().detail(),
              "Why it does not take work; to callers who may read.")
          .optional(
              "code",
              Json.TEXT,
              health -> health.refusal() == null ? null : health.refusal().code().name(),
              "The same for programs.");

  private static final JsonType<Health> READINESS =
      JsonObject.of(Health.class)
          .field(
              STATUS,
              Json.word("ready", "not_ready"),
              health -> health.refusal() == null ? "ready" : "not_ready",
              "Whether it takes work.")
          .include(ERROR, health -> health)
          .type();

  private static final JsonObject<Stats> DETAILS =
      JsonObject.of(Stats.class)
          .field(
              "durability",
              Json.word("fsync", "os"),
              Stats::durability,
              "What an answer survives: a power cut, or the death of the process; to callers who"
                  + " may read.")
          .whole(
              "clockAheadSeconds",
              ClockWarning::aheadSeconds,
              "How far the broker's time is ahead of the system clock, negative if it is behind; to"
                  + " callers who may read.")
          .optional(
              "warning",
              Json.TEXT,
              ClockWarning::of,
              "That the clocks differ by more than a minute; to callers who may read.");

  private static final JsonType<Health> HEALTH =
      JsonObject.of(Health.class)
          .field(
              STATUS,
              Json.word("healthy", "unhealthy"),
              health -> health.refusal() == null ? "healthy" : "unhealthy",
              "Its state.")
          .text("engine", health -> "holdfast", "holdfast.")
          .field(
              "database",
              Json.word("connected", "disconnected"),
              health -> isWell(health.stats()) ? "connected" : "disconnected",
              "Whether the store that is part of it takes writes.")
          .optional(
              "version",
              Json.TEXT,
              health -> health.mayRead() ? Version.text() : null,
              "Its version; to callers who may read.")
          .optional(
              "uptimeSeconds",
              Json.WHOLE,
              health -> health.mayRead() ? health.uptimeSeconds() : null,
              "How long it has been serving; to callers who may read.")
          .includeOptional(DETAILS, Health::details)
          .include(ERROR, health -> health)
          .type();

  private final Traffic traffic;
  private final Cluster cluster;
  private final long begunNanos = System.nanoTime();
  private final ReentrantLock asking = new ReentrantLock();
  private @Nullable Result<Stats> last;
  private long lastNanos;

  /**
   * @param cluster the cluster that the broker is a node of
   */
  public HealthRoutes(Traffic traffic, Cluster cluster) {
    this.traffic = traffic;
    this.cluster = cluster;
  }

  public List<Route> routes() {
    return List.of(
        get("/health/live", "Whether the process answers", call -> Answer.ok(LIVE, "live"))
            .answers(200, "it does", LIVE),
        get("/health/ready", "Whether the broker takes work", call -> answer(READINESS, call))
            .answers(200, "it does", READINESS)
            .answers(
                503,
                "it does not: it shuts down, has stopped, or is a node that does not reach the"
                    + " leader of its cluster",
                READINESS),
        get("/health", "The state of the broker", call -> answer(HEALTH, call))
            .answers(200, "it is well", HEALTH)
            .answers(503, "it does not take work", HEALTH));
  }

  /** Anybody may ask: nothing about queues is returned. */
  private static Route get(String path, String summary, Route.Action action) {
    return Route.get(path, Access.PUBLIC, TOPIC, summary, action).asking(Authority.SERVER);
  }

  private Answer answer(JsonType<Health> type, Call call) {
    String unready = cluster.unready();
    Result<Stats> stats =
        unready == null
            ? stats(call.broker(Authority.SERVER))
            : Result.refused(ErrorCode.NOT_LEADER, unready);
    Refusal refusal = refusal(stats);
    return Answer.json(
        refusal == null ? 200 : 503,
        type,
        new Health(
            stats,
            refusal,
            Caller.mayNow(Access.READ),
            Duration.ofNanos(System.nanoTime() - begunNanos).toSeconds()));
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

  private Result<Stats> stats(Broker broker) {
    asking.lock();
    try {
      Result<Stats> known = last;
      if (known == null || System.nanoTime() - lastNanos >= FRESH.toNanos()) {
        known = broker.stats();
        last = known;
        lastNanos = System.nanoTime();
      }
      return known;
    } finally {
      asking.unlock();
    }
  }
}
