package io.holdfast.cli.top;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.cli.queues.QueueScan;
import io.holdfast.cli.queues.QueueSort;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues that {@code top} has read: each update reads one page by name, the next update the
 * page after it. With more queues than one page, the other pages are older. Thread: one.
 */
final class TopQueues {
  private final NavigableMap<String, QueueInfo> known = new TreeMap<>();
  private @Nullable String after;

  /** Reads a page; returns false if it was the last. */
  boolean look(Broker broker) {
    String from = after;
    Page<QueueInfo> page =
        broker.queues(new QueuesRequest("", null, null, from, Limits.PAGE_MAX)).orThrow();
    String next = page.next();
    // A queue in the range of this page that it lacks was deleted.
    NavigableMap<String, QueueInfo> covered = from == null ? known : known.tailMap(from, false);
    (next == null ? covered : covered.headMap(next, true)).clear();
    for (QueueInfo queue : page.items()) {
      if (known.size() < QueueScan.QUEUES_MAX) {
        known.put(queue.name(), withoutOptions(queue));
      }
    }
    after = next;
    return next != null;
  }

  /** Reads all pages. */
  void lookAtAll(Broker broker) {
    for (int seen = 0; seen < QueueScan.QUEUES_MAX && look(broker); ) {
      seen += Limits.PAGE_MAX;
    }
  }

  /** Options are not shown, and would need much memory. */
  private static QueueInfo withoutOptions(QueueInfo queue) {
    return new QueueInfo(
        queue.name(),
        queue.id(),
        QueueOptions.DEFAULTS,
        queue.createdMs(),
        queue.paused(),
        queue.partitions(),
        queue.groups(),
        queue.counts());
  }

  List<QueueInfo> first(QueueSort sort, int most) {
    return known.values().stream().sorted(sort.order()).limit(most).toList();
  }
}
