package io.holdfast.server.status;

import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueLoad;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
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

  QueueRow with(Rates found) {
    return new QueueRow(info, load, found);
  }
}
