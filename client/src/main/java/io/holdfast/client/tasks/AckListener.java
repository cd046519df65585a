package io.holdfast.client.tasks;

/** Hears of every ack that this process sent, after the broker has dealt with it. */
@FunctionalInterface
public interface AckListener {
  /** Called in the thread of who sent the ack; what it throws is logged. */
  void onAck(AckEvent event);
}
