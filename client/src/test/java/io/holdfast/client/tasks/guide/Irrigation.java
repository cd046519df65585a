package io.holdfast.client.tasks.guide;

import io.holdfast.api.Broker;
import io.holdfast.client.tasks.DlqEntry;
import io.holdfast.client.tasks.RetryConfig;
import io.holdfast.client.tasks.Task;
import io.holdfast.client.tasks.TaskBroker;
import io.holdfast.client.tasks.TaskBrokerConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;

public final class Irrigation {
  private final TaskBroker tasks;

  public Irrigation(Broker broker) {
    RetryConfig retry = new RetryConfig(3, Duration.ofSeconds(1), Duration.ofSeconds(30), 2.0);
    TaskBrokerConfig config =
        TaskBrokerConfig.DEFAULTS.retry(retry).ackTimeout(Duration.ofMinutes(1));
    this.tasks = TaskBroker.on(broker, config);
  }

  /** A device: one of those that water a zone. */
  public void connect(String zone, String deviceId, Pump pump) {
    tasks
        .subscribe("zone-" + zone, "pumps", deviceId)
        .handle(
            received -> {
              switch (received.task().instruction()) {
                case "start" -> pump.open();
                case "stop" -> pump.shut();
                default -> throw new IllegalArgumentException("unknown instruction");
              }
            });
  }

  /** Somebody who wants a zone watered. */
  public UUID water(String zone) {
    return tasks.publish(Task.of("zone-" + zone, "start")).taskId();
  }

  /** Stops before anything else that waits, retries included. */
  public UUID stop(String zone) {
    return tasks.publish(Task.of("zone-" + zone, "stop").priority(Task.HIGH)).taskId();
  }

  /** Somebody who asks what became of it. */
  public String explain(UUID id) {
    var state = tasks.taskState(id);
    return state.status() + " after " + state.attempts() + " attempts, by " + state.deviceId();
  }

  /** Somebody who has looked into what failed, and has it tried again. */
  public long tryAgain() {
    long count = 0;
    for (DlqEntry entry : tasks.deadLetters()) {
      count += tasks.requeue(entry.task().id());
    }
    return count;
  }

  public void close() {
    tasks.close();
  }

  /** What a device moves. */
  public interface Pump {
    void open() throws IOException;

    void shut() throws IOException;
  }
}
