package io.holdfast.server.status;

import io.holdfast.api.queue.Counts;
import java.util.Collection;

/** How much there is of everything, over some queues. */
public record Levels(
    int queues, long partitions, int groups, Counts counts, long oldestMs, Rates rates) {
  private static final Levels NONE = new Levels(0, 0, 0, Counts.NONE, 0, Rates.NONE);

  public static Levels of(Collection<QueueRow> rows) {
    Levels all = NONE;
    for (QueueRow row : rows) {
      all =
          new Levels(
              all.queues + 1,
              all.partitions + row.info().partitions(),
              all.groups + row.info().groups(),
              all.counts.plus(row.counts()),
              Math.max(all.oldestMs, row.load().oldestMs()),
              all.rates.plus(row.rates()));
    }
    return all;
  }
}
