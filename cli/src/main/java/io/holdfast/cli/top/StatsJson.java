package io.holdfast.cli.top;

import io.holdfast.api.Stats;
import io.holdfast.json.JsonOut;

/** The JSON of a broker's statistics. */
final class StatsJson {
  private StatsJson() {}

  static JsonOut write(JsonOut out, Stats stats) {
    Stats.Totals totals = stats.totals();
    return out.beginObject("stats")
        .put("durability", stats.durability())
        .putTime("openedAt", stats.openedMs())
        .putTime("now", stats.nowMs())
        .put("queues", stats.queues())
        .put("partitions", stats.partitions())
        .put("groups", stats.groups())
        .put("leases", stats.leases())
        .put("delayed", stats.delayed())
        .put("dead", stats.dead())
        .put("storedBytes", stats.storedBytes())
        .put("retainedBytes", stats.retainedBytes())
        .put("mailboxDepth", stats.mailboxDepth())
        .put("parkedPops", stats.parkedPops())
        .put("synced", stats.synced())
        .put("syncNanos", stats.syncNanos())
        .put("clockAheadMs", stats.clockAheadMs())
        .beginObject("totals")
        .put("pushed", totals.pushed())
        .put("delivered", totals.delivered())
        .put("acked", totals.acked())
        .put("nacked", totals.nacked())
        .put("released", totals.released())
        .put("expired", totals.expired())
        .put("dead", totals.dead())
        .endObject()
        .endObject();
  }
}
