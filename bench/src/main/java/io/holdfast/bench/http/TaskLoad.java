package io.holdfast.bench.http;

import io.holdfast.api.task.TaskStatus;
import io.holdfast.bench.Aim;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Latencies;
import io.holdfast.bench.Report;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.client.tasks.ReceivedTask;
import io.holdfast.client.tasks.RetryConfig;
import io.holdfast.client.tasks.Task;
import io.holdfast.client.tasks.TaskBroker;
import io.holdfast.client.tasks.TaskBrokerConfig;
import io.holdfast.client.tasks.TaskSubscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Tasks published on a schedule that waits for nobody, and devices that ack them: one in ten fails
 * once and is tried again, one in a hundred fails until it is dead.
 */
final class TaskLoad {
  private static final String TOPIC = "tasks";
  private static final int PER_SECOND = 1_000;
  private static final int TOGETHER = 10;
  private static final int DEVICES = 16;
  private static final int FAILS_ONCE = 10;
  private static final int FAILS_ALWAYS = 100;

  private final String address;
  private final long total;
  private final Map<UUID, Long> dueNanos = new ConcurrentHashMap<>();
  private final Map<UUID, Integer> numbers = new ConcurrentHashMap<>();
  private final AtomicLong completed = new AtomicLong();
  private final Latencies firstAcks = new Latencies();

  TaskLoad(String address, int seconds) {
    this.address = address;
    this.total = (long) PER_SECOND * seconds;
  }

  void run(Report report, String durability) throws InterruptedException {
    TaskBrokerConfig config =
        TaskBrokerConfig.DEFAULTS.retry(
            new RetryConfig(3, Duration.ofMillis(50), Duration.ofSeconds(1), 2));
    try (RemoteBroker remote = RemoteBroker.at(address);
        TaskBroker broker = TaskBroker.on(remote, config)) {
      List<TaskSubscription> devices = new ArrayList<>();
      for (int i = 0; i < DEVICES; i++) {
        devices.add(broker.subscribe(TOPIC, "zone", "device-" + i).handle(this::work));
      }
      long begun = System.nanoTime();
      publish(broker, begun);
      long dead = (total + FAILS_ALWAYS - 1) / FAILS_ALWAYS;
      awaitEnd(broker, dead);
      double rate = total * 1e9 / (System.nanoTime() - begun);
      devices.forEach(TaskSubscription::close);
      CheckFailedException.expectEqual("tasks completed", total - dead, completed.get());
      CheckFailedException.expectEqual("dead tasks", dead, broker.metrics().inDlq());
      CheckFailedException.expectEqual(
          "tasks acknowledged complete",
          total - dead,
          broker.metrics().acknowledged(TaskStatus.COMPLETE));
      report.add(
          Figure.of("client-tasks", rate, "tasks/s")
              .durability(durability)
              .with("ackP50Ms", firstAcks.percentileMs(0.5))
              .with("ackP99Ms", firstAcks.percentileMs(0.99))
              .with("dead", (double) dead)
              .with("averageRetries", broker.metrics().averageRetryCount())
              .note(PER_SECOND + " tasks/s on schedule, " + DEVICES + " devices"));
      report.add(Aim.atLeast("tasks per second, of 1,000 on schedule", rate, 0.9 * PER_SECOND));
    }
  }

  private void publish(TaskBroker broker, long begun) {
    List<Task> together = new ArrayList<>();
    for (int i = 0; i < total; i++) {
      Task task = Task.of(TOPIC, "water");
      numbers.put(task.id(), i);
      long due = begun + TimeUnit.SECONDS.toNanos(1) / PER_SECOND * i;
      dueNanos.put(task.id(), due);
      together.add(task);
      if (together.size() == TOGETHER || i == total - 1) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        broker.publish(together);
        together.clear();
      }
    }
  }

  private void work(ReceivedTask received) {
    UUID id = received.task().id();
    Long due = dueNanos.remove(id);
    if (due != null) {
      firstAcks.add(System.nanoTime() - due);
    }
    int number = numbers.getOrDefault(id, 0);
    if (number % FAILS_ALWAYS == 0 || (number % FAILS_ONCE == 0 && received.failures() == 0)) {
      throw new IllegalStateException("failed on purpose");
    }
    completed.incrementAndGet();
  }

  private void awaitEnd(TaskBroker broker, long dead) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while ((completed.get() < total - dead || broker.metrics().inDlq() < dead)
        && System.nanoTime() - deadline < 0) {
      Thread.sleep(20);
    }
  }
}
