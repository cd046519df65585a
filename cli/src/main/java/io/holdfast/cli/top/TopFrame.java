package io.holdfast.cli.top;

import io.holdfast.api.Stats;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.queues.QueueSort;
import io.holdfast.cli.queues.QueuesCommand;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.ByteCount;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Styled;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.json.JsonOut;
import io.holdfast.json.Times;
import io.holdfast.json.objects.QueueJson;
import java.util.ArrayList;
import java.util.List;

/**
 * The statistics that {@code top} shows at a time.
 *
 * @param queues the first queues in the sort order
 */
record TopFrame(
    String server, Stats stats, TopRates rates, QueueSort sort, List<QueueInfo> queues) {
  /** Number of rows above the first queue. */
  static final int HEAD_ROWS = 7;

  private static final int FIGURE_COLUMNS = 16;

  Text text() {
    Text text =
        new Text()
            .line(
                Style.BOLD.of("Holdfast"),
                "  " + server,
                "  up " + new Age(stats.nowMs() - stats.openedMs()),
                "  durability " + stats.durability(),
                "  " + Times.text(stats.nowMs()))
            .line(
                figures(
                    "push", rate(rates.pushed()),
                    "pop", rate(rates.delivered()),
                    "ack", rate(rates.acked()),
                    "nack", rate(rates.nacked()),
                    "expire", rate(rates.expired())))
            .line(
                figures(
                    "die", rate(rates.dead()),
                    "release", rate(rates.released()),
                    "fsync", rate(rates.synced()),
                    "each", tenths(rates.syncMs()) + "ms",
                    "mailbox", TextTable.grouped(stats.mailboxDepth())))
            .line(
                figures(
                    "queues", TextTable.grouped(stats.queues()),
                    "groups", TextTable.grouped(stats.groups()),
                    "leases", TextTable.grouped(stats.leases()),
                    "polls", TextTable.grouped(stats.parkedPops()),
                    "dead", TextTable.grouped(stats.dead())))
            .line(
                figures(
                    "partitions", TextTable.grouped(stats.partitions()),
                    "delayed", TextTable.grouped(stats.delayed()),
                    "stored", new ByteCount(stats.storedBytes()).toString(),
                    "kept", new ByteCount(stats.retainedBytes()).toString()))
            .blank();
    return queues.isEmpty() ? text.line("no queues") : text.table(QueuesCommand.table(queues));
  }

  private static Object[] figures(String... namesAndValues) {
    List<Object> parts = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      Styled name = Style.DIM.of(namesAndValues[i] + " ");
      String value = namesAndValues[i + 1];
      int room = FIGURE_COLUMNS - 1 - namesAndValues[i].length() - value.length();
      boolean last = i == namesAndValues.length - 2;
      parts.add(name);
      parts.add(last ? value : value + " ".repeat(Math.max(1, room)));
    }
    return parts.toArray();
  }

  private static String rate(double perSecond) {
    return (perSecond > 0 && perSecond < 10
            ? tenths(perSecond)
            : TextTable.grouped(Math.round(perSecond)))
        + "/s";
  }

  private static String tenths(double value) {
    return Double.toString(Math.round(value * 10) / 10.0);
  }

  JsonOut document() {
    JsonOut out = StatsJson.write(new JsonOut().beginObject(), stats);
    out.beginObject("perSecond")
        .put("pushed", rates.pushed())
        .put("delivered", rates.delivered())
        .put("acked", rates.acked())
        .put("nacked", rates.nacked())
        .put("released", rates.released())
        .put("expired", rates.expired())
        .put("dead", rates.dead())
        .put("synced", rates.synced())
        .endObject()
        .put("syncMs", rates.syncMs())
        .put("sort", Labels.json(sort));
    return CommandOutput.array(out, "queues", queues, QueueJson.QUEUE::write).endObject();
  }
}
