package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.cli.terminal.ByteCount;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.http.JsonOut;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code queues} command. */
@Command(
    name = "queues",
    description = "Lists queues, with how many messages are where.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast queues",
      "  holdfast queues --filter 'shop-*' --sort depth --limit 10",
      "  holdfast queues --watch 1s"
    })
final class QueuesCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote;
  @Mixin private WatchOptions watch;

  @Option(
      names = "--filter",
      paramLabel = "<name>",
      description = "Only queues with this in their name; with * for anything, it is the whole.")
  private @Nullable String filter;

  @Option(
      names = "--sort",
      paramLabel = "<by>",
      defaultValue = "name",
      converter = EnumWords.Sorts.class,
      completionCandidates = EnumWords.Sorts.class,
      description =
          "By what: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}); the most comes first.")
  private QueueSort sort;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "100",
      description = "Most queues (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  public Integer call() {
    return watch.show(remote, this::look);
  }

  private Told look(Broker broker) {
    if (limit < 1) {
      throw new IllegalArgumentException("--limit: expected 1 or more, but got " + limit);
    }
    QueueWalk walk = new QueueWalk(filter);
    List<QueueInfo> found =
        sort == QueueSort.NAME
            ? walk.first(broker, limit + 1, queue -> true)
            : walk.all(broker).stream().sorted(sort.order()).limit(limit + 1L).toList();
    boolean more = found.size() > limit;
    List<QueueInfo> shown = more ? found.subList(0, limit) : found;
    return Told.of(() -> document(shown, more), () -> text(shown, more));
  }

  private Text text(List<QueueInfo> queues, boolean more) {
    if (queues.isEmpty()) {
      return new Text().line(filter == null ? "no queues" : "no queues like " + filter);
    }
    Text text = new Text().table(table(queues));
    return more
        ? text.line(Style.DIM.of("there are more: --limit shows them, --filter chooses"))
        : text;
  }

  /** Queues as a table. */
  static TextTable table(List<QueueInfo> queues) {
    TextTable table =
        new TextTable(
            "QUEUE", "WAITING", "RETURNED", "IN FLIGHT", "DELAYED", "DEAD", "GROUPS", "SIZE");
    for (QueueInfo queue : queues) {
      Counts counts = queue.counts();
      table.row(
          queue.paused() ? Style.YELLOW.of(queue.name() + " (paused)") : queue.name(),
          counts.waiting(),
          counts.returned(),
          counts.inFlight(),
          counts.delayed(),
          counts.dead() > 0 ? Style.RED.of(counts.dead()) : counts.dead(),
          queue.groups(),
          new ByteCount(counts.bytes()));
    }
    return table;
  }

  private static JsonOut document(List<QueueInfo> queues, boolean more) {
    JsonOut out = new JsonOut().beginObject().beginArray("queues");
    queues.forEach(queue -> Documents.queue(out, queue));
    return out.endArray().put("more", more).endObject();
  }
}
