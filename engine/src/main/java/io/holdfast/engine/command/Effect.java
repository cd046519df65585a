package io.holdfast.engine.command;

import io.holdfast.api.lease.PopSource;
import java.util.List;

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
   * @param preferred the workers to which it was last leased, for groups that know them
   */
  record WakePops(String queue, String partition, PopSource.Tagged tags, List<Preferred> preferred)
      implements OnLeader {
    public WakePops(String queue, String partition, PopSource.Tagged tags) {
      this(queue, partition, tags, List.of());
    }

    /** The number of the worker whose sticky pop goes first; 0 for none. */
    public int preferredBy(String group) {
      for (Preferred each : preferred) {
        if (each.group.equals(group)) {
          return each.worker;
        }
      }
      return WorkerNumber.NONE;
    }
  }

  /**
   * The worker to which a group left a partition.
   *
   * @param worker its {@link WorkerNumber}
   */
  record Preferred(String group, int worker) {}

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
