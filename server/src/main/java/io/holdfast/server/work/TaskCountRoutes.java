package io.holdfast.server.work;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.TimeSource;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.queen.Refusals;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which queues track their messages, and what the tasks of one add up to.
 *
 * <p>Invariant: an answer is kept for {@link #KEPT_MS}, so that many who look cost as much as one;
 * whether the caller may see the queue is asked each time.
 *
 * <p>Thread: any.
 */
public final class TaskCountRoutes {
  private static final String TOPIC = "Tasks";
  private static final int QUEUES_MAX = 1_000;
  private static final int LOOKED_MAX = 100_000;
  private static final int KEPT_MAX = 100;
  private static final long KEPT_MS = 4_000;

  private static final Param QUEUE = Param.text("queue", "The queue; it must be named.");

  /** An answer and when it was made. */
  private record Kept(TaskCounts counts, long madeMs) {}

  private final Broker broker;
  private final TimeSource time;
  private final Map<String, Kept> kept = new LinkedHashMap<>();

  public TaskCountRoutes(Broker broker, TimeSource time) {
    this.broker = broker;
    this.time = time;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/task-queues",
                Access.READ,
                TOPIC,
                "Queues that track their messages, by name",
                this::queues)
            .answers(
                200,
                "the first " + QUEUES_MAX,
                Shape.fields(
                    Shape.required("queues", Shape.array(Shape.TEXT), "Their names."),
                    Shape.required("complete", Shape.FLAG, "Whether these are all."))),
        Route.get(
                "/api/v1/task-counts",
                Access.READ,
                TOPIC,
                "What the tasks of a queue add up to",
                this::counts)
            .query(QUEUE)
            .answers(200, "counted, at most " + KEPT_MS / 1000 + " seconds ago", COUNTS));
  }

  private Answer queues(Call call) {
    call.query();
    JsonOut out = new JsonOut().beginObject().beginArray("queues");
    int found = 0;
    int looked = 0;
    String after = null;
    do {
      Page<QueueInfo> page =
          Refusals.orThrow(
              broker.queues(new QueuesRequest("", null, null, after, Limits.PAGE_MAX)));
      for (QueueInfo queue : page.items()) {
        if (queue.options().flag(QueueOption.TRACK) && found < QUEUES_MAX) {
          out.add(queue.name());
          found++;
        }
      }
      looked += page.items().size();
      after = page.next();
    } while (after != null && found < QUEUES_MAX && looked < LOOKED_MAX);
    return Answer.ok(out.endArray().put("complete", after == null).endObject());
  }

  private Answer counts(Call call) {
    String queue = call.query().textOrDefault(QUEUE);
    // Refuses callers who may not see it, and queues that are not there.
    Refusals.orThrow(broker.tasks(new TasksRequest(queue, null, null, 1)));
    return Answer.ok(write(queue, countsOf(queue)));
  }

  private TaskCounts countsOf(String queue) {
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

  private static JsonOut write(String queue, TaskCounts counts) {
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("queue", queue)
            .put("tasks", counts.tasks())
            .put("complete", counts.isComplete())
            .beginObject("statuses");
    for (TaskStatus status : TaskStatus.values()) {
      out.put(word(status), counts.count(status));
    }
    out.endObject()
        .put("attempts", counts.attempts())
        .put("retried", counts.retried())
        .put("waitMs", counts.waitMs())
        .put("workMs", counts.workMs())
        .beginArray("workers");
    for (TaskCounts.Worker worker : counts.workers()) {
      out.beginObject()
          .put("worker", worker.name)
          .put("tasks", worker.tasks)
          .put("attempts", worker.attempts)
          .putTime("lastAt", worker.lastMs)
          .beginObject("statuses");
      for (TaskStatus status : TaskStatus.values()) {
        out.put(word(status), worker.statuses.getOrDefault(status, 0L));
      }
      out.endObject().endObject();
    }
    return out.endArray().endObject();
  }

  private static String word(TaskStatus status) {
    String name = status.name();
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }

  private static final Shape STATUSES =
      Shape.fields(
          Stream.of(TaskStatus.values())
              .map(
                  status ->
                      Shape.required(
                          word(status), Shape.WHOLE, "How many are " + word(status) + "."))
              .toArray(Shape.Field[]::new));

  private static final Shape COUNTS =
      Shape.fields(
          Shape.required("queue", Shape.QUEUE, "The queue."),
          Shape.required(
              "tasks",
              Shape.WHOLE,
              "Tasks that were looked at, oldest first: at most " + TaskCounts.TASKS_MAX + "."),
          Shape.required("complete", Shape.FLAG, "Whether those are all."),
          Shape.required("statuses", STATUSES, "By where they are in their lives."),
          Shape.required("attempts", Shape.WHOLE, "Deliveries, over all groups."),
          Shape.required("retried", Shape.WHOLE, "Tasks that a group was given more than once."),
          Shape.required("waitMs", Shape.WHOLE, "From push to first delivery, on average."),
          Shape.required("workMs", Shape.WHOLE, "From first delivery to the end, on average."),
          Shape.required(
              "workers",
              Shape.array(
                  Shape.fields(
                      Shape.required("worker", Shape.TEXT, "Its name."),
                      Shape.required("tasks", Shape.WHOLE, "Tasks that it had last."),
                      Shape.required("attempts", Shape.WHOLE, "Deliveries of those."),
                      Shape.required("lastAt", Shape.TIME, "When it was last heard of."),
                      Shape.required("statuses", STATUSES, "By where they are."))),
              "Those who worked on them, at most " + TaskCounts.WORKERS_MAX + "."));
}
