package io.holdfast.server.status;

import io.holdfast.json.Field;
import io.holdfast.json.Schema;
import io.holdfast.server.access.Caller;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Outlet;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tells how the broker is for as long as somebody listens, as server-sent events.
 *
 * <p>Thread: each listener's own; they share what is told to all alike.
 */
public final class LiveRoute {
  static final String TOPIC = "Status";
  private static final String EVENTS = "text/event-stream";

  /**
   * After so long without a tick an event heartbeat is sent, so that clients see the connection.
   */
  static final Duration HEARTBEAT = Duration.ofSeconds(15);

  private static final byte[] BEGIN = utf8("event: tick\ndata: ");
  private static final byte[] END = utf8("\n\n");
  private static final byte[] BEAT = utf8("event: heartbeat\ndata: {}\n\n");

  private static final Field<String> QUEUE =
      Field.text("queue", "Tell of this queue by itself too.");

  /** What a listener asks for. */
  private record View(NamePatterns visible, @Nullable String queue) {}

  /** What was told of one sample. */
  private record Tick(long number, Map<View, byte[]> json) {}

  private final Sampler sampler;
  private final AtomicReference<@Nullable Tick> tick = new AtomicReference<>();

  public LiveRoute(Sampler sampler) {
    this.sampler = sampler;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public List<Route> routes() {
    return Route.about(
        TOPIC,
        Route.get("/api/v1/live")
            .summary("Stream the state of the broker: an event tick every two seconds")
            .query(QUEUE)
            .doing(this::listen)
            .answers(
                200,
                "server-sent events; the data of a tick is an object like that of"
                    + " /api/v1/status/now. An event heartbeat comes after 15 seconds without a"
                    + " tick",
                Schema.document(EVENTS)),
        Route.get("/api/v1/status/now")
            .summary("How the broker is, once: what /api/v1/live tells again and again")
            .query(QUEUE)
            .doing(this::now)
            .answers(200, "as it is now", TickJson.TYPE));
  }

  private Answer now(Call call) {
    NamePatterns visible = Caller.currentGrant().names();
    return Answer.text(Answer.JSON, json(sampler.now(), visible, queue(call, visible)));
  }

  private Answer listen(Call call) {
    NamePatterns visible = Caller.currentGrant().names();
    String queue = queue(call, visible);
    String who = Caller.currentName();
    if (!sampler.join(who)) {
      throw Problem.of(
          429,
          "LIMIT",
          "expected at most %d who listen at once, and %d of one token or address; ask"
                  .formatted(Listeners.MAX, Listeners.EACH_MAX)
              + " /api/v1/status/now instead");
    }
    AtomicBoolean listening = new AtomicBoolean(true);
    Runnable leave =
        () -> {
          if (listening.getAndSet(false)) {
            sampler.leave(who);
          }
        };
    return Answer.streaming(
            EVENTS,
            out -> {
              try {
                tell(out, visible, queue);
              } finally {
                leave.run();
              }
            })
        .header("X-Accel-Buffering", "no")
        .ifUnsent(leave);
  }

  private static @Nullable String queue(Call call, NamePatterns visible) {
    String queue = call.query().find(QUEUE);
    if (queue != null) {
      Sampler.checkVisible(visible, queue);
    }
    return queue;
  }

  private void tell(Outlet out, NamePatterns visible, @Nullable String queue) {
    Sample sample = sampler.now();
    long told = 0;
    while (!sampler.isClosed()) {
      if (sample == null) {
        out.write(BEAT);
      } else {
        told = sample.number();
        out.write(BEGIN);
        out.write(json(sample, visible, queue));
        out.write(END);
      }
      out.flush();
      long number = told;
      sample = out.await(() -> sampler.await(number, HEARTBEAT));
    }
  }

  /** The numbers of a sample, made once for all who may see the same queues. */
  byte[] json(Sample sample, NamePatterns visible, @Nullable String queue) {
    Tick known = tick.get();
    if (known == null || known.number != sample.number()) {
      known = new Tick(sample.number(), new ConcurrentHashMap<>());
      tick.set(known);
    }
    View view = new View(visible, queue);
    byte[] json = known.json.get(view);
    if (json == null) {
      json = TickJson.TYPE.bytes(new TickJson(sample, visible, queue));
      // Who asks once for this and that queue must not fill the memory.
      if (known.json.size() < Listeners.MAX) {
        known.json.put(view, json);
      }
    }
    return json;
  }
}
