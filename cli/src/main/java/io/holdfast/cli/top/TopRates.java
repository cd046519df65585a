package io.holdfast.cli.top;

import io.holdfast.api.Stats;
import io.holdfast.api.Stats.Totals;
import org.jspecify.annotations.Nullable;

/**
 * Rates per second between two statistics; all 0 at first and after a restart of the broker.
 *
 * @param syncMs the average time of an fsync
 */
record TopRates(
    double pushed,
    double delivered,
    double acked,
    double nacked,
    double released,
    double expired,
    double dead,
    double synced,
    double syncMs) {
  private static final double SECOND_MS = 1_000;
  private static final double NANOS_OF_MS = 1e6;

  static TopRates between(@Nullable Stats before, Stats now) {
    if (before == null || before.openedMs() != now.openedMs() || now.nowMs() <= before.nowMs()) {
      return new TopRates(0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
    double seconds = (now.nowMs() - before.nowMs()) / SECOND_MS;
    Totals a = before.totals();
    Totals b = now.totals();
    long synced = now.synced() - before.synced();
    return new TopRates(
        (b.pushed() - a.pushed()) / seconds,
        (b.delivered() - a.delivered()) / seconds,
        (b.acked() - a.acked()) / seconds,
        (b.nacked() - a.nacked()) / seconds,
        (b.released() - a.released()) / seconds,
        (b.expired() - a.expired()) / seconds,
        (b.dead() - a.dead()) / seconds,
        synced / seconds,
        synced == 0 ? 0 : (now.syncNanos() - before.syncNanos()) / NANOS_OF_MS / synced);
  }
}
