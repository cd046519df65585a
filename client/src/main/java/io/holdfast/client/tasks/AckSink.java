package io.holdfast.client.tasks;

/**
 * Where devices send their acks.
 *
 * <p>Thread: any number of devices may send at once.
 */
@FunctionalInterface
public interface AckSink {
  /**
   * Hands in an ack; when this returns, what it changed is as durable as the broker promises.
   *
   * @throws io.holdfast.api.UnreachableException if the broker did not answer; send the ack again,
   *     a repeat is harmless
   * @throws io.holdfast.api.RefusedException if the broker is closed or takes no more just now
   */
  AckVerdict send(TaskAck ack);
}
