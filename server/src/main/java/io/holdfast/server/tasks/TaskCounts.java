package io.holdfast.server.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.server.http.Refusals;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the tasks of a queue add up to: how many are where in their lives, how often they were tried
 * again, how long they took, and who worked on them.
 *
 * <p>Invariant: counts are over the tasks that were looked at, at most {@link #TASKS_MAX}; {@link
 * #complete} says whether those are all.
 *
 * <p>Thread: the one that adds them up; nothing changes afterwards.
 */
final class TaskCounts {
  /** Most tasks that are looked at. */
  static final int TASKS_MAX = 50_000;

  /** Most workers that are told apart; what others did is in the counts of the queue alone. */
  static final int WORKERS_MAX = 500;

  /** What one worker had last. */
  static final class Worker {
    final String name;
    final Map<TaskStatus, Long> statuses = new EnumMap<>(TaskStatus.class);
    long tasks;
    long attempts;
    long lastMs;

    Worker(String name) {
      this.name = name;
    }

    private void add(TaskInfo task) {
      tasks++;
      attempts += task.attempts();
      statuses.merge(task.status(), 1L, Long::sum);
      lastMs =
          Math.max(lastMs, Math.max(task.endedMs(), Math.max(task.startedMs(), task.receivedMs())));
    }
  }

  final String queue;
  final Map<TaskStatus, Long> statuses = new EnumMap<>(TaskStatus.class);
  long tasks;
  long attempts;

  /** Tasks that a group was given more than once. */
  long retried;

  /** Whether all tasks of the queue were looked at. */
  boolean complete;

  private final Map<String, Worker> workers = new HashMap<>();
  private long received;
  private long waitedMs;
  private long ended;
  private long workedMs;

  private TaskCounts(String queue) {
    this.queue = queue;
  }

  /** Looks at the tasks of a queue, oldest first. */
  static TaskCounts of(Broker broker, String queue) {
    return of(broker, queue, TASKS_MAX);
  }

  static TaskCounts of(Broker broker, String queue, int most) {
    TaskCounts counts = new TaskCounts(queue);
    String after = null;
    do {
      int limit = (int) Math.min(Limits.PAGE_MAX, most - counts.tasks);
      Page<TaskInfo> page =
          Refusals.orThrow(broker.tasks(new TasksRequest(queue, null, after, limit)));
      page.items().forEach(counts::add);
      after = page.next();
    } while (after != null && counts.tasks < most);
    counts.complete = after == null;
    return counts;
  }

  private void add(TaskInfo task) {
    tasks++;
    attempts += task.attempts();
    statuses.merge(task.status(), 1L, Long::sum);
    if (task.attempts() > Math.max(1, task.groups().size())) {
      retried++;
    }
    if (task.receivedMs() > 0) {
      received++;
      waitedMs += task.receivedMs() - task.publishedMs();
    }
    if (task.endedMs() > 0 && task.receivedMs() > 0) {
      ended++;
      workedMs += task.endedMs() - task.receivedMs();
    }
    String name = task.worker();
    if (name != null && (workers.containsKey(name) || workers.size() < WORKERS_MAX)) {
      workers.computeIfAbsent(name, Worker::new).add(task);
    }
  }

  /** From push to first delivery, on average; 0 if none was delivered. */
  long waitMs() {
    return received == 0 ? 0 : waitedMs / received;
  }

  /** From first delivery to the end, on average; 0 if none has ended. */
  long workMs() {
    return ended == 0 ? 0 : workedMs / ended;
  }

  /** Those with most tasks first. */
  List<Worker> workers() {
    return workers.values().stream()
        .sorted(
            Comparator.comparingLong((Worker worker) -> worker.tasks)
                .reversed()
                .thenComparing(worker -> worker.name))
        .toList();
  }
}
