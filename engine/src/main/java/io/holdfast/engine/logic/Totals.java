package io.holdfast.engine.logic;

import io.holdfast.api.Stats;

/** What happened since the shard was opened; not part of its state. */
public final class Totals {
  long pushed;
  long duplicates;
  long delivered;
  long acked;
  long nacked;
  long released;
  long expired;
  long retried;
  long dead;
  long dropped;
  long cancelled;
  long unknownSettles;
  long trimmed;

  public Stats.Totals now() {
    return new Stats.Totals(
        pushed,
        duplicates,
        delivered,
        acked,
        nacked,
        released,
        expired,
        retried,
        dead,
        dropped,
        cancelled,
        unknownSettles,
        trimmed);
  }
}
