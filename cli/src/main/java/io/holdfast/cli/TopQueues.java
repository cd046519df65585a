package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.api.queue.QueuesRequest;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a broker as {@code top} knows them: each look asks for one page, by name, and goes
 * on behind it with the next. Of a broker with more queues than a page holds, those of other pages
 * are as they were some looks ago. Thread: one.
 */
final class TopQueues {
  private final NavigableMap<String, QueueInfo> known = new TreeMap<>();
  private @Nullable String after;

  /** Asks for a page; answers false if it was the last. */
  boolean look(Broker broker) {
    String from = after;
    Page<QueueInfo> page =
        broker.queues(new QueuesRequest("", null, null, from, Limits.PAGE_MAX)).orThrow();
    String next = page.next();
    // What this page covers and does not name is gone.
    NavigableMap<String, QueueInfo> covered = from == null ? known : known.tailMap(from, false);
    (next == null ? covered : covered.headMap(next, true)).clear();
    for (QueueInfo queue : page.items()) {
      if (known.size() < QueueWalk.QUEUES_MAX) {
        known.put(queue.name(), withoutOptions(queue));
      }
    }
    after = next;
    return next != null;
  }

  /** Asks for all pages. */
  void lookAtAll(Broker broker) {
    for (int seen = 0; seen < QueueWalk.QUEUES_MAX && look(broker); ) {
      seen += Limits.PAGE_MAX;
    }
  }

  /** They are not shown, and of very many queues they would fill the memory. */
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

  /** The first, in an order. */
  List<QueueInfo> first(QueueSort sort, int most) {
    return known.values().stream().sorted(sort.order()).limit(most).toList();
  }
}
