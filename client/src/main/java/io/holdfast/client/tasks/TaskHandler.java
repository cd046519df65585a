package io.holdfast.client.tasks;

/** What a device does with a task. */
@FunctionalInterface
public interface TaskHandler {
  /**
   * Does the task. Running was sent before; Complete is sent when this returns, Failed with the
   * error when it throws. When the subscription is closed meanwhile the thread is interrupted: a
   * handler that then throws has not failed, and the task goes to another device.
   */
  void handle(ReceivedTask task) throws Exception;
}
