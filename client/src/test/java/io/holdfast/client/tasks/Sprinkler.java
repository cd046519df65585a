package io.holdfast.client.tasks;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A device as one would write it: it takes the tasks of its zone and says what becomes of them.
 *
 * <p>It knows two instructions: {@code start} lets water run, which fails while its well is dry,
 * and {@code stop} shuts it.
 */
final class Sprinkler implements AutoCloseable {
  private final String deviceId;
  private final AckSink acks;
  private final TaskSubscription subscription;
  private final Thread thread;
  private final Set<Task> watered = ConcurrentHashMap.newKeySet();
  private volatile boolean dry;
  private volatile boolean open;

  Sprinkler(TaskBroker broker, String zone, String deviceId) {
    this.deviceId = deviceId;
    this.acks = broker.acks();
    this.subscription = broker.subscribe("zone-" + zone, "sprinklers-" + zone, deviceId);
    this.thread = new Thread(this::work, deviceId);
    thread.start();
  }

  void runDry(boolean isDry) {
    dry = isDry;
  }

  boolean isOpen() {
    return open;
  }

  Set<Task> watered() {
    return watered;
  }

  private void work() {
    try {
      while (true) {
        handleTask(subscription.take().task());
      }
    } catch (InterruptedException | IllegalStateException shutDown) {
      open = false;
    }
  }

  private void handleTask(Task task) {
    acks.send(TaskAck.running(task.id(), deviceId));
    switch (task.instruction()) {
      case "start" -> {
        if (dry) {
          acks.send(TaskAck.failed(task.id(), deviceId, "no water"));
          return;
        }
        open = true;
        watered.add(task);
        acks.send(TaskAck.complete(task.id(), deviceId));
      }
      case "stop" -> {
        open = false;
        acks.send(TaskAck.complete(task.id(), deviceId));
      }
      default ->
          acks.send(
              TaskAck.failed(
                  task.id(), deviceId, "Unknown instruction type: " + task.instruction()));
    }
  }

  @Override
  public void close() {
    subscription.close();
    try {
      thread.join();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
