package io.holdfast.server.queen;

import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionInfo.LaneInfo;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Shape;

/** Queues and partitions in JSON. What the broker does not count is null, never a guess. */
final class QueueJson {
  static final Shape COUNTS =
      Shape.fields(
          Shape.required(
              "total", Shape.WHOLE, "Stored or delayed; settled ones that are kept too."),
          Shape.required(
              "pending", Shape.WHOLE, "Waiting by the slowest group, and come back to any."),
          Shape.required("processing", Shape.WHOLE, "Leased, summed over groups."),
          Shape.required("completed", Shape.WHOLE, "null: it is not counted."),
          Shape.required("failed", Shape.WHOLE, "null: it is not counted."),
          Shape.required("deadLetter", Shape.WHOLE, "Dead letters; null for a partition."),
          Shape.required("returned", Shape.WHOLE, "Come back, summed over groups."),
          Shape.required("delayed", Shape.WHOLE, "Not yet due."),
          Shape.required("bytes", Shape.WHOLE, "Bytes of what is stored."));

  static final Shape QUEUE =
      Shape.fields(
          Shape.required("id", Shape.TEXT, "Its number."),
          Shape.required("name", Shape.TEXT, "Its name."),
          Shape.required("namespace", Shape.TEXT, "Its namespace, or empty."),
          Shape.required("task", Shape.TEXT, "Its task, or empty."),
          Shape.required("createdAt", Shape.TIME, "When it was made."),
          Shape.required("paused", Shape.FLAG, "Whether deliveries are stopped."),
          Shape.required("partitions", Shape.WHOLE, "How many partitions it has."),
          Shape.required("groups", Shape.WHOLE, "How many groups it has."),
          Shape.required("messages", COUNTS, "How many messages are where."));

  static final Shape PARTITION =
      Shape.fields(
          Shape.required("id", Shape.TEXT, "The partition, as acks name it."),
          Shape.required("name", Shape.TEXT, "Its name."),
          Shape.required("lastPushAt", Shape.TIME, "When it was last pushed to."),
          Shape.required("stats", COUNTS, "How many messages are where."),
          Shape.required(
              "lanes",
              Shape.array(
                  Shape.fields(
                      Shape.required("priority", Shape.WHOLE, "The lane, 0 first."),
                      Shape.required("total", Shape.WHOLE, "Stored."),
                      Shape.required("pending", Shape.WHOLE, "Waiting by the slowest group."),
                      Shape.required("bytes", Shape.WHOLE, "Bytes of what is stored."))),
              "Its lanes."));

  private QueueJson() {}

  static void write(JsonOut out, QueueInfo queue) {
    begin(out, queue).put("partitions", queue.partitions());
    counts(out.beginObject("messages"), queue.counts(), true).endObject().endObject();
  }

  /** The beginning of a queue's object: what it is, but not what it holds. */
  static JsonOut begin(JsonOut out, QueueInfo queue) {
    return out.beginObject()
        .put("id", Integer.toString(queue.id()))
        .put("name", queue.name())
        .put("namespace", queue.options().text(QueueOption.NAMESPACE))
        .put("task", queue.options().text(QueueOption.TASK))
        .putTime("createdAt", queue.createdMs())
        .put("paused", queue.paused())
        .put("groups", queue.groups());
  }

  static JsonOut options(JsonOut out, QueueOptions options) {
    out.beginObject("options");
    for (QueueOption option : QueueOption.values()) {
      out.putValue(option.wireName(), options.get(option));
    }
    return out.endObject();
  }

  static void write(JsonOut out, PartitionInfo partition) {
    out.beginObject()
        .put("id", PartitionIds.text(partition.id()))
        .put("name", partition.name())
        .putTime("lastPushAt", partition.lastPushMs());
    counts(out.beginObject("stats"), partition.counts(), false).endObject().beginArray("lanes");
    for (LaneInfo lane : partition.lanes()) {
      out.beginObject()
          .put("priority", lane.lane())
          .put("total", lane.stored())
          .put("pending", lane.waiting())
          .put("bytes", lane.bytes())
          .endObject();
    }
    out.endArray().endObject();
  }

  static JsonOut counts(JsonOut out, Counts counts, boolean deadAreCounted) {
    out.put("total", counts.stored() + counts.delayed())
        .put("pending", pending(counts))
        .put("processing", counts.inFlight())
        .putNull("completed")
        .putNull("failed");
    if (deadAreCounted) {
      out.put("deadLetter", counts.dead());
    } else {
      out.putNull("deadLetter");
    }
    return out.put("returned", counts.returned())
        .put("delayed", counts.delayed())
        .put("bytes", counts.bytes());
  }

  static long pending(Counts counts) {
    return counts.waiting() + counts.returned();
  }
}
