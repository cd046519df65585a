package io.holdfast.engine.command;

import io.holdfast.api.PopSource;

/** Something to do once a command is durable, outside of the state. */
public sealed interface Effect {
  /** Wakes calls that wait: only the node that answers calls has any. */
  sealed interface OnLeader extends Effect {}

  /** Concerns the store or the memory of each node. */
  sealed interface OnEveryReplica extends Effect {}

  /**
   * A partition has work for pops that wait.
   *
   * @param tags namespace and task of the queue, each empty if it has none
   */
  record WakePops(String queue, String partition, PopSource.Tagged tags) implements OnLeader {}

  /** All partitions of a queue may have work. */
  record WakeQueue(String queue) implements OnLeader {}

  /** A lease ended, or lost a message: whoever waits with an extend should know. */
  record WakeExtends(long lease) implements OnLeader {}

  /** A record changed. */
  record WakeReaders(String key) implements OnLeader {}

  /** A queue keeps only sealed payloads from here on, or any. */
  record SealQueue(String queue, boolean on) implements OnEveryReplica {}

  /** Rows from one key to another are gone, and many of them. */
  record ReclaimSpace(byte[] from, byte[] to) implements OnEveryReplica {}
}
