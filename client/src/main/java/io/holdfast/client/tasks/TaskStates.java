package io.holdfast.client.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TaskStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads how far tasks are.
 *
 * <p>Thread: any.
 */
final class TaskStates {
  private final Broker broker;
  private final Places places;

  TaskStates(Broker broker, Places places) {
    this.broker = broker;
    this.places = places;
  }

  /** What the broker keeps of a task: its state, its message, or both. */
  private record Found(@Nullable TaskInfo task, @Nullable MessageDetail detail) {}

  TaskStatus status(UUID taskId) {
    Found found = find(taskId, false);
    return found.task() != null ? found.task().status() : untracked(taskId, found).status();
  }

  TaskState state(UUID taskId) {
    Found found = find(taskId, true);
    return found.task() != null
        ? tracked(taskId, found.task(), found.detail())
        : untracked(taskId, found);
  }

  /** A task where it is remembered to be; if it is not there, wherever it is. */
  private Found find(UUID taskId, boolean whole) {
    Places.Place place = places.remembered(taskId);
    Found found = place == null ? null : at(place, whole);
    if (found == null) {
      place = places.search(taskId);
      found = place == null ? null : at(place, whole);
    }
    if (found == null) {
      places.forget(taskId);
      throw UnknownTaskException.anywhere(taskId);
    }
    return found;
  }

  private @Nullable Found at(Places.Place place, boolean whole) {
    TaskInfo task = Answers.found(broker.task(place.ref()));
    // The state of a task that is over is forgotten some day, but a dead letter stays.
    MessageDetail detail =
        task == null || whole ? Answers.found(broker.message(place.ref())) : null;
    return task == null && detail == null ? null : new Found(task, detail);
  }

  private static TaskState tracked(UUID taskId, TaskInfo task, @Nullable MessageDetail detail) {
    return new TaskState(
        taskId,
        task.queue(),
        detail == null ? null : TaskCodec.task(detail.message()),
        Instant.ofEpochMilli(task.publishedMs()),
        time(task.receivedMs()),
        time(task.startedMs()),
        time(task.endedMs()),
        task.status(),
        task.worker(),
        task.attempts(),
        task.error(),
        subscribers(task));
  }

  private static TaskState untracked(UUID taskId, Found found) {
    MessageDetail detail = found.detail();
    if (detail == null) {
      throw UnknownTaskException.anywhere(taskId);
    }
    Message message = detail.message();
    List<TaskState.Subscriber> subscribers = subscribers(detail);
    String error =
        detail.groups().stream()
            .flatMap(view -> view.attempts().stream())
            .reduce((before, last) -> last)
            .map(DeadTasks::error)
            .orElse(null);
    return new TaskState(
        taskId,
        message.queue(),
        TaskCodec.task(message),
        Instant.ofEpochMilli(message.createdMs()),
        null,
        null,
        null,
        whole(subscribers),
        detail.groups().stream()
            .map(GroupView::worker)
            .filter(worker -> worker != null)
            .findFirst()
            .orElse(null),
        subscribers.stream().mapToInt(TaskState.Subscriber::attempts).sum(),
        error,
        subscribers);
  }

  private static List<TaskState.Subscriber> subscribers(TaskInfo task) {
    return task.groups().stream()
        .map(
            group ->
                new TaskState.Subscriber(
                    group.group(), group.status(), group.worker(), group.attempts()))
        .toList();
  }

  private static List<TaskState.Subscriber> subscribers(MessageDetail detail) {
    return detail.groups().stream()
        .map(
            view ->
                new TaskState.Subscriber(
                    view.group(), status(view), view.worker(), view.failures() + view.expiries()))
        .toList();
  }

  private static TaskStatus status(GroupView view) {
    return switch (view.state()) {
      case DELAYED, WAITING -> TaskStatus.QUEUED;
      case RETURNED ->
          view.failures() + view.expiries() > 0 ? TaskStatus.FAILED : TaskStatus.QUEUED;
      case IN_FLIGHT -> TaskStatus.RECEIVED;
      case SETTLED -> TaskStatus.COMPLETE;
      case DEAD -> TaskStatus.DEAD;
    };
  }

  private static TaskStatus whole(List<TaskState.Subscriber> subscribers) {
    for (TaskStatus status :
        List.of(
            TaskStatus.RUNNING,
            TaskStatus.RECEIVED,
            TaskStatus.FAILED,
            TaskStatus.QUEUED,
            TaskStatus.DEAD,
            TaskStatus.COMPLETE)) {
      if (subscribers.stream().anyMatch(subscriber -> subscriber.status() == status)) {
        return status;
      }
    }
    return TaskStatus.QUEUED;
  }

  private static @Nullable Instant time(long ms) {
    return ms == 0 ? null : Instant.ofEpochMilli(ms);
  }
}
