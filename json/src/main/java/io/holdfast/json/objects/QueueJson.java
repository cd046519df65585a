package io.holdfast.json.objects;

import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionInfo.LaneInfo;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;

/** Queues and partitions as JSON. A number that the broker does not count is null. */
public final class QueueJson {
  /** The messages of a queue. */
  public static final JsonType<Counts> COUNTS = counts(true);

  /** The fields of a queue, except for its partitions and messages. */
  public static final JsonObject<QueueInfo> HEAD =
      JsonObject.of(QueueInfo.class)
          .text("id", queue -> Integer.toString(queue.id()), "Its number.")
          .text("name", QueueInfo::name, "Its name.")
          .text(
              "namespace",
              queue -> queue.options().text(QueueOption.NAMESPACE),
              "Its namespace, or empty.")
          .text("task", queue -> queue.options().text(QueueOption.TASK), "Its task, or empty.")
          .time("createdAt", QueueInfo::createdMs, "When it was created.")
          .flag("paused", QueueInfo::paused, "Whether deliveries are stopped.")
          .whole("groups", QueueInfo::groups, "Number of groups.");

  public static final JsonType<QueueInfo> QUEUE =
      JsonObject.of(QueueInfo.class)
          .include(HEAD, queue -> queue)
          .whole("partitions", QueueInfo::partitions, "Number of partitions.")
          .field("messages", COUNTS, QueueInfo::counts, "Messages by state.")
          .type();

  private static final JsonType<LaneInfo> LANE =
      JsonObject.of(LaneInfo.class)
          .whole("priority", LaneInfo::lane, "The lane, 0 first.")
          .whole("total", LaneInfo::stored, "Stored.")
          .whole("pending", LaneInfo::waiting, "Waiting by the slowest group.")
          .whole("bytes", LaneInfo::bytes, "Bytes of the stored messages.")
          .type();

  public static final JsonType<PartitionInfo> PARTITION =
      JsonObject.of(PartitionInfo.class)
          .text("id", part -> PartitionIds.text(part.id()), "The partition, as in acks.")
          .text("name", PartitionInfo::name, "Its name.")
          .timeOrNull(
              "lastPushAt", PartitionInfo::lastPushMs, "When it was last pushed to, or null.")
          .field("stats", counts(false), PartitionInfo::counts, "Messages by state.")
          .list("lanes", LANE, PartitionInfo::lanes, "Its lanes.")
          .type();

  /** The depth of a partition, without its queue. */
  public static final JsonObject<PartitionInfo> DEPTH =
      JsonObject.of(PartitionInfo.class)
          .text("partition", PartitionInfo::name, "The partition.")
          .text("partitionId", part -> PartitionIds.text(part.id()), "The same, as in acks.")
          .whole("pending", part -> pending(part.counts()), "Waiting or returned.")
          .whole("processing", part -> part.counts().inFlight(), "Leased.");

  private QueueJson() {}

  private static JsonType<Counts> counts(boolean deadAreCounted) {
    return JsonObject.of(Counts.class)
        .whole(
            "total",
            counts -> counts.stored() + counts.delayed(),
            "Stored or delayed, including settled messages that are kept.")
        .whole("pending", QueueJson::pending, "Waiting by the slowest group, or returned to any.")
        .whole("processing", Counts::inFlight, "Leased, summed over groups.")
        .nothing("completed", "null: not counted.")
        .nothing("failed", "null: not counted.")
        .fieldOrNull(
            "deadLetter",
            Json.WHOLE,
            counts -> deadAreCounted ? counts.dead() : null,
            "Dead letters; null for a partition.")
        .whole("returned", Counts::returned, "Returned, summed over groups.")
        .whole("delayed", Counts::delayed, "Not yet due.")
        .whole("bytes", Counts::bytes, "Bytes of the stored messages.")
        .type();
  }

  /** Messages that can be delivered: never delivered to the slowest group, or returned. */
  public static long pending(Counts counts) {
    return counts.waiting() + counts.returned();
  }
}
