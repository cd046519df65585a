package io.holdfast.server.status;

import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Shape;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A sample in JSON, as listeners get it. */
final class TickJson {
  private static final Shape RATES =
      Shape.fields(
          Shape.required("push", Shape.NUMBER, "Messages stored."),
          Shape.required("pop", Shape.NUMBER, "Deliveries."),
          Shape.required("ack", Shape.NUMBER, "Messages done."),
          Shape.required("nack", Shape.NUMBER, "Messages that failed."));

  private static final Shape NOW =
      Shape.fields(
          Shape.required("queues", Shape.WHOLE, "How many queues."),
          Shape.required("partitions", Shape.WHOLE, "How many partitions."),
          Shape.required("groups", Shape.WHOLE, "How many groups, counted per queue."),
          Shape.required("waiting", Shape.WHOLE, "Never delivered, by the slowest group."),
          Shape.required("inFlight", Shape.WHOLE, "Leased."),
          Shape.required("returned", Shape.WHOLE, "Come back."),
          Shape.required("delayed", Shape.WHOLE, "Not yet due."),
          Shape.required("dead", Shape.WHOLE, "Dead letters."),
          Shape.optional("leases", Shape.WHOLE, "Live leases."),
          Shape.optional("parked", Shape.WHOLE, "Calls that wait for an event."),
          Shape.required("oldestMs", Shape.WHOLE, "How long the oldest has been there."));

  private static final Shape STORE =
      Shape.fields(
          Shape.required("durability", Shape.TEXT, "What an answer promises: fsync or os."),
          Shape.required("fsyncMs", Shape.NUMBER, "How long an fsync takes, on average."),
          Shape.required("fsyncPerSecond", Shape.NUMBER, "Writes that are fsynced."),
          Shape.required("batchPerSecond", Shape.NUMBER, "Writes."),
          Shape.required("diskBytes", Shape.WHOLE, "What the data takes, or null."),
          Shape.required("diskFreeBytes", Shape.WHOLE, "What is left on its disk, or null."),
          Shape.required("storedBytes", Shape.WHOLE, "Bytes of stored messages."),
          Shape.required("mailboxDepth", Shape.WHOLE, "Commands that wait."));

  private static final Shape MEMORY =
      Shape.fields(
          Shape.required("heapUsed", Shape.WHOLE, "Bytes of the heap in use."),
          Shape.required("heapMax", Shape.WHOLE, "Most it may take."),
          Shape.required("rss", Shape.WHOLE, "Memory of the process, or null."));

  static final Shape ATTENTION =
      Shape.fields(
          Shape.required(
              "kind",
              Shape.words(
                  Stream.of(Attention.Kind.values())
                      .map(Attention.Kind::word)
                      .toArray(String[]::new)),
              "What it is about."),
          Shape.required("text", Shape.TEXT, "The same in words."),
          Shape.optional("queue", Shape.QUEUE, "The queue."),
          Shape.optional("group", Shape.TEXT, "The group."),
          Shape.optional("count", Shape.WHOLE, "How many."),
          Shape.optional("since", Shape.WHOLE, "Since when, in epoch milliseconds."));

  static final Shape SHAPE =
      Shape.fields(
          Shape.required("time", Shape.WHOLE, "When, in epoch milliseconds."),
          Shape.required("rates", RATES, "How many a second."),
          Shape.required("now", NOW, "How much there is."),
          Shape.optional("store", STORE, "How the store is; to those who may see all queues."),
          Shape.optional("memory", MEMORY, "How the process is; to the same."),
          Shape.required("attention", Shape.array(ATTENTION), "What somebody should look at."),
          Shape.optional("queue", QueueRowJson.SHAPE, "The queue that was asked for, or null."));

  private TickJson() {}

  /**
   * @param queue one to tell of by itself; null for none
   */
  static byte[] of(Sample sample, Sight sight, @Nullable String queue) {
    JsonOut out = new JsonOut(2_048).beginObject().put("time", sample.timeMs());
    if (sight.isAll()) {
      whole(out, sample);
    } else {
      part(out, Levels.of(sample.rows(sight)));
    }
    attention(out.beginArray("attention"), sample.attention(), sight);
    out.endArray();
    if (queue != null) {
      QueueRow row = sample.byName().get(queue);
      if (row == null) {
        out.putNull("queue");
      } else {
        QueueRowJson.write(out.beginObject("queue"), row).endObject();
      }
    }
    return out.endObject().done();
  }

  private static void whole(JsonOut out, Sample sample) {
    rates(out, sample.rates());
    levels(out, sample.levels())
        .put("leases", sample.stats().leases())
        .put("parked", sample.stats().parkedPops())
        .endObject();
    StoreRates store = sample.store();
    out.beginObject("store")
        .put("durability", sample.stats().durability())
        .put("fsyncMs", QueueRowJson.rounded(store.fsyncMs()))
        .put("fsyncPerSecond", QueueRowJson.rounded(store.fsyncPerSecond()))
        .put("batchPerSecond", QueueRowJson.rounded(store.batchPerSecond()));
    known(out, "diskBytes", sample.machine().diskBytes());
    known(out, "diskFreeBytes", sample.machine().diskFreeBytes());
    out.put("storedBytes", sample.stats().storedBytes())
        .put("mailboxDepth", sample.stats().mailboxDepth())
        .endObject()
        .beginObject("memory")
        .put("heapUsed", sample.machine().heapUsed())
        .put("heapMax", sample.machine().heapMax());
    known(out, "rss", sample.machine().rss()).endObject();
  }

  private static void part(JsonOut out, Levels levels) {
    rates(out, levels.rates());
    levels(out, levels).endObject();
  }

  private static void rates(JsonOut out, Rates rates) {
    out.beginObject("rates")
        .put("push", QueueRowJson.rounded(rates.push()))
        .put("pop", QueueRowJson.rounded(rates.pop()))
        .put("ack", QueueRowJson.rounded(rates.ack()))
        .put("nack", QueueRowJson.rounded(rates.nack()))
        .endObject();
  }

  private static JsonOut levels(JsonOut out, Levels levels) {
    return out.beginObject("now")
        .put("queues", levels.queues())
        .put("partitions", levels.partitions())
        .put("groups", levels.groups())
        .put("waiting", levels.waiting())
        .put("inFlight", levels.inFlight())
        .put("returned", levels.returned())
        .put("delayed", levels.delayed())
        .put("dead", levels.dead())
        .put("oldestMs", levels.oldestMs());
  }

  /** A number, or null for what is not known. */
  static JsonOut known(JsonOut out, String name, long value) {
    return value < 0 ? out.putNull(name) : out.put(name, value);
  }

  static void attention(JsonOut out, List<Attention> all, Sight sight) {
    for (Attention each : all) {
      String queue = each.queue();
      if (queue == null ? !sight.isAll() : !sight.covers(queue)) {
        continue;
      }
      out.beginObject().put("kind", each.kind().word()).put("text", each.text());
      if (queue != null) {
        out.put("queue", queue);
      }
      if (each.group() != null) {
        out.put("group", each.group());
      }
      if (each.count() > 0) {
        out.put("count", each.count());
      }
      if (each.sinceMs() > 0) {
        out.put("since", each.sinceMs());
      }
      out.endObject();
    }
  }
}
