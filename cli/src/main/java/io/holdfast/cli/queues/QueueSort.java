package io.holdfast.cli.queues;

import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.cli.options.EnumConverter;
import java.util.Comparator;
import java.util.function.ToLongFunction;

/** Sort orders of queues: largest first, then by name. */
public enum QueueSort {
  NAME(queue -> 0),
  /** Messages still to be delivered: waiting and returned. */
  DEPTH(queue -> depth(queue.counts())),
  IN_FLIGHT(queue -> queue.counts().inFlight()),
  DELAYED(queue -> queue.counts().delayed()),
  DEAD(queue -> queue.counts().dead()),
  STORED(queue -> queue.counts().stored()),
  BYTES(queue -> queue.counts().bytes()),
  PARTITIONS(QueueInfo::partitions);

  /** The sort orders, as arguments. */
  public static final class Converter extends EnumConverter<QueueSort> {
    public Converter() {
      super(QueueSort.class);
    }
  }

  private final ToLongFunction<QueueInfo> key;

  QueueSort(ToLongFunction<QueueInfo> key) {
    this.key = key;
  }

  public static long depth(Counts counts) {
    return counts.waiting() + counts.returned();
  }

  public Comparator<QueueInfo> order() {
    return Comparator.comparingLong(key).reversed().thenComparing(QueueInfo::name);
  }
}
