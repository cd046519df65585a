package io.holdfast.cli.queues;

import io.holdfast.api.Broker;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.cli.options.Bounds;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.options.WatchOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.terminal.ByteCount;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.json.JsonOut;
import io.holdfast.json.objects.QueueJson;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code queues} command. */
@Command(
    name = "queues",
    description = "List queues with message counts.",
    footer = {
      "  holdfast queues",
      "  holdfast queues --filter 'shop-*' --sort depth --limit 10",
      "  holdfast queues --watch 1s"
    })
public final class QueuesCommand implements Callable<Integer> {
  @Mixin private ServerOptions remote;
  @Mixin private WatchOptions watch;

  @Option(
      names = "--filter",
      paramLabel = "<name>",
      description =
          "Only queues whose name contains this; with *, a glob that must match the whole name.")
  private @Nullable String filter;

  @Option(
      names = "--sort",
      paramLabel = "<by>",
      defaultValue = "name",
      converter = QueueSort.Converter.class,
      completionCandidates = QueueSort.Converter.class,
      description = "Sort by ${COMPLETION-CANDIDATES}, largest first (default: ${DEFAULT-VALUE}).")
  private QueueSort sort;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "100",
      description = "Maximum number of queues (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  public Integer call() {
    return watch.show(remote, this::look);
  }

  private CommandOutput look(Broker broker) {
    Bounds.check("--limit", limit, 1, Integer.MAX_VALUE);
    QueueScan scan = new QueueScan(filter);
    List<QueueInfo> found =
        sort == QueueSort.NAME
            ? scan.first(broker, limit + 1, queue -> true)
            : scan.all(broker).stream().sorted(sort.order()).limit(limit + 1L).toList();
    boolean more = found.size() > limit;
    List<QueueInfo> shown = more ? found.subList(0, limit) : found;
    return CommandOutput.of(() -> document(shown, more), () -> text(shown, more));
  }

  private Text text(List<QueueInfo> queues, boolean more) {
    if (queues.isEmpty()) {
      return new Text().line(filter == null ? "no queues" : "no queues match " + filter);
    }
    Text text = new Text().table(table(queues));
    return more
        ? text.line(Style.DIM.of("more queues exist: raise --limit, or set --filter"))
        : text;
  }

  /** Queues as a table. */
  public static TextTable table(List<QueueInfo> queues) {
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
    return CommandOutput.array(
            new JsonOut().beginObject(), "queues", queues, QueueJson.QUEUE::write)
        .put("more", more)
        .endObject();
  }
}
