package io.holdfast.server.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.TimeSource;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.objects.TaskJson;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which queues track their messages, and what the tasks of one add up to.
 *
 * <p>Invariant: an answer is kept for {@link #KEPT_MS}, so that many who look cost as much as one;
 * whether the caller may see the queue is asked each time.
 *
 * <p>Thread: any.
 */
public final class TaskCountRoutes {
  private static final int QUEUES_MAX = 1_000;
  private static final int LOOKED_MAX = 100_000;
  private static final int KEPT_MAX = 100;
  private static final long KEPT_MS = 4_000;

  /** An answer and when it was made. */
  private record Kept(TaskCounts counts, long madeMs) {}

  /** Queues that track their messages. */
  private record TaskQueues(List<String> queues, boolean complete) {}

  private static final JsonType<TaskQueues> QUEUES =
      JsonObject.of(TaskQueues.class)
          .list("queues", Json.TEXT, TaskQueues::queues, "Their names.")
          .flag("complete", TaskQueues::complete, "Whether these are all.")
          .type();

  private static final JsonType<Map<TaskStatus, Long>> STATUSES = statuses();

  private static final JsonType<TaskCounts.Worker> WORKER =
      JsonObject.of(TaskCounts.Worker.class)
          .text("worker", worker -> worker.name, "Its name.")
          .whole("tasks", worker -> worker.tasks, "Tasks that it had last.")
          .whole("attempts", worker -> worker.attempts, "Deliveries of those.")
          .timeOrNull("lastAt", worker -> worker.lastMs, "When it was last heard of.")
          .field("statuses", STATUSES, worker -> worker.statuses, "By where they are.")
          .type();

  private static final JsonType<TaskCounts> COUNTS =
      JsonObject.of(TaskCounts.class)
          .queue("queue", TaskCounts::queue, "The queue.")
          .whole(
              "tasks",
              TaskCounts::tasks,
              "Tasks that were looked at, oldest first: at most " + TaskCounts.TASKS_MAX + ".")
          .flag("complete", TaskCounts::isComplete, "Whether those are all.")
          .field("statuses", STATUSES, TaskCounts::statuses, "By where they are in their lives.")
          .whole("attempts", TaskCounts::attempts, "Deliveries, over all groups.")
          .whole("retried", TaskCounts::retried, "Tasks that a group was given more than once.")
          .whole("waitMs", TaskCounts::waitMs, "From push to first delivery, on average.")
          .whole("workMs", TaskCounts::workMs, "From first delivery to the end, on average.")
          .list(
              "workers",
              WORKER,
              TaskCounts::workers,
              "Those who worked on them, at most " + TaskCounts.WORKERS_MAX + ".")
          .type();

  private final TimeSource time;
  private final Map<String, Kept> kept = new LinkedHashMap<>();

  public TaskCountRoutes(TimeSource time) {
    this.time = time;
  }

  private static JsonType<Map<TaskStatus, Long>> statuses() {
    JsonObject<Map<TaskStatus, Long>> statuses = new JsonObject<>();
    for (TaskStatus status : TaskStatus.values()) {
      String word = TaskJson.word(status);
      statuses.whole(word, counts -> counts.getOrDefault(status, 0L), "How many are " + word + ".");
    }
    return statuses.type();
  }

  public List<Route> routes() {
    return Route.about(
        TaskRoutes.TOPIC,
        Route.get("/api/v1/task-queues")
            .summary("Queues that track their messages, by name")
            .answers("the first " + QUEUES_MAX, QUEUES, TaskCountRoutes::queues),
        Route.get("/api/v1/task-counts")
            .summary("What the tasks of a queue add up to")
            .query(TaskRoutes.QUEUE)
            .answers("counted, at most " + KEPT_MS / 1000 + " seconds ago", COUNTS, this::counts));
  }

  private static TaskQueues queues(Call call) {
    List<String> found = new ArrayList<>();
    int looked = 0;
    String after = null;
    do {
      Page<QueueInfo> page =
          call.ask(Broker::queues, new QueuesRequest("", null, null, after, Limits.PAGE_MAX));
      for (QueueInfo queue : page.items()) {
        if (queue.options().flag(QueueOption.TRACK) && found.size() < QUEUES_MAX) {
          found.add(queue.name());
        }
      }
      looked += page.items().size();
      after = page.next();
    } while (after != null && found.size() < QUEUES_MAX && looked < LOOKED_MAX);
    return new TaskQueues(found, after == null);
  }

  private TaskCounts counts(Call call) {
    String queue = call.query().get(TaskRoutes.QUEUE);
    // Refuses callers who may not see it, and queues that do not exist.
    call.ask(Broker::tasks, new TasksRequest(queue, null, null, 1));
    return countsOf(call.broker(), queue);
  }

  private TaskCounts countsOf(Broker broker, String queue) {
    long now = time.wallMs();
    synchronized (kept) {
      kept.values().removeIf(old -> Math.abs(now - old.madeMs) >= KEPT_MS);
      Kept known = kept.get(queue);
      if (known != null) {
        return known.counts;
      }
    }
    TaskCounts counts = TaskCounts.of(broker, queue);
    synchronized (kept) {
      if (kept.size() < KEPT_MAX) {
        kept.put(queue, new Kept(counts, now));
      }
    }
    return counts;
  }
}
