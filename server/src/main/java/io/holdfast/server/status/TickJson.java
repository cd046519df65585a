package io.holdfast.server.status;

import io.holdfast.api.Stats;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.access.NamePatterns;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A sample as listeners get it.
 *
 * @param queue one to tell of by itself; null for none
 */
record TickJson(Sample sample, NamePatterns visible, @Nullable String queue) {
  private static final JsonObject<Levels> LEVELS =
      JsonObject.of(Levels.class)
          .whole("queues", Levels::queues, "The number of queues.")
          .whole("partitions", Levels::partitions, "The number of partitions.")
          .whole("groups", Levels::groups, "The number of groups, counted per queue.")
          .whole(
              "waiting",
              levels -> levels.counts().waiting(),
              "Never delivered, by the slowest group.")
          .whole("inFlight", levels -> levels.counts().inFlight(), "Leased.")
          .whole("returned", levels -> levels.counts().returned(), "Come back.")
          .whole("delayed", levels -> levels.counts().delayed(), "Not yet due.")
          .whole("dead", levels -> levels.counts().dead(), "Dead letters.")
          .whole("oldestMs", Levels::oldestMs, "How long the oldest message has been there.");

  private static final JsonType<TickJson> NOW =
      JsonObject.of(TickJson.class)
          .include(LEVELS, TickJson::levels)
          .includeOptional(
              JsonObject.of(Stats.class)
                  .whole("leases", Stats::leases, "Live leases; to callers who may see all queues.")
                  .whole(
                      "parked",
                      Stats::parkedPops,
                      "Calls that wait for an event; to the same callers."),
              tick -> tick.isWhole() ? tick.sample.stats() : null)
          .type();

  private static final JsonType<Sample> STORE =
      JsonObject.of(Sample.class)
          .text(
              "durability",
              sample -> sample.stats().durability(),
              "What an answer promises: fsync or os.")
          .number(
              "fsyncMs",
              sample -> Rates.rounded(sample.store().fsyncMs()),
              "How long an fsync takes, on average.")
          .number(
              "fsyncPerSecond",
              sample -> Rates.rounded(sample.store().fsyncPerSecond()),
              "Writes that are fsynced.")
          .number(
              "batchPerSecond", sample -> Rates.rounded(sample.store().batchPerSecond()), "Writes.")
          .wholeOrNull("diskBytes", sample -> sample.machine().diskBytes(), "The size of the data.")
          .wholeOrNull(
              "diskFreeBytes",
              sample -> sample.machine().diskFreeBytes(),
              "Free bytes of its disk.")
          .whole("storedBytes", sample -> sample.stats().storedBytes(), "Bytes of stored messages.")
          .whole("mailboxDepth", sample -> sample.stats().mailboxDepth(), "Commands that wait.")
          .type();

  private static final JsonType<Machine> MEMORY =
      JsonObject.of(Machine.class)
          .whole("heapUsed", Machine::heapUsed, "Bytes of the heap in use.")
          .whole("heapMax", Machine::heapMax, "The largest size of the heap.")
          .wholeOrNull("rss", Machine::rss, "Resident memory of the process.")
          .type();

  static final JsonType<Attention> ATTENTION =
      JsonObject.of(Attention.class)
          .field(
              "kind",
              Json.word(
                  Stream.of(Attention.Kind.values())
                      .map(Attention.Kind::word)
                      .toArray(String[]::new)),
              attention -> attention.kind().word(),
              "What it is about.")
          .text("text", Attention::text, "The same in words.")
          .optional("queue", Json.QUEUE, Attention::queue, "The queue.")
          .optional("group", Json.TEXT, Attention::group, "The group.")
          .optional(
              "count",
              Json.WHOLE,
              attention -> attention.count() > 0 ? attention.count() : null,
              "How many.")
          .optional(
              "since",
              Json.WHOLE,
              attention -> attention.sinceMs() > 0 ? attention.sinceMs() : null,
              "Since when, in epoch milliseconds.")
          .type();

  static final JsonType<TickJson> TYPE =
      JsonObject.of(TickJson.class)
          .whole("time", tick -> tick.sample.timeMs(), "The time in epoch milliseconds.")
          .field(
              "rates",
              Rates.TYPE,
              tick -> tick.isWhole() ? tick.sample.rates() : tick.levels().rates(),
              "Messages a second.")
          .field("now", NOW, tick -> tick, "The counts now.")
          .optional(
              "store",
              STORE,
              tick -> tick.isWhole() ? tick.sample : null,
              "The store; to callers who may see all queues.")
          .optional(
              "memory",
              MEMORY,
              tick -> tick.isWhole() ? tick.sample.machine() : null,
              "The process; to the same callers.")
          .list("attention", ATTENTION, TickJson::attention, "What needs attention.")
          .includeOptional(
              JsonObject.of(TickJson.class)
                  .fieldOrNull(
                      "queue",
                      QueueRow.TYPE,
                      TickJson::row,
                      "The queue that was asked for; null if there is none."),
              tick -> tick.queue == null ? null : tick)
          .type();

  private boolean isWhole() {
    return visible.isAll();
  }

  private Levels levels() {
    return isWhole() ? sample.levels() : Levels.of(sample.rows(visible));
  }

  private @Nullable QueueRow row() {
    return queue == null ? null : sample.byName().get(queue);
  }

  private List<Attention> attention() {
    return sample.attention().stream()
        .filter(
            each -> {
              String about = each.queue();
              return about == null ? visible.isAll() : visible.matches(about);
            })
        .toList();
  }
}
