package io.holdfast.server.status;

import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueLoad;

/** A queue as a sample shows it. */
record QueueRow(QueueInfo info, QueueLoad load, Rates rates) {
  /** A queue whose oldest message has waited longer than this is behind: the usual lease. */
  static final long LAGGING_MS = 300_000;

  String name() {
    return info.name();
  }

  Counts counts() {
    return info.counts();
  }

  boolean isLagging() {
    return load.oldestMs() > LAGGING_MS;
  }

  Rates since(QueueLoad before, long nanos) {
    return Rates.of(
        load.pushed() - before.pushed(),
        load.delivered() - before.delivered(),
        load.acked() - before.acked(),
        load.nacked() - before.nacked(),
        nanos);
  }

  QueueRow with(Rates found) {
    return new QueueRow(info, load, found);
  }
}
