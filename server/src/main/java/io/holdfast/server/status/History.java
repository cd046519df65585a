package io.holdfast.server.status;

import io.holdfast.api.Stats;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueLoad;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A day of samples: the whole broker at steps of ten seconds, and at steps of a minute the queues
 * that have most to do.
 *
 * <p>Invariant: at most {@link #QUEUES_MAX} queues have a series. One that has more to do takes the
 * place of the one that has least.
 *
 * <p>Thread: any.
 */
public final class History {
  static final int QUEUES_MAX = 500;
  static final long STEP_MS = 10_000;
  public static final long QUEUE_STEP_MS = 60_000;
  private static final long DAY_MS = 24 * 3_600_000L;

  /** How much of a queue's business is remembered from one step to the next. */
  private static final double MEMORY = 0.9;

  /** How much busier another queue has to be. */
  private static final double MARGIN = 2;

  /** The series of one queue. */
  private static final class OfQueue {
    private final Ring ring =
        new Ring(QUEUE_STEP_MS, (int) (DAY_MS / QUEUE_STEP_MS), Series.FIELDS);
    private QueueLoad counted;
    private long countedNanos;
    private double business;

    private OfQueue(QueueRow row, long nanos) {
      counted = row.load();
      countedNanos = nanos;
      business = business(row);
    }
  }

  private final Ring whole = new Ring(STEP_MS, (int) (DAY_MS / STEP_MS), Series.FIELDS);
  private final Map<String, OfQueue> queues = new HashMap<>();
  private @Nullable Stats counted;
  private long countedNanos;
  private long wholeStep;
  private long queueStep;

  /** Takes in a sample; of those within one step the last counts. */
  synchronized void add(Sample sample) {
    long step = sample.timeMs() / STEP_MS;
    Stats before = counted;
    if (before == null) {
      begin(sample);
      return;
    }
    if (step > wholeStep) {
      long nanos = sample.nanos() - countedNanos;
      put(
          whole,
          sample.timeMs() - STEP_MS,
          Rates.of(before, sample.stats(), nanos),
          sample.levels().counts(),
          sample.levels().oldestMs(),
          StoreRates.of(before, sample.stats(), nanos).fsyncMs());
      counted = sample.stats();
      countedNanos = sample.nanos();
      wholeStep = step;
    }
    if (sample.timeMs() / QUEUE_STEP_MS > queueStep) {
      queueStep = sample.timeMs() / QUEUE_STEP_MS;
      addQueues(sample);
    }
  }

  private void begin(Sample sample) {
    counted = sample.stats();
    countedNanos = sample.nanos();
    wholeStep = sample.timeMs() / STEP_MS;
    queueStep = sample.timeMs() / QUEUE_STEP_MS;
    admit(sample);
  }

  private void addQueues(Sample sample) {
    queues.keySet().retainAll(sample.byName().keySet());
    queues.forEach(
        (name, queue) -> {
          QueueRow row = sample.byName().get(name);
          if (row == null) {
            return;
          }
          put(
              queue.ring,
              sample.timeMs() - QUEUE_STEP_MS,
              Rates.of(queue.counted, row.load(), sample.nanos() - queue.countedNanos),
              row.counts(),
              row.load().oldestMs(),
              0);
          queue.counted = row.load();
          queue.countedNanos = sample.nanos();
          queue.business = queue.business * MEMORY + business(row) * (1 - MEMORY);
        });
    admit(sample);
  }

  /** Gives a series to queues that have something to do, the busiest first, as far as it goes. */
  private void admit(Sample sample) {
    List<QueueRow> others =
        sample.rows().stream()
            .filter(row -> business(row) > 0 && !queues.containsKey(row.name()))
            .sorted(Comparator.comparingDouble(History::business).reversed())
            .limit(QUEUES_MAX)
            .toList();
    for (QueueRow row : others) {
      if (queues.size() >= QUEUES_MAX && !makeRoom(business(row))) {
        return;
      }
      queues.put(row.name(), new OfQueue(row, sample.nanos()));
    }
  }

  private boolean makeRoom(double business) {
    String idlest = null;
    double least = business / MARGIN;
    for (Map.Entry<String, OfQueue> entry : queues.entrySet()) {
      if (entry.getValue().business < least) {
        least = entry.getValue().business;
        idlest = entry.getKey();
      }
    }
    return idlest != null && queues.remove(idlest) != null;
  }

  /** How much a queue has to do; one that only holds something counts little, but counts. */
  private static double business(QueueRow row) {
    boolean holds = row.load().lag() > 0 || row.counts().dead() > 0 || row.counts().delayed() > 0;
    return row.rates().sum() + (holds ? 0.001 : 0);
  }

  /** In the order of {@link Series.Field}. */
  private static void put(
      Ring ring, long timeMs, Rates rates, Counts counts, long oldestMs, double fsyncMs) {
    ring.put(
        timeMs,
        (float) rates.push(),
        (float) rates.pop(),
        (float) rates.ack(),
        (float) rates.nack(),
        (float) (counts.waiting() + counts.returned()),
        (float) counts.inFlight(),
        (float) counts.delayed(),
        (float) counts.dead(),
        (float) oldestMs,
        (float) fsyncMs);
  }

  public synchronized Series whole(long fromMs, long toMs, int pointsMax) {
    return Series.of(whole, fromMs, toMs, pointsMax);
  }

  /** The series of a queue; null if it has none. */
  public synchronized @Nullable Series ofQueue(
      String queue, long fromMs, long toMs, int pointsMax) {
    OfQueue kept = queues.get(queue);
    return kept == null ? null : Series.of(kept.ring, fromMs, toMs, pointsMax);
  }

  /** The queues that have a series, those with most to do first. */
  public synchronized List<String> busiest() {
    return queues.entrySet().stream()
        .sorted(
            Comparator.comparingDouble(
                    (Map.Entry<String, OfQueue> entry) -> entry.getValue().business)
                .reversed()
                .thenComparing(Map.Entry::getKey))
        .map(Map.Entry::getKey)
        .toList();
  }
}
