package io.holdfast.client.tasks;

import io.holdfast.api.task.TaskStatus;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a device says of a task that it was given.
 *
 * @param status {@link TaskStatus#RUNNING}, {@link TaskStatus#COMPLETE} or {@link
 *     TaskStatus#FAILED}; the other statuses are the broker's to say
 * @param deviceId which device says it
 * @param timestamp when, by the device's clock; the broker goes by its own
 * @param error what went wrong, with FAILED and only then
 */
public record TaskAck(
    UUID taskId, TaskStatus status, String deviceId, Instant timestamp, @Nullable String error) {
  public TaskAck {
    Objects.requireNonNull(taskId, "taskId");
    Objects.requireNonNull(status, "status");
    Texts.name("deviceId", deviceId);
    Objects.requireNonNull(timestamp, "timestamp");
    boolean failed = status == TaskStatus.FAILED;
    if (!failed && status != TaskStatus.RUNNING && status != TaskStatus.COMPLETE) {
      throw new IllegalArgumentException(
          "status: expected RUNNING, COMPLETE or FAILED, but got " + status);
    }
    if (failed == (error == null)) {
      throw new IllegalArgumentException(
          failed
              ? "error: expected what went wrong, because the status is FAILED, but there is none"
              : "error: expected none, because the status is " + status + ", but there is one");
    }
  }

  /** The device has begun. Said again, it is a sign of life and renews the ack timeout. */
  public static TaskAck running(UUID taskId, String deviceId) {
    return new TaskAck(taskId, TaskStatus.RUNNING, deviceId, Instant.now(), null);
  }

  /** The device has done it. */
  public static TaskAck complete(UUID taskId, String deviceId) {
    return new TaskAck(taskId, TaskStatus.COMPLETE, deviceId, Instant.now(), null);
  }

  /** The device could not do it. */
  public static TaskAck failed(UUID taskId, String deviceId, String error) {
    return new TaskAck(taskId, TaskStatus.FAILED, deviceId, Instant.now(), error);
  }

  /** This ack at another time. */
  public TaskAck at(Instant time) {
    return new TaskAck(taskId, status, deviceId, time, error);
  }

  /** This ack in JSON, for devices that are not in this process. */
  public String toJson() {
    return TaskAckJson.write(this);
  }

  /**
   * The ack that a JSON object tells of.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static TaskAck fromJson(String json) {
    return TaskAckJson.read(json);
  }
}
