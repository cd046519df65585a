package io.holdfast.server.status;

import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Shape;

/** A queue of a sample in JSON. */
final class QueueRowJson {
  static final Shape SHAPE =
      Shape.fields(
          Shape.required("name", Shape.TEXT, "Its name."),
          Shape.required("namespace", Shape.TEXT, "Its namespace, or empty."),
          Shape.required("task", Shape.TEXT, "Its task, or empty."),
          Shape.required("paused", Shape.FLAG, "Whether deliveries are stopped."),
          Shape.required("partitions", Shape.WHOLE, "How many partitions it has."),
          Shape.required("groups", Shape.WHOLE, "How many groups it has."),
          Shape.required("waiting", Shape.WHOLE, "Never delivered, by the slowest group."),
          Shape.required("inFlight", Shape.WHOLE, "Leased, summed over groups."),
          Shape.required("returned", Shape.WHOLE, "Come back, summed over groups."),
          Shape.required("delayed", Shape.WHOLE, "Not yet due."),
          Shape.required("dead", Shape.WHOLE, "Dead letters."),
          Shape.required("bytes", Shape.WHOLE, "Bytes of what is stored."),
          Shape.required(
              "oldestMs", Shape.WHOLE, "How long the oldest unsettled message has been there."),
          Shape.required("lag", Shape.WHOLE, "Messages that the slowest group has to settle."),
          Shape.required("pushPerSecond", Shape.NUMBER, "Messages stored a second."),
          Shape.required("popPerSecond", Shape.NUMBER, "Deliveries a second."),
          Shape.required("ackPerSecond", Shape.NUMBER, "Messages done a second."));

  private QueueRowJson() {}

  static JsonOut write(JsonOut out, QueueRow row) {
    Counts counts = row.counts();
    return out.put("name", row.name())
        .put("namespace", row.info().options().text(QueueOption.NAMESPACE))
        .put("task", row.info().options().text(QueueOption.TASK))
        .put("paused", row.info().paused())
        .put("partitions", row.info().partitions())
        .put("groups", row.info().groups())
        .put("waiting", counts.waiting())
        .put("inFlight", counts.inFlight())
        .put("returned", counts.returned())
        .put("delayed", counts.delayed())
        .put("dead", counts.dead())
        .put("bytes", counts.bytes())
        .put("oldestMs", row.load().oldestMs())
        .put("lag", row.load().lag())
        .put("pushPerSecond", rounded(row.rates().push()))
        .put("popPerSecond", rounded(row.rates().pop()))
        .put("ackPerSecond", rounded(row.rates().ack()));
  }

  /** More digits than people read, and fewer than a double has. */
  static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
