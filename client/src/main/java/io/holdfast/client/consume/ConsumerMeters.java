package io.holdfast.client.consume;

import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Binds what consumers do to Micrometer; one serves any number of consumers.
 *
 * <p>Every meter has the tags {@code queue} and {@code group}.
 *
 * <p>Thread: any.
 */
public final class ConsumerMeters implements ConsumerListener {
  /** The meters of one queue and group. */
  private record Meters(
      Counter delivered,
      Counter acked,
      Counter retried,
      Counter dead,
      Counter released,
      Counter refused,
      Counter leasesLost,
      Counter retries,
      Counter unsent,
      Timer succeeded,
      Timer failed) {}

  private final MeterRegistry registry;
  private final Map<ConsumerId, Meters> meters = new ConcurrentHashMap<>();

  public ConsumerMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  private Meters of(ConsumerId consumer) {
    return meters.computeIfAbsent(consumer, this::register);
  }

  private Meters register(ConsumerId consumer) {
    Tags tags = Tags.of("queue", consumer.queue(), "group", consumer.group());
    return new Meters(
        counter("delivered", "Messages that came.", tags),
        counter("acked", "Messages that are done.", tags),
        counter("nacked", "Messages that failed.", tags.and("end", "retry")),
        counter("nacked", "Messages that failed.", tags.and("end", "dead")),
        counter("released", "Messages that were given back.", tags),
        counter("refused", "Settles that came too late or were cancelled.", tags),
        counter("leases.lost", "Leases that ended under a handler.", tags),
        counter("retries", "Calls of the broker that failed and are made again.", tags),
        counter("unsent", "Settles without an answer when a consumer had to end.", tags),
        timer(tags.and("outcome", "success")),
        timer(tags.and("outcome", "failure")));
  }

  private Counter counter(String name, String what, Tags tags) {
    return Counter.builder("holdfast.consumer." + name)
        .description(what)
        .tags(tags)
        .register(registry);
  }

  private Timer timer(Tags tags) {
    return Timer.builder("holdfast.consumer.handler")
        .description("Calls of the handler.")
        .tags(tags)
        .register(registry);
  }

  @Override
  public void delivered(ConsumerId consumer, int messages) {
    of(consumer).delivered().increment(messages);
  }

  @Override
  public void handled(ConsumerId consumer, int messages, Duration took, boolean succeeded) {
    Meters those = of(consumer);
    (succeeded ? those.succeeded() : those.failed()).record(took);
  }

  @Override
  public void acked(ConsumerId consumer, int messages) {
    of(consumer).acked().increment(messages);
  }

  @Override
  public void nacked(ConsumerId consumer, boolean dead) {
    Meters those = of(consumer);
    (dead ? those.dead() : those.retried()).increment();
  }

  @Override
  public void released(ConsumerId consumer, int messages) {
    of(consumer).released().increment(messages);
  }

  @Override
  public void refused(ConsumerId consumer, Settle settle, SettleVerdict verdict, int messages) {
    of(consumer).refused().increment();
  }

  @Override
  public void leaseLost(ConsumerId consumer, String leaseId, int messages) {
    of(consumer).leasesLost().increment();
  }

  @Override
  public void retrying(ConsumerId consumer, RuntimeException cause, Duration after) {
    of(consumer).retries().increment();
  }

  @Override
  public void unsent(ConsumerId consumer, int settles) {
    of(consumer).unsent().increment(settles);
  }
}
