package io.holdfast.cli.tasks;

import io.holdfast.api.task.TaskStatus;
import io.holdfast.cli.options.EnumConverter;

/** The statuses of tasks, as arguments. */
final class TaskStatuses extends EnumConverter<TaskStatus> {
  TaskStatuses() {
    super(TaskStatus.class);
  }
}
