package io.holdfast.workflow;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Binds what a worker does with flows to Micrometer.
 *
 * <p>Meters have the tag {@code flow} or {@code activity}: names, never ids.
 *
 * <p>Thread: any.
 */
public final class FlowMeters implements FlowsListener {
  private final MeterRegistry registry;
  private final Map<String, Counter> counters = new ConcurrentHashMap<>();
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();
  private final Timer kept;
  private final Timer replayed;
  private final Counter events;
  private final Counter abandoned;

  public FlowMeters(MeterRegistry registry) {
    this.registry = registry;
    this.kept = turns("false");
    this.replayed = turns("true");
    this.events =
        Counter.builder("holdfast.flow.events")
            .description("Events that were stored.")
            .register(registry);
    this.abandoned =
        Counter.builder("holdfast.flow.turns.abandoned")
            .description("Turns that were given back.")
            .register(registry);
  }

  /** Shows what a worker holds as well; call it before {@link Flows#serve}. */
  public FlowMeters of(Flows flows) {
    Gauge.builder("holdfast.flow.kept", flows, Flows::kept)
        .description("Flows that wait in memory.")
        .register(registry);
    Gauge.builder("holdfast.flow.busy", flows, Flows::busy)
        .description("Turns and activities that run.")
        .register(registry);
    return this;
  }

  private Timer turns(String how) {
    return Timer.builder("holdfast.flow.turns")
        .description("Turns that were stored.")
        .tag("replayed", how)
        .register(registry);
  }

  private void count(String name, String what, Tags tags) {
    counters
        .computeIfAbsent(
            name + tags,
            key ->
                Counter.builder("holdfast.flow." + name)
                    .description(what)
                    .tags(tags)
                    .register(registry))
        .increment();
  }

  @Override
  public void started(String id, String name) {
    count("started", "Flows that had their first turn.", Tags.of("flow", name));
  }

  @Override
  public void ended(String id, String name, FlowStatus how) {
    Tags tags = Tags.of("flow", name, "status", how.name().toLowerCase(Locale.ROOT));
    count("ended", "Flows that ended.", tags);
  }

  @Override
  public void blocked(String id, String name, String reason) {
    count("blocked", "Flows that cannot go on.", Tags.of("flow", name));
  }

  @Override
  public void turn(String id, int stored, long nanos, boolean coldly) {
    (coldly ? replayed : kept).record(nanos, TimeUnit.NANOSECONDS);
    events.increment(stored);
  }

  @Override
  public void turnAbandoned(String id, String reason) {
    abandoned.increment();
  }

  @Override
  public void activityDone(String flow, String activity, long nanos) {
    timers
        .computeIfAbsent(
            activity,
            name ->
                Timer.builder("holdfast.flow.activity")
                    .description("Attempts of activities that went well.")
                    .tag("activity", name)
                    .register(registry))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void activityFailed(String flow, String activity, Failure failure, boolean again) {
    Tags tags = Tags.of("activity", activity, "end", again ? "retry" : "failure");
    count("activity.failed", "Attempts of activities that failed.", tags);
  }

  @Override
  public void activityCancelled(String flow, String activity) {
    Tags tags = Tags.of("activity", activity);
    count("activity.cancelled", "Activities that nobody wanted any more.", tags);
  }

  @Override
  public void activityLeaseLost(String flow, String activity) {
    Tags tags = Tags.of("activity", activity);
    count("activity.lease.lost", "Activities whose lease ended while they ran.", tags);
  }
}
