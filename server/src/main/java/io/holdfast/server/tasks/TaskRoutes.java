package io.holdfast.server.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.Page;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.Position;
import io.holdfast.api.task.StartRequest;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.PartitionIds;
import io.holdfast.json.objects.TaskJson;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.messages.MessageIds;
import java.util.List;
import java.util.Locale;

/** The tasks of queues that track their messages. */
public final class TaskRoutes {
  static final String TOPIC = "Tasks";
  static final Field<String> QUEUE =
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

  private TaskRoutes() {}

  public static List<Route> routes() {
    return Route.about(
        TOPIC,
        Route.get("/api/v1/tasks/{id}")
            .summary("One task by its message")
            .answers(
                "there is such a task",
                TaskJson.TYPE,
                call -> call.ask(Broker::task, MessageIds.message(call))),
        Route.get("/api/v1/tasks")
            .summary("Tasks of a queue, oldest first")
            .query(QUEUE, STATUS, Paging.AFTER, Paging.LIMIT)
            .answers("a page of them", PAGE, TaskRoutes::tasks),
        Route.post("/api/v1/tasks/{id}/start", Access.CONSUME)
            .summary("Say that a leased task is being worked on")
            .traffic()
            .body(START)
            .answers("it is running", TaskJson.TYPE, TaskRoutes::start));
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
    MessageRef message = MessageIds.message(call);
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
}
