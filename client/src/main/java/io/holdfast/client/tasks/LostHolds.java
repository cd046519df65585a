package io.holdfast.client.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TaskInfo.TaskGroup;
import io.holdfast.api.task.TaskStatus;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks the broker who holds a task that this process knows nothing of: after a restart of either,
 * or when a device's ack comes by another way than its task.
 *
 * <p>Thread: any.
 */
final class LostHolds {
  /**
   * What the broker says.
   *
   * @param hold the delivery that the ack is about; null if there is none, and then the verdict
   * @param status how far the task is; null if that is not known
   */
  record Answer(@Nullable Hold hold, AckVerdict verdict, @Nullable TaskStatus status) {}

  /** Longer than any ack timeout, and not so long that nanoseconds overflow. */
  private static final long LONG_AGO_NANOS = Long.MAX_VALUE / 4;

  private final Broker broker;
  private final Places places;
  private final TimeSource time;

  LostHolds(Broker broker, Places places, TimeSource time) {
    this.broker = broker;
    this.places = places;
    this.time = time;
  }

  Answer find(TaskAck ack) {
    Places.Place place = places.find(ack.taskId());
    if (place == null) {
      return new Answer(null, AckVerdict.UNKNOWN, null);
    }
    TaskInfo task = Answers.found(broker.task(place.ref()));
    MessageDetail detail = Answers.found(broker.message(place.ref()));
    if (detail != null) {
      for (GroupView view : detail.groups()) {
        TaskGroup group = group(task, view.group());
        if (view.state() == MessageState.IN_FLIGHT
            && view.leaseId() != null
            && isHeldBy(view, group, ack.deviceId())) {
          return new Answer(
              hold(ack, place, detail, view, view.leaseId(), group), AckVerdict.APPLIED, null);
        }
      }
    }
    if (task == null && detail == null) {
      places.forget(ack.taskId());
      return new Answer(null, AckVerdict.UNKNOWN, null);
    }
    TaskStatus now = task == null ? null : status(task, ack.deviceId());
    return new Answer(null, verdict(ack, now), now);
  }

  /**
   * Whether a device may speak for a lease: it asked for the task by its own name, or somebody did
   * by the name of the subscriber and no other device has begun.
   */
  private static boolean isHeldBy(GroupView view, @Nullable TaskGroup group, String deviceId) {
    if (group != null && group.status() == TaskStatus.RUNNING) {
      return group.worker() == null || group.worker().equals(deviceId);
    }
    String worker = view.worker();
    return worker == null || worker.equals(deviceId) || worker.equals(view.group());
  }

  private Hold hold(
      TaskAck ack,
      Places.Place place,
      MessageDetail detail,
      GroupView view,
      String leaseId,
      @Nullable TaskGroup group) {
    boolean running = group != null && group.status() == TaskStatus.RUNNING;
    return new Hold(
        ack.taskId(),
        place.messageId(),
        place.topic(),
        view.group(),
        new Handle(leaseId, detail.message().position()),
        detail.message().createdMs(),
        group == null ? 1 : group.attempts(),
        ack.deviceId(),
        running ? TaskStatus.RUNNING : TaskStatus.RECEIVED,
        // How old the lease is nobody knows: let the next sign of life renew it.
        time.nanos() - LONG_AGO_NANOS);
  }

  private static @Nullable TaskGroup group(@Nullable TaskInfo task, String name) {
    List<TaskGroup> groups = task == null ? List.of() : task.groups();
    return groups.stream().filter(group -> group.group().equals(name)).findFirst().orElse(null);
  }

  /** The status of the subscriber that a device worked for last, else of the whole. */
  private static TaskStatus status(TaskInfo task, String deviceId) {
    return task.groups().stream()
        .filter(group -> deviceId.equals(group.worker()))
        .map(TaskGroup::status)
        .findFirst()
        .orElse(task.status());
  }

  /** How far a task is for one subscriber; null if that is not known any more. */
  @Nullable TaskStatus status(UUID messageId, String subscriber) {
    TaskInfo task = Answers.found(broker.task(MessageRef.id(messageId)));
    TaskGroup group = group(task, subscriber);
    return group != null ? group.status() : task == null ? null : task.status();
  }

  /** What an ack is that changes nothing: news that is known, or that came too late. */
  static AckVerdict verdict(TaskAck ack, @Nullable TaskStatus now) {
    boolean known =
        now == ack.status() || (ack.status() == TaskStatus.FAILED && now == TaskStatus.DEAD);
    return known ? AckVerdict.REPEATED : AckVerdict.IGNORED;
  }
}
