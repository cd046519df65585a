package io.holdfast.client.tasks;

import io.holdfast.api.task.TaskStatus;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** The log events of tasks, in one place, so that people can rely on their form. */
final class TaskLog {
  private final Logger log;

  TaskLog(Logger log) {
    this.log = log;
  }

  void acked(TaskAck ack, TaskStatus before) {
    log.info(
        "[ACK] Task {}: {} → {} (device: {})",
        ack.taskId(),
        Texts.word(before),
        Texts.word(ack.status()),
        ack.deviceId());
  }

  void retrying(UUID taskId, int attempt, int maxRetries, Duration backoff) {
    log.warn(
        "[RETRY] Task {}: Attempt {}/{}, next retry in {}",
        taskId,
        attempt,
        maxRetries,
        Texts.seconds(backoff));
  }

  void dead(Hold hold, TaskAck ack, int attempts, List<String> errors) {
    log.error(
        "[DLQ] Task {}: Max retries exceeded, moved to DLQ (topic: {}, subscriber: {}, device: {},"
            + " attempts: {}, errors: {}); look at these errors and at the device, then requeue or"
            + " remove the task",
        ack.taskId(),
        hold.topic(),
        hold.subscriber(),
        ack.deviceId(),
        attempts,
        errors);
  }

  void dropped(Hold hold, TaskAck ack, int attempts) {
    log.error(
        "[DLQ] Task {}: Max retries exceeded, dropped, because the DLQ is off (topic: {},"
            + " subscriber: {}, device: {}, attempts: {}, error: {})",
        ack.taskId(),
        hold.topic(),
        hold.subscriber(),
        ack.deviceId(),
        attempts,
        Texts.oneLine(ack.error()));
  }

  void unknown(TaskAck ack) {
    log.warn(
        "[ACK] Task {}: unknown, {} ignored (device: {}); was it published in this namespace, and"
            + " is its state still kept?",
        ack.taskId(),
        Texts.word(ack.status()),
        ack.deviceId());
  }

  void ignored(TaskAck ack, @Nullable TaskStatus now) {
    log.warn(
        "[ACK] Task {}: {} ignored, it is {} (device: {}); the ack came out of order, or after the"
            + " ack timeout",
        ack.taskId(),
        Texts.word(ack.status()),
        now == null ? "held by nobody here" : Texts.word(now),
        ack.deviceId());
  }

  void requeued(UUID taskId, long count) {
    log.info("[DLQ] Task {}: requeued for {} subscribers", taskId, count);
  }

  void removed(UUID taskId, long count) {
    log.info("[DLQ] Task {}: removed, for {} subscribers", taskId, count);
  }

  void cleared(long count) {
    log.info("[DLQ] Cleared: {} entries removed", count);
  }

  void handlerFailed(Task task, Throwable failure) {
    log.debug("The handler failed on {}.", task, failure);
  }

  void cannot(String what, String topic, RuntimeException why) {
    log.warn("{} in topic {} did not work: {}", what, topic, why.toString());
  }

  void gaveUp(String what, Task task, RuntimeException why) {
    log.warn(
        "{} of {} could not be sent before its ack timeout: {}; it will be delivered again",
        what,
        task,
        why.toString());
  }

  void lost(Hold hold) {
    log.warn(
        "Task {}: the lease ended while its handler ran (topic: {}, subscriber: {}); the handler was"
            + " interrupted, and the task will be delivered again",
        hold.taskId(),
        hold.topic(),
        hold.subscriber());
  }

  void handlerLeft(String topic, String subscriber) {
    log.warn(
        "A handler of subscriber {} on topic {} did not end when it was told to; its thread is left"
            + " alone",
        subscriber,
        topic);
  }

  void stray(String thread) {
    log.debug("Thread {} was interrupted while it waited for a task.", thread);
  }

  void listenerFailed(RuntimeException failure) {
    log.error("A listener of acks failed.", failure);
  }
}
