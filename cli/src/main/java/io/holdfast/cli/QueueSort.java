package io.holdfast.cli;

import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueInfo;
import java.util.Comparator;
import java.util.function.ToLongFunction;

/** What queues are sorted by; the largest comes first, and of equals the first by name. */
enum QueueSort {
  NAME(queue -> 0),
  /** What has still to be delivered: waiting and come back. */
  DEPTH(queue -> depth(queue.counts())),
  IN_FLIGHT(queue -> queue.counts().inFlight()),
  DELAYED(queue -> queue.counts().delayed()),
  DEAD(queue -> queue.counts().dead()),
  STORED(queue -> queue.counts().stored()),
  BYTES(queue -> queue.counts().bytes()),
  PARTITIONS(QueueInfo::partitions);

  private final ToLongFunction<QueueInfo> key;

  QueueSort(ToLongFunction<QueueInfo> key) {
    this.key = key;
  }

  static long depth(Counts counts) {
    return counts.waiting() + counts.returned();
  }

  Comparator<QueueInfo> order() {
    return Comparator.comparingLong(key).reversed().thenComparing(QueueInfo::name);
  }
}
