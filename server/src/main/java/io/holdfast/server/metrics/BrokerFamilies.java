package io.holdfast.server.metrics;

import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.Stats;
import io.holdfast.server.metrics.Families.Point;
import io.holdfast.server.status.ClockWarning;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
import java.util.List;

/** The state of the broker, asked once for each scrape, and what its meters counted. */
final class BrokerFamilies {
  private static final double NANOS = 1e9;

  private BrokerFamilies() {}

  static void add(Broker broker, BrokerMeters meters, Families families) {
    Result<Stats> stats = broker.stats();
    families.gauge(
        "holdfast_broker_up", "1 while the broker answers; 0: it stopped.", stats.isOk() ? 1 : 0);
    if (stats instanceof Result.Ok<Stats> ok) {
      now(families, ok.value());
      totals(families, ok.value().totals());
      writes(families, ok.value());
      QueueFamilies.add(broker, ok.value().queues(), families);
    }
    flow(meters, families);
  }

  private static void now(Families families, Stats stats) {
    families.info("holdfast_broker", "What an answer promises.", "durability", stats.durability());
    families.gauge("holdfast_partitions", "Partitions of all queues.", stats.partitions());
    families.gauge("holdfast_groups", "Groups of all queues.", stats.groups());
    families.gauge("holdfast_leases", "Leases that live.", stats.leases());
    families.gauge("holdfast_dead_letters", "Dead letters of all queues.", stats.dead());
    families.gauge("holdfast_delayed_messages", "Messages not yet due.", stats.delayed());
    families.gauge("holdfast_stored_bytes", "Bytes of stored messages.", stats.storedBytes());
    families.gauge(
        "holdfast_retained_bytes", "Those of them that are settled.", stats.retainedBytes());
    families.gauge("holdfast_mailbox_depth", "Commands that wait.", stats.mailboxDepth());
    families.gauge(
        "holdfast_clock_ahead_seconds",
        "How far the broker's time is ahead of the system clock.",
        ClockWarning.aheadSeconds(stats));
    families.gauge("holdfast_parked_polls", "Calls that wait for an event.", stats.parkedPops());
  }

  private static void totals(Families families, Stats.Totals totals) {
    families.counter("holdfast_messages_pushed", "Messages stored.", totals.pushed());
    families.counter(
        "holdfast_messages_duplicate", "Pushed again, and not stored.", totals.duplicates());
    families.counter("holdfast_messages_delivered", "Deliveries.", totals.delivered());
    families.counter("holdfast_messages_cancelled", "Messages taken back.", totals.cancelled());
    families.counter(
        "holdfast_messages_trimmed", "Messages whose space was freed.", totals.trimmed());
    families.counter(
        "holdfast_acks",
        "Ends of deliveries, by outcome.",
        List.of(
            Point.of(totals.acked(), "outcome", "acked"),
            Point.of(totals.nacked(), "outcome", "nacked"),
            Point.of(totals.released(), "outcome", "released"),
            Point.of(totals.dead(), "outcome", "dead"),
            Point.of(totals.dropped(), "outcome", "dropped"),
            Point.of(totals.unknownSettles(), "outcome", "unknown")));
    families.counter("holdfast_retries", "Nacks that are retried.", totals.retried());
    families.counter(
        "holdfast_lease_expirations", "Messages whose lease ran out.", totals.expired());
  }

  private static void writes(Families families, Stats stats) {
    families.counter("holdfast_batches", "Writes to the store.", stats.batches());
    families.counter("holdfast_fsyncs", "Writes that were fsynced.", stats.synced());
    families.counter(
        "holdfast_fsync_seconds",
        "Time spent in them.",
        List.of(new Point(stats.syncNanos() / NANOS, Labels.EMPTY)));
  }

  private static void flow(BrokerMeters meters, Families families) {
    List<Point> pushed = new ArrayList<>();
    List<Point> delivered = new ArrayList<>();
    List<Point> acked = new ArrayList<>();
    meters.queues.forEach(
        (queue, counts) -> {
          pushed.add(Point.of(counts.pushed.sum(), "queue", queue));
          delivered.add(Point.of(counts.delivered.sum(), "queue", queue));
          acked.add(Point.of(counts.acked.sum(), "queue", queue));
        });
    families.counter("holdfast_queue_pushed", "Messages stored, by queue.", pushed);
    families.counter("holdfast_queue_delivered", "Deliveries, by queue.", delivered);
    families.counter("holdfast_queue_acked", "Messages acked, by queue.", acked);
    families.gauge(
        "holdfast_leases_remembered",
        "Leases whose acks will be measured.",
        meters.leasesRemembered());
    families.add(
        meters.delivery.family(
            "holdfast_delivery_latency_seconds", "From visible to first delivered."));
    families.add(
        meters.ack.family("holdfast_ack_latency_seconds", "From delivered to acknowledged."));
  }
}
