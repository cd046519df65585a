package io.holdfast.server.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.Position;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.api.task.StartRequest;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.PartitionIds;
import io.holdfast.json.objects.TaskJson;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.messages.MessageRoutes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The tasks of queues that track their messages, and their counts.
 *
 * <p>Invariant: counts are kept for {@link #KEPT_MS}, so that many who look cost as much as one;
 * whether the caller may see the queue is asked each time.
 *
 * <p>Thread: any.
 */
public final class TaskRoutes {
  private static final String TOPIC = "Tasks";
  private static final Field<String> QUEUE =
      Field.required("queue", Json.QUEUE, "The queue; it must be named.");
  private static final Field<String> STATUS =
      Field.word("status", null, "Only tasks that are there in their life.", TaskJson.statuses());

  private static final String NO_LEASE =
      "leaseId: expected the lease of the task's message, but there is none";
  private static final Field<String> LEASE_ID =
      Field.required("leaseId", Json.TEXT, "The lease that holds its message.").missing(NO_LEASE);
  private static final Field<String> PARTITION_ID =
      Field.text("partitionId", "Its partition, to be sure.");
  private static final Field<Long> SEQ =
      Field.optional("seq", Json.whole(0, Long.MAX_VALUE), "Its number, to be sure.");
  private static final Field<Long> PRIORITY =
      Field.optional("priority", Json.whole(0, Integer.MAX_VALUE), "Its lane, to be sure.");
  private static final Field<String> WORKER = Field.text("worker", "Who works on it.");
  private static final JsonType<Values> START =
      Json.object(TaskRoutes::checked, LEASE_ID, PARTITION_ID, SEQ, PRIORITY, WORKER);

  private static final JsonType<Page<TaskInfo>> PAGE =
      Json.page("tasks", TaskJson.TYPE, "Oldest first.");

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

  private static final JsonType<TaskCounts.Worker> WORKER_COUNTS =
      JsonObject.of(TaskCounts.Worker.class)
          .text("worker", worker -> worker.name, "Its name.")
          .whole("tasks", worker -> worker.tasks, "Tasks that it had last.")
          .whole("attempts", worker -> worker.attempts, "Deliveries of those.")
          .timeOrNull("lastAt", worker -> worker.lastMs, "When it was last heard of.")
          .field("statuses", STATUSES, worker -> worker.statuses, "By where they are.")
          .type();

  private static final JsonType<TaskCounts> COUNTS =
      JsonObject.of(TaskCounts.class)
          .queue("queue", counts -> counts.queue, "The queue.")
          .whole(
              "tasks",
              counts -> counts.tasks,
              "Tasks that were looked at, oldest first: at most " + TaskCounts.TASKS_MAX + ".")
          .flag("complete", counts -> counts.complete, "Whether those are all.")
          .field(
              "statuses", STATUSES, counts -> counts.statuses, "By where they are in their lives.")
          .whole("attempts", counts -> counts.attempts, "Deliveries, over all groups.")
          .whole(
              "retried", counts -> counts.retried, "Tasks that a group was given more than once.")
          .whole("waitMs", TaskCounts::waitMs, "From push to first delivery, on average.")
          .whole("workMs", TaskCounts::workMs, "From first delivery to the end, on average.")
          .list(
              "workers",
              WORKER_COUNTS,
              TaskCounts::workers,
              "Those who worked on them, at most " + TaskCounts.WORKERS_MAX + ".")
          .type();

  private final TimeSource time;
  private final Map<String, Kept> kept = new LinkedHashMap<>();

  public TaskRoutes(TimeSource time) {
    this.time = time;
  }

  public List<Route> routes() {
    return Route.about(
        TOPIC,
        Route.get("/api/v1/tasks/{id}")
            .summary("One task by its message")
            .answers(
                "there is such a task",
                TaskJson.TYPE,
                call -> call.ask(Broker::task, MessageRoutes.byId(call))),
        Route.get("/api/v1/tasks")
            .summary("Tasks of a queue, oldest first")
            .query(QUEUE, STATUS, Paging.AFTER, Paging.LIMIT)
            .answers("a page of them", PAGE, TaskRoutes::tasks),
        Route.post("/api/v1/tasks/{id}/start", Access.CONSUME)
            .summary("Say that a leased task is being worked on")
            .traffic()
            .body(START)
            .answers("it is running", TaskJson.TYPE, TaskRoutes::start),
        Route.get("/api/v1/task-queues")
            .summary("Queues that track their messages, by name")
            .answers("the first " + QUEUES_MAX, QUEUES, TaskRoutes::queues),
        Route.get("/api/v1/task-counts")
            .summary("What the tasks of a queue add up to")
            .query(QUEUE)
            .answers("counted, at most " + KEPT_MS / 1000 + " seconds ago", COUNTS, this::counts));
  }

  private static Page<TaskInfo> tasks(Call call) {
    Values query = call.query();
    String status = query.find(STATUS);
    return call.ask(
        Broker::tasks,
        new TasksRequest(
            query.get(QUEUE),
            status == null ? null : TaskStatus.valueOf(status.toUpperCase(Locale.ROOT)),
            query.find(Paging.AFTER),
            query.get(Paging.LIMIT).intValue()));
  }

  private static TaskInfo start(Call call) {
    MessageRef message = MessageRoutes.byId(call);
    Values in = call.json(START);
    Position place = call.ask(Broker::message, message).message().position();
    String partition = in.find(PARTITION_ID);
    Long seq = in.find(SEQ);
    Long lane = in.find(PRIORITY);
    expect("partitionId", partition == null || PartitionIds.number(partition) == place.partition());
    expect("seq", seq == null || seq == place.seq());
    expect("priority", lane == null || lane == place.lane());
    return call.ask(
        Broker::start, new StartRequest(new Handle(in.get(LEASE_ID), place), in.find(WORKER)));
  }

  private static void expect(String field, boolean same) {
    if (!same) {
      throw Problem.field(field, "expected that of the task's message, but it is another's");
    }
  }

  private static Values checked(Values in) {
    if (in.get(LEASE_ID).isEmpty()) {
      throw Problem.required("leaseId", NO_LEASE);
    }
    return in;
  }

  private static JsonType<Map<TaskStatus, Long>> statuses() {
    JsonObject<Map<TaskStatus, Long>> statuses = new JsonObject<>();
    for (TaskStatus status : TaskStatus.values()) {
      String word = TaskJson.word(status);
      statuses.whole(word, counts -> counts.getOrDefault(status, 0L), "How many are " + word + ".");
    }
    return statuses.type();
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
    String queue = call.query().get(QUEUE);
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
