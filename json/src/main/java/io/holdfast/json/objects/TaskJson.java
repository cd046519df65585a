package io.holdfast.json.objects;

import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import java.util.Locale;
import java.util.stream.Stream;

/** A task as JSON. */
public final class TaskJson {
  private static final String[] STATUSES =
      Stream.of(TaskStatus.values()).map(TaskJson::word).toArray(String[]::new);

  private static final JsonType<TaskStatus> STATE = Json.word(STATUSES).from(TaskJson::word);

  private static final JsonType<TaskInfo.TaskGroup> GROUP =
      JsonObject.of(TaskInfo.TaskGroup.class)
          .text("consumerGroup", TaskInfo.TaskGroup::group, "The group.")
          .field("status", STATE, TaskInfo.TaskGroup::status, "The task, for this group.")
          .textOrNull("worker", TaskInfo.TaskGroup::worker, "Who has it, or null.")
          .whole("attempts", TaskInfo.TaskGroup::attempts, "Deliveries to the group.")
          .type();

  public static final JsonType<TaskInfo> TYPE =
      JsonObject.of(TaskInfo.class)
          .id("id", TaskInfo::id, "The message's id.")
          .queue("queue", TaskInfo::queue, "Its queue.")
          .text("partition", TaskInfo::partition, "Its partition.")
          .textOrNull("transactionId", TaskInfo::transactionId, "Its name, or null.")
          .field("status", STATE, TaskInfo::status, "Where it is in its life.")
          .time("publishedAt", TaskInfo::publishedMs, "When it was pushed.")
          .timeOrNull("receivedAt", TaskInfo::receivedMs, "When it was delivered, or null.")
          .timeOrNull("startedAt", TaskInfo::startedMs, "When work on it began, or null.")
          .timeOrNull("endedAt", TaskInfo::endedMs, "When it ended, or null.")
          .textOrNull("worker", TaskInfo::worker, "Who had it last, or null.")
          .whole("attempts", TaskInfo::attempts, "Deliveries, over all groups.")
          .textOrNull("error", TaskInfo::error, "What the last failure said, or null.")
          .list("groups", GROUP, TaskInfo::groups, "Each group the task is for.")
          .type();

  private TaskJson() {}

  /** The words of all statuses. */
  public static String[] statuses() {
    return STATUSES.clone();
  }

  /** A status in a word. */
  public static String word(TaskStatus status) {
    String name = status.name();
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }
}
