package io.holdfast.server.status;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.RefusedException;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.LoadsRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueLoad;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.http.Pages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A queue as a sample shows it. */
public record QueueRow(QueueInfo info, QueueLoad load, Rates rates) {
  /** A queue whose oldest message has waited longer than this is behind: the usual lease. */
  static final long LAGGING_MS = 300_000;

  static final JsonType<QueueRow> TYPE =
      JsonObject.of(QueueRow.class)
          .queue("name", QueueRow::name, "Its name.")
          .text("namespace", row -> row.text(QueueOption.NAMESPACE), "Its namespace, or empty.")
          .text("task", row -> row.text(QueueOption.TASK), "Its task, or empty.")
          .flag("paused", row -> row.info.paused(), "Whether deliveries are stopped.")
          .whole("partitions", row -> row.info.partitions(), "The number of its partitions.")
          .whole("groups", row -> row.info.groups(), "The number of its groups.")
          .whole("waiting", row -> row.counts().waiting(), "Never delivered, by the slowest group.")
          .whole("inFlight", row -> row.counts().inFlight(), "Leased, summed over groups.")
          .whole("returned", row -> row.counts().returned(), "Come back, summed over groups.")
          .whole("delayed", row -> row.counts().delayed(), "Not yet due.")
          .whole("dead", row -> row.counts().dead(), "Dead letters.")
          .whole("bytes", row -> row.counts().bytes(), "Bytes of what is stored.")
          .whole(
              "oldestMs",
              row -> row.load.oldestMs(),
              "How long the oldest unsettled message has been there.")
          .whole("lag", row -> row.load.lag(), "Messages that the slowest group has to settle.")
          .number(
              "pushPerSecond", row -> Rates.rounded(row.rates.push()), "Messages stored a second.")
          .number("popPerSecond", row -> Rates.rounded(row.rates.pop()), "Deliveries a second.")
          .number("ackPerSecond", row -> Rates.rounded(row.rates.ack()), "Messages done a second.")
          .type();

  /** The value of an option of it that is a text. */
  public String text(QueueOption option) {
    return info.options().text(option);
  }

  /** Whether it is of a namespace and of a task; null for any. */
  public boolean isOf(@Nullable String namespace, @Nullable String task) {
    return (namespace == null || namespace.equals(text(QueueOption.NAMESPACE)))
        && (task == null || task.equals(text(QueueOption.TASK)));
  }

  public String name() {
    return info.name();
  }

  public Counts counts() {
    return info.counts();
  }

  boolean isLagging() {
    return load.oldestMs() > LAGGING_MS;
  }

  private QueueRow with(Rates found) {
    return new QueueRow(info, load, found);
  }

  /**
   * All queues, by name; one that was made between the two lists comes with the next sample.
   *
   * @throws RefusedException if the broker refuses it
   */
  static List<QueueRow> all(Broker broker) {
    Map<String, QueueLoad> loads = new HashMap<>();
    Pages.stream(after -> broker.loads(new LoadsRequest(after, Limits.PAGE_MAX)).orThrow())
        .forEach(load -> loads.put(load.queue(), load));
    List<QueueRow> rows = new ArrayList<>(loads.size());
    Pages.stream(
            after ->
                broker.queues(new QueuesRequest("", null, null, after, Limits.PAGE_MAX)).orThrow())
        .forEach(
            queue -> {
              QueueLoad load = loads.get(queue.name());
              if (load != null) {
                rows.add(new QueueRow(queue, load, Rates.NONE));
              }
            });
    return rows;
  }

  /** The rows with their rates: counted from a sample, or as they were in the last one. */
  static List<QueueRow> rated(
      List<QueueRow> rows, @Nullable Sample from, @Nullable Sample before, long nanos) {
    List<QueueRow> rated = new ArrayList<>(rows.size());
    for (QueueRow row : rows) {
      QueueRow then = from == null ? null : from.byName().get(row.name());
      QueueRow last = before == null ? null : before.byName().get(row.name());
      if (from != null && then != null) {
        rated.add(row.with(Rates.of(then.load(), row.load(), nanos - from.nanos())));
      } else {
        rated.add(last == null ? row : row.with(last.rates()));
      }
    }
    return rated;
  }
}
