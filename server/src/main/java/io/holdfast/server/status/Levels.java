package io.holdfast.server.status;

import io.holdfast.api.queue.Counts;
import java.util.Collection;

/** How much there is of everything, over some queues. */
public record Levels(
    int queues,
    long partitions,
    int groups,
    long waiting,
    long inFlight,
    long returned,
    long delayed,
    long dead,
    long bytes,
    long oldestMs,
    Rates rates) {
  public static Levels of(Collection<QueueRow> rows) {
    long partitions = 0;
    int groups = 0;
    long waiting = 0;
    long inFlight = 0;
    long returned = 0;
    long delayed = 0;
    long dead = 0;
    long bytes = 0;
    long oldestMs = 0;
    Rates rates = Rates.NONE;
    for (QueueRow row : rows) {
      Counts counts = row.counts();
      partitions += row.info().partitions();
      groups += row.info().groups();
      waiting += counts.waiting();
      inFlight += counts.inFlight();
      returned += counts.returned();
      delayed += counts.delayed();
      dead += counts.dead();
      bytes += counts.bytes();
      oldestMs = Math.max(oldestMs, row.load().oldestMs());
      rates = rates.plus(row.rates());
    }
    return new Levels(
        rows.size(),
        partitions,
        groups,
        waiting,
        inFlight,
        returned,
        delayed,
        dead,
        bytes,
        oldestMs,
        rates);
  }
}
