package io.holdfast.cli;

import io.holdfast.api.Stats;
import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.Message;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Times;
import java.util.List;

/** What {@code --json} shows: each thing in the words of the API, times written out. */
final class Documents {
  private Documents() {}

  /** The fields of a message, within an object. */
  static JsonOut message(JsonOut out, Message message) {
    out.put("id", message.id())
        .put("queue", message.queue())
        .put("partition", message.partition())
        .put("priority", message.position().lane())
        .put("seq", message.position().seq())
        .put("transactionId", message.transactionId())
        .putTime("createdAt", message.createdMs())
        .putTime("visibleAt", message.visibleMs())
        .beginObject("headers");
    message.headers().forEach(out::put);
    return out.endObject().putPayload("payload", message.payload());
  }

  static JsonOut attempts(JsonOut out, List<Attempt> attempts) {
    out.beginArray("attempts");
    for (Attempt attempt : attempts) {
      out.beginObject()
          .put("number", attempt.number())
          .put("cause", Words.json(attempt.cause()))
          .put("worker", attempt.worker())
          .putTime("leasedAt", attempt.leasedMs())
          .putTime("endedAt", attempt.endedMs())
          .put("error", attempt.error())
          .endObject();
    }
    return out.endArray();
  }

  static JsonOut deadLetter(JsonOut out, DeadLetter dead) {
    message(out.beginObject(), dead.message())
        .put("group", dead.group())
        .putTime("diedAt", dead.diedMs())
        .put("error", dead.error())
        .put("failures", dead.failures())
        .put("expiries", dead.expiries());
    return attempts(out, dead.attempts()).endObject();
  }

  static JsonOut queue(JsonOut out, QueueInfo queue) {
    out.beginObject()
        .put("name", queue.name())
        .putTime("createdAt", queue.createdMs())
        .put("paused", queue.paused())
        .put("partitions", queue.partitions())
        .put("groups", queue.groups());
    return counts(out, queue.counts()).endObject();
  }

  static JsonOut options(JsonOut out, QueueOptions options) {
    out.beginObject("options");
    for (QueueOption option : QueueOption.values()) {
      out.putValue(option.wireName(), options.get(option));
    }
    return out.endObject();
  }

  static JsonOut counts(JsonOut out, Counts counts) {
    return out.beginObject("counts")
        .put("stored", counts.stored())
        .put("waiting", counts.waiting())
        .put("returned", counts.returned())
        .put("inFlight", counts.inFlight())
        .put("delayed", counts.delayed())
        .put("dead", counts.dead())
        .put("bytes", counts.bytes())
        .endObject();
  }

  static JsonOut partition(JsonOut out, PartitionInfo partition) {
    out.beginObject()
        .put("name", partition.name())
        .put("number", partition.id())
        .putTime("lastPushAt", partition.lastPushMs());
    counts(out, partition.counts()).beginArray("lanes");
    for (PartitionInfo.LaneInfo lane : partition.lanes()) {
      out.beginObject()
          .put("priority", lane.lane())
          .put("stored", lane.stored())
          .put("waiting", lane.waiting())
          .put("bytes", lane.bytes())
          .endObject();
    }
    return out.endArray().endObject();
  }

  static JsonOut group(JsonOut out, GroupInfo group) {
    return out.beginObject()
        .put("queue", group.queue())
        .put("group", group.group())
        .put("start", start(group.start()))
        .putTime("createdAt", group.createdMs())
        .put("lag", group.lag())
        .put("lagSeconds", group.lagMs() / 1000.0)
        .put("waiting", group.waiting())
        .put("returned", group.returned())
        .put("inFlight", group.inFlight())
        .put("dead", group.dead())
        .put("leases", group.leases())
        .endObject();
  }

  /** Where a group began: {@code all}, {@code new}, or a time. */
  static String start(StartFrom start) {
    return switch (start) {
      case StartFrom.All all -> "all";
      case StartFrom.New fresh -> "new";
      case StartFrom.Time time -> Times.text(time.fromMs());
    };
  }

  static JsonOut task(JsonOut out, TaskInfo task) {
    out.beginObject()
        .put("id", task.id())
        .put("queue", task.queue())
        .put("partition", task.partition())
        .put("transactionId", task.transactionId())
        .put("status", Words.json(task.status()))
        .putTime("publishedAt", task.publishedMs())
        .putTime("receivedAt", task.receivedMs())
        .putTime("startedAt", task.startedMs())
        .putTime("endedAt", task.endedMs())
        .put("worker", task.worker())
        .put("attempts", task.attempts())
        .put("error", task.error())
        .beginArray("groups");
    for (TaskInfo.TaskGroup group : task.groups()) {
      out.beginObject()
          .put("group", group.group())
          .put("status", Words.json(group.status()))
          .put("worker", group.worker())
          .put("attempts", group.attempts())
          .endObject();
    }
    return out.endArray().endObject();
  }

  /** The broker as a whole, within an object. */
  static JsonOut stats(JsonOut out, Stats stats) {
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
