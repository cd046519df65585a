package io.holdfast.server.metrics;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.server.http.Pages;
import io.holdfast.server.metrics.Families.Point;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
import java.util.List;

/**
 * What the queues and groups of a broker look like, for one scrape.
 *
 * <p>The first queues by name are shown each by itself. Those behind them are summed under an empty
 * name, so that the sum over all series is right; and what is too much even for that is left out,
 * and counted.
 */
final class QueueFamilies {
  /** Most queues that have series of their own. */
  static final int SHOWN_MAX = 1_000;

  /** Most queues that are looked at. */
  static final int READ_MAX = 10_000;

  private static final String QUEUE = "queue";

  private final List<Point> messages = new ArrayList<>();
  private final List<Point> bytes = new ArrayList<>();
  private final List<Point> paused = new ArrayList<>();
  private final List<Point> lag = new ArrayList<>();
  private final List<Point> age = new ArrayList<>();
  private Counts rest = Counts.NONE;
  private int read;

  private QueueFamilies() {}

  static void add(Broker broker, int queues, Families families) {
    QueueFamilies all = new QueueFamilies();
    all.readQueues(broker);
    all.readGroups(broker);
    all.write(queues, families);
  }

  private void readQueues(Broker broker) {
    Pages.stream(
            after ->
                Pages.orEmpty(
                    broker.queues(new QueuesRequest("", null, null, after, Limits.PAGE_MAX))))
        .limit(READ_MAX)
        .forEach(this::queue);
  }

  private void queue(QueueInfo queue) {
    read++;
    if (read > SHOWN_MAX) {
      rest = rest.plus(queue.counts());
      return;
    }
    counts(queue.name(), queue.counts());
    paused.add(Point.of(queue.paused() ? 1 : 0, QUEUE, queue.name()));
  }

  private void counts(String queue, Counts counts) {
    state(counts.waiting(), queue, "waiting");
    state(counts.inFlight(), queue, "in_flight");
    state(counts.returned(), queue, "returned");
    state(counts.delayed(), queue, "delayed");
    state(counts.dead(), queue, "dead");
    bytes.add(Point.of(counts.bytes(), QUEUE, queue));
  }

  private void state(long count, String queue, String state) {
    messages.add(Point.of(count, QUEUE, queue, "state", state));
  }

  private void readGroups(Broker broker) {
    GroupsRequest first = new GroupsRequest(null, null).limit(SHOWN_MAX);
    for (GroupInfo group : Pages.orEmpty(broker.groups(first)).items()) {
      lag.add(Point.of(group.lag(), QUEUE, group.queue(), "group", group.group()));
      age.add(
          new Point(
              group.lagMs() / 1000.0, Labels.of(QUEUE, group.queue(), "group", group.group())));
    }
  }

  private void write(int queues, Families families) {
    int shown = Math.min(read, SHOWN_MAX);
    if (read > shown) {
      counts(QueueCounts.REST, rest);
    }
    families.gauge(
        "holdfast_queues",
        "Queues, by how they are told here.",
        List.of(
            Point.of(shown, "told", "alone"),
            Point.of(read - shown, "told", "summed"),
            Point.of(Math.max(0, queues - read), "told", "not_at_all")));
    families.gauge("holdfast_queue_messages", "Messages of a queue, by where they are.", messages);
    families.gauge("holdfast_queue_stored_bytes", "Bytes of a queue's stored messages.", bytes);
    families.gauge("holdfast_queue_paused", "1 if deliveries from the queue are stopped.", paused);
    families.gauge("holdfast_group_lag_messages", "Messages a group has still to settle.", lag);
    families.gauge("holdfast_group_oldest_seconds", "Age of the oldest of them.", age);
  }
}
