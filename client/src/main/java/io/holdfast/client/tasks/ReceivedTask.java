package io.holdfast.client.tasks;

import io.holdfast.api.task.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task in the hands of a device, which has the ack timeout to say something about it.
 *
 * <p>The acks may also go to {@link TaskBroker#acks()}; these here cannot be taken for another
 * subscriber's.
 *
 * <p>Thread: any.
 */
public final class ReceivedTask {
  private final Wiring wiring;
  private final Task task;
  private final Hold hold;
  private final String deviceId;
  private final int failures;

  ReceivedTask(Wiring wiring, Task task, Hold hold, String deviceId, int failures) {
    this.wiring = wiring;
    this.task = task;
    this.hold = hold;
    this.deviceId = deviceId;
    this.failures = failures;
  }

  Hold hold() {
    return hold;
  }

  public Task task() {
    return task;
  }

  public String subscriber() {
    return hold.subscriber();
  }

  /** Which delivery to its subscriber this is, from 1. */
  public int attempt() {
    return hold.attempt();
  }

  /** How often it failed before. */
  public int failures() {
    return failures;
  }

  /** Says that work on it has begun; said again, that it goes on: that renews the ack timeout. */
  public AckVerdict running() {
    return send(TaskStatus.RUNNING, null);
  }

  /** Says that it is done. */
  public AckVerdict complete() {
    return send(TaskStatus.COMPLETE, null);
  }

  /** Says that it could not be done: it is tried again later, or dead after too many failures. */
  public AckVerdict failed(String error) {
    return send(TaskStatus.FAILED, error);
  }

  /**
   * Gives it back, as if it had never been received: another device gets it at once. For a device
   * that shuts down.
   *
   * @return whether it was still this device's to give
   */
  public boolean release() {
    return release(Duration.ZERO);
  }

  boolean release(Duration delay) {
    return wiring.acks().release(hold, delay);
  }

  private AckVerdict send(TaskStatus status, @Nullable String error) {
    Instant now = Instant.ofEpochMilli(wiring.time().wallMs());
    return wiring.acks().send(hold, new TaskAck(task.id(), status, deviceId, now, error));
  }

  /** Whether the ack timeout has not run out, as far as this process knows. */
  boolean isInTime() {
    long gone = wiring.time().nanos() - hold.renewedNanos();
    return gone < wiring.config().ackTimeout().toNanos();
  }

  @Override
  public String toString() {
    return "ReceivedTask[" + task + ", attempt=" + attempt() + "]";
  }
}
