package io.holdfast.engine.command;

import io.holdfast.api.PopSource;

/** Something to do once a command is durable; only the owner of the shard does it. */
public sealed interface Effect {
  /**
   * A partition has work for pops that wait.
   *
   * @param tags namespace and task of the queue, each empty if it has none
   */
  record WakePops(String queue, String partition, PopSource.Tagged tags) implements Effect {}

  /** All partitions of a queue may have work. */
  record WakeQueue(String queue) implements Effect {}

  /** A lease ended, or lost a message: whoever waits with an extend should know. */
  record WakeExtends(long lease) implements Effect {}

  /** A record changed. */
  record WakeReaders(String key) implements Effect {}

  /** A queue keeps only sealed payloads from here on, or any. */
  record SealQueue(String queue, boolean on) implements Effect {}

  /** Rows from one key to another are gone, and many of them. */
  record ReclaimSpace(byte[] from, byte[] to) implements Effect {}
}
