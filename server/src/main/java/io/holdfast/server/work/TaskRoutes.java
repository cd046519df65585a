package io.holdfast.server.work;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.Position;
import io.holdfast.api.task.StartRequest;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Query;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.queen.PartitionIds;
import io.holdfast.server.queen.Refusals;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tasks of queues that track their messages. */
public final class TaskRoutes {
  private static final String TOPIC = "Tasks";
  private static final String[] STATUSES =
      Stream.of(TaskStatus.values()).map(TaskRoutes::word).toArray(String[]::new);

  private static final Param QUEUE = Param.text("queue", "The queue; it must be named.");
  private static final Param STATUS =
      Param.word("status", null, "Only tasks that are there in their life.", STATUSES);
  private static final Param AFTER =
      Param.text("after", "The next of the answer before; nothing for the first.");
  private static final Param LIMIT =
      Param.number("limit", 100, 1, Limits.PAGE_MAX, "Most of the answer.");

  private final Broker broker;

  public TaskRoutes(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/v1/tasks/{id}", Access.READ, TOPIC, "One task by its message", this::task)
            .answers(200, "there is such a task", SHAPE),
        Route.get(
                "/api/v1/tasks", Access.READ, TOPIC, "Tasks of a queue, oldest first", this::tasks)
            .query(QUEUE, STATUS, AFTER, LIMIT)
            .answers(
                200,
                "a page of them",
                Shape.fields(
                    Shape.required("tasks", Shape.array(SHAPE), "Oldest first."),
                    Shape.required("next", Shape.TEXT, "What to pass as after; null at the end."))),
        Route.post(
                "/api/v1/tasks/{id}/start",
                Access.CONSUME,
                TOPIC,
                "Say that a leased task is being worked on",
                this::start)
            .traffic()
            .body(
                Shape.fields(
                    Shape.required("leaseId", Shape.TEXT, "The lease that holds its message."),
                    Shape.optional("partitionId", Shape.TEXT, "Its partition, to be sure."),
                    Shape.optional("seq", Shape.WHOLE, "Its number, to be sure."),
                    Shape.optional("priority", Shape.WHOLE, "Its lane, to be sure."),
                    Shape.optional("worker", Shape.TEXT, "Who works on it.")))
            .answers(200, "it is running", SHAPE));
  }

  private static String word(TaskStatus status) {
    String name = status.name();
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }

  private Answer task(Call call) {
    return answer(Refusals.orThrow(broker.task(Ids.message(call))));
  }

  private Answer tasks(Call call) {
    Query query = call.query();
    String status = query.word(STATUS);
    Page<TaskInfo> page =
        Refusals.orThrow(
            broker.tasks(
                new TasksRequest(
                    query.textOrDefault(QUEUE),
                    status == null ? null : TaskStatus.valueOf(status.toUpperCase(Locale.ROOT)),
                    query.text(AFTER),
                    (int) query.number(LIMIT))));
    JsonOut out = new JsonOut().beginObject().beginArray("tasks");
    page.items().forEach(task -> write(out, task));
    return Answer.ok(out.endArray().put("next", page.next()).endObject());
  }

  /** A start as it came; what was not said is null. */
  private record Wish(
      String leaseId,
      @Nullable String partitionId,
      @Nullable Long seq,
      @Nullable Long lane,
      @Nullable String worker) {}

  private Answer start(Call call) {
    MessageRef message = Ids.message(call);
    Wish wish = call.json(TaskRoutes::readWish);
    Position place = Refusals.orThrow(broker.message(message)).message().position();
    String partition = wish.partitionId();
    expect("partitionId", partition == null || PartitionIds.number(partition) == place.partition());
    expect("seq", wish.seq() == null || wish.seq() == place.seq());
    expect("priority", wish.lane() == null || wish.lane() == place.lane());
    return answer(
        Refusals.orThrow(
            broker.start(new StartRequest(new Handle(wish.leaseId(), place), wish.worker()))));
  }

  private static void expect(String field, boolean same) {
    if (!same) {
      throw Problem.field(field, "expected that of the task's message, but it is another's");
    }
  }

  private static Wish readWish(JsonIn in) {
    String leaseId = null;
    String partitionId = null;
    Long seq = null;
    Long lane = null;
    String worker = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "leaseId" -> leaseId = in.text();
        case "partitionId" -> partitionId = in.textOrNull();
        case "seq" -> seq = in.number(0, Long.MAX_VALUE);
        case "priority" -> lane = in.number(0, Integer.MAX_VALUE);
        case "worker" -> worker = in.textOrNull();
        default -> throw in.unknown("leaseId", "partitionId", "seq", "priority", "worker");
      }
    }
    if (leaseId == null || leaseId.isEmpty()) {
      throw Problem.field("leaseId", "expected the lease of the task's message, but there is none");
    }
    return new Wish(leaseId, partitionId, seq, lane, worker);
  }

  private static Answer answer(TaskInfo task) {
    JsonOut out = new JsonOut();
    write(out, task);
    return Answer.ok(out);
  }

  private static void write(JsonOut out, TaskInfo task) {
    out.beginObject()
        .put("id", task.id().toString())
        .put("queue", task.queue())
        .put("partition", task.partition())
        .put("transactionId", task.transactionId())
        .put("status", word(task.status()))
        .putTime("publishedAt", task.publishedMs())
        .putTime("receivedAt", task.receivedMs())
        .putTime("startedAt", task.startedMs())
        .putTime("endedAt", task.endedMs())
        .put("worker", task.worker())
        .put("attempts", task.attempts())
        .put("error", task.error())
        .beginArray("groups");
    for (TaskInfo.TaskGroup group : task.groups()) {
      out.beginObject()
          .put("consumerGroup", group.group())
          .put("status", word(group.status()))
          .put("worker", group.worker())
          .put("attempts", group.attempts())
          .endObject();
    }
    out.endArray().endObject();
  }

  private static final Shape SHAPE =
      Shape.fields(
          Shape.required("id", Shape.TEXT, "The message's id."),
          Shape.required("queue", Shape.QUEUE, "Its queue."),
          Shape.required("partition", Shape.TEXT, "Its partition."),
          Shape.required("transactionId", Shape.TEXT, "Its name, or null."),
          Shape.required("status", Shape.words(STATUSES), "Where it is in its life."),
          Shape.required("publishedAt", Shape.TIME, "When it was pushed."),
          Shape.required("receivedAt", Shape.TIME, "When it was delivered, or null."),
          Shape.required("startedAt", Shape.TIME, "When work on it began, or null."),
          Shape.required("endedAt", Shape.TIME, "When it ended, or null."),
          Shape.required("worker", Shape.TEXT, "Who had it last, or null."),
          Shape.required("attempts", Shape.WHOLE, "Deliveries, over all groups."),
          Shape.required("error", Shape.TEXT, "What the last failure said, or null."),
          Shape.required(
              "groups",
              Shape.array(
                  Shape.fields(
                      Shape.required("consumerGroup", Shape.TEXT, "The group."),
                      Shape.required("status", Shape.words(STATUSES), "The task, for this group."),
                      Shape.required("worker", Shape.TEXT, "Who has it, or null."),
                      Shape.required("attempts", Shape.WHOLE, "Deliveries to the group."))),
              "Each group the task is for."));
}
