package io.holdfast.engine;

import io.holdfast.api.lease.PopSource;

/** What a parked call waits for. */
sealed interface WaitKey {
  /** Any partition of a queue. */
  record Queue(String name) implements WaitKey {}

  record Partition(String queue, String name) implements WaitKey {}

  /** All queues: no call waits for it, but those that wait for tags are woken by it. */
  record AllQueues() implements WaitKey {}

  /** Any queue with these tags. */
  record Tags(PopSource.Tagged tags) implements WaitKey {}

  record Lease(long id) implements WaitKey {}

  /** A new version of a record. */
  record Row(String key) implements WaitKey {}

  /** The key that this one is a part of; itself if it is no part. */
  default WaitKey whole() {
    return switch (this) {
      case Partition partition -> new Queue(partition.queue());
      case Tags tags -> new AllQueues();
      case Queue queue -> queue;
      case AllQueues all -> all;
      case Lease lease -> lease;
      case Row row -> row;
    };
  }
}
