package io.holdfast.client.tasks;

import io.holdfast.api.lease.Handle;
import io.holdfast.api.task.TaskStatus;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One task in the hands of one device of one subscriber, as far as this process knows: the lease
 * that the broker granted decides.
 *
 * <p>Thread: any.
 */
final class Hold {
  private final UUID taskId;
  private final UUID messageId;
  private final String topic;
  private final String subscriber;
  private final Handle handle;
  private final long publishedMs;
  private final int attempt;

  /** Whose acks count; null until the first one has come, if the subscription did not say. */
  private final AtomicReference<@Nullable String> device;

  private final AtomicReference<TaskStatus> status;
  private volatile long renewedNanos;
  private volatile boolean over;

  Hold(
      UUID taskId,
      UUID messageId,
      String topic,
      String subscriber,
      Handle handle,
      long publishedMs,
      int attempt,
      @Nullable String device,
      TaskStatus status,
      long renewedNanos) {
    this.taskId = taskId;
    this.messageId = messageId;
    this.topic = topic;
    this.subscriber = subscriber;
    this.handle = handle;
    this.publishedMs = publishedMs;
    this.attempt = attempt;
    this.device = new AtomicReference<>(device);
    this.status = new AtomicReference<>(status);
    this.renewedNanos = renewedNanos;
  }

  UUID taskId() {
    return taskId;
  }

  UUID messageId() {
    return messageId;
  }

  String topic() {
    return topic;
  }

  String subscriber() {
    return subscriber;
  }

  Handle handle() {
    return handle;
  }

  long publishedMs() {
    return publishedMs;
  }

  int attempt() {
    return attempt;
  }

  /** Whether a device's acks are meant for this, for sure. */
  boolean isOf(String deviceId) {
    String bound = device.get();
    return deviceId.equals(bound == null ? subscriber : bound);
  }

  /** Takes a device's acks from here on, unless it is another's. */
  boolean bind(String deviceId) {
    return device.compareAndSet(null, deviceId) || isOf(deviceId);
  }

  boolean isFree() {
    return device.get() == null;
  }

  TaskStatus status() {
    return status.get();
  }

  /** Whether it was not running before. */
  boolean begin() {
    return status.compareAndSet(TaskStatus.RECEIVED, TaskStatus.RUNNING);
  }

  /** The broker did not hear of the beginning. */
  void unbegin() {
    status.compareAndSet(TaskStatus.RUNNING, TaskStatus.RECEIVED);
  }

  /** This delivery has ended, whichever way. */
  void end() {
    over = true;
  }

  boolean isOver() {
    return over;
  }

  void renewed(long nanos) {
    renewedNanos = nanos;
  }

  /** When this process last heard that the lease runs for the whole ack timeout. */
  long renewedNanos() {
    return renewedNanos;
  }

  boolean isSameDelivery(Hold other) {
    return topic.equals(other.topic) && subscriber.equals(other.subscriber);
  }
}
