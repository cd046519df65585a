package io.holdfast.cli.demo;

import io.holdfast.api.Broker;
import io.holdfast.client.tasks.ReceivedTask;
import io.holdfast.client.tasks.RetryConfig;
import io.holdfast.client.tasks.Task;
import io.holdfast.client.tasks.TaskBroker;
import io.holdfast.client.tasks.TaskBrokerConfig;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tracked tasks for two pumps. One instruction is more than they can do, and its task dies.
 *
 * <p>Thread: the publisher's, and one for each pump.
 */
final class Garden implements AutoCloseable {
  static final String TOPIC = "watering";

  private static final String SUBSCRIBER = "pumps";
  private static final Duration PACE = Duration.ofMillis(1_500);
  private static final Duration WORK = Duration.ofMillis(700);

  /** Every so many tasks asks for too much; the first of them is the second. */
  private static final int TOO_MUCH = 12;

  private final TaskBroker tasks;
  private final Repeated publisher;
  private final AtomicInteger published = new AtomicInteger();

  Garden(Broker broker) {
    RetryConfig retry = new RetryConfig(2, Duration.ofMillis(500), Duration.ofSeconds(2), 2.0);
    tasks = TaskBroker.on(broker, TaskBrokerConfig.DEFAULTS.retry(retry));
    for (String pump : new String[] {"pump-1", "pump-2"}) {
      tasks.subscribe(TOPIC, SUBSCRIBER, pump).handle(Garden::water);
    }
    publisher = Repeated.every(PACE, this::publish);
  }

  private void publish() {
    int number = published.incrementAndGet();
    String instruction = number % TOO_MUCH == 2 ? "flood the desert" : "water zone " + number % 4;
    tasks.publish(Task.of(TOPIC, instruction));
  }

  private static void water(ReceivedTask received) {
    Repeated.rest(WORK);
    if (received.task().instruction().contains("desert")) {
      throw new IllegalStateException("not enough water");
    }
  }

  @Override
  public void close() {
    publisher.close();
    tasks.close();
  }
}
