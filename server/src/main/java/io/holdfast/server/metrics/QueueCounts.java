package io.holdfast.server.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/**
 * What went through each queue, for a limited number of queues; the others share one count.
 *
 * <p>Thread: any.
 */
final class QueueCounts {
  /** Stands for the queues that have no count of their own; no queue has this name. */
  static final String REST = "";

  /** The counts of one queue. */
  static final class Counts {
    final LongAdder pushed = new LongAdder();
    final LongAdder delivered = new LongAdder();
    final LongAdder acked = new LongAdder();
  }

  private final int queuesMax;
  private final Map<String, Counts> queues = new ConcurrentHashMap<>();
  private final Counts rest = new Counts();

  QueueCounts(int queuesMax) {
    this.queuesMax = queuesMax;
  }

  Counts of(String queue) {
    Counts counts = queues.get(queue);
    if (counts != null) {
      return counts;
    }
    // Threads that come at once may pass the limit by as many as they are.
    return queues.size() >= queuesMax ? rest : queues.computeIfAbsent(queue, name -> new Counts());
  }

  Counts rest() {
    return rest;
  }

  void forget(String queue) {
    queues.remove(queue);
  }

  void forEach(BiConsumer<String, Counts> action) {
    queues.forEach(action);
    action.accept(REST, rest);
  }
}
