package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.Page;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.ByteCount;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.http.JsonOut;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code queue show} command. */
@Command(
    name = "show",
    description = "Shows one queue: counts, options, groups with their lag, partitions.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast queue show orders", "  holdfast queue show orders --options --watch"})
final class QueueShowCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote;
  @Mixin private WatchOptions watch;

  @Parameters(paramLabel = "<queue>", description = "The queue.")
  private String queue;

  @Option(names = "--options", description = "Every option, also those at their defaults.")
  private boolean allOptions;

  @Option(
      names = "--partitions",
      paramLabel = "<n>",
      defaultValue = "10",
      description = "Most partitions, up to 1000 (default: ${DEFAULT-VALUE}).")
  private int partitionsMax;

  @Override
  public Integer call() {
    return watch.show(remote, this::look);
  }

  private Told look(Broker broker) {
    QueueInfo info = broker.queue(queue).orThrow();
    Page<GroupInfo> groups = broker.groups(GroupsRequest.ofQueue(queue)).orThrow();
    Page<PartitionInfo> partitions =
        broker.partitions(new PartitionsRequest(queue, null, partitionsMax)).orThrow();
    long nowMs = broker.stats().orThrow().nowMs();
    return Told.of(
        () -> document(info, groups, partitions), () -> text(info, groups, partitions, nowMs));
  }

  private Text text(
      QueueInfo info, Page<GroupInfo> groups, Page<PartitionInfo> partitions, long nowMs) {
    Counts counts = info.counts();
    Text text =
        new Text()
            .field("queue", Style.BOLD.of(info.name()))
            .field("made", Age.ago(nowMs, info.createdMs()))
            .field("state", info.paused() ? Style.YELLOW.of("paused") : null)
            .field("waiting", counts.waiting())
            .field("returned", counts.returned())
            .field("in flight", counts.inFlight())
            .field("delayed", counts.delayed())
            .field("dead", counts.dead() > 0 ? Style.RED.of(counts.dead()) : counts.dead())
            .field(
                "stored",
                Words.count(counts.stored(), "message") + ", " + new ByteCount(counts.bytes()));
    options(text, info);
    text.blank();
    if (groups.items().isEmpty()) {
      text.line("no groups: nobody has popped yet");
    } else {
      text.table(GroupsCommand.table(groups.items(), false));
    }
    if (!partitions.items().isEmpty()) {
      text.blank().table(table(partitions, nowMs));
    }
    long left = info.partitions() - partitions.items().size();
    return left > 0
        ? text.line(Style.DIM.of(Words.count(left, "partition") + " more: --partitions"))
        : text;
  }

  private void options(Text text, QueueInfo info) {
    boolean none = true;
    for (QueueOption option : QueueOption.values()) {
      Object value = info.options().get(option);
      if (allOptions || !value.equals(option.byDefault())) {
        text.field(none ? "options" : "", OptionText.words(option, value, !allOptions));
        none = false;
      }
    }
    if (none) {
      text.field("options", "all at their defaults");
    }
  }

  private static TextTable table(Page<PartitionInfo> partitions, long nowMs) {
    TextTable table =
        new TextTable(
            "PARTITION", "WAITING", "RETURNED", "IN FLIGHT", "DELAYED", "STORED", "LAST PUSH");
    for (PartitionInfo partition : partitions.items()) {
      Counts counts = partition.counts();
      table.row(
          partition.name(),
          counts.waiting(),
          counts.returned(),
          counts.inFlight(),
          counts.delayed(),
          counts.stored(),
          Age.ago(nowMs, partition.lastPushMs()));
    }
    return table;
  }

  private static JsonOut document(
      QueueInfo info, Page<GroupInfo> groups, Page<PartitionInfo> partitions) {
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("name", info.name())
            .putTime("createdAt", info.createdMs())
            .put("paused", info.paused());
    Documents.counts(out, info.counts());
    Documents.options(out, info.options()).beginArray("groups");
    groups.items().forEach(group -> Documents.group(out, group));
    out.endArray().put("partitionsInAll", info.partitions()).beginArray("partitions");
    partitions.items().forEach(partition -> Documents.partition(out, partition));
    return out.endArray().endObject();
  }
}
