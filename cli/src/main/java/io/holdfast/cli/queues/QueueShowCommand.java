package io.holdfast.cli.queues;

import io.holdfast.api.Broker;
import io.holdfast.api.Page;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.cli.groups.GroupsCommand;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.options.WatchOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.ByteCount;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code queue show} command. */
@Command(
    name = "show",
    description = "Show a queue: counts, options, consumer groups with their lag, partitions.",
    footer = {"  holdfast queue show orders", "  holdfast queue show orders --options --watch"})
final class QueueShowCommand implements Callable<Integer> {
  @Mixin private ServerOptions remote;
  @Mixin private WatchOptions watch;

  @Parameters(paramLabel = "<queue>", description = "Queue name.")
  private String queue;

  @Option(names = "--options", description = "Show all options, including those at their defaults.")
  private boolean allOptions;

  @Option(
      names = "--partitions",
      paramLabel = "<n>",
      defaultValue = "10",
      description = "Maximum number of partitions, 1 to 1000 (default: ${DEFAULT-VALUE}).")
  private int partitionsMax;

  @Override
  public Integer call() {
    return watch.show(remote, this::look);
  }

  private CommandOutput look(Broker broker) {
    QueueInfo info = broker.queue(queue).orThrow();
    Page<GroupInfo> groups = broker.groups(GroupsRequest.ofQueue(queue)).orThrow();
    Page<PartitionInfo> partitions =
        broker.partitions(new PartitionsRequest(queue, null, partitionsMax)).orThrow();
    long nowMs = broker.stats().orThrow().nowMs();
    return CommandOutput.of(
        () -> QueueDetail.TYPE.out(new QueueDetail(info, groups.items(), partitions.items())),
        () -> text(info, groups, partitions, nowMs));
  }

  private Text text(
      QueueInfo info, Page<GroupInfo> groups, Page<PartitionInfo> partitions, long nowMs) {
    Counts counts = info.counts();
    Text text =
        new Text()
            .field("queue", Style.BOLD.of(info.name()))
            .field("created", Age.ago(nowMs, info.createdMs()))
            .field("state", info.paused() ? Style.YELLOW.of("paused") : null)
            .field("waiting", counts.waiting())
            .field("returned", counts.returned())
            .field("in flight", counts.inFlight())
            .field("delayed", counts.delayed())
            .field("dead", counts.dead() > 0 ? Style.RED.of(counts.dead()) : counts.dead())
            .field(
                "stored",
                Labels.count(counts.stored(), "message") + ", " + new ByteCount(counts.bytes()));
    options(text, info);
    text.blank();
    if (groups.items().isEmpty()) {
      text.line("no consumer groups: no pop yet");
    } else {
      text.table(GroupsCommand.table(groups.items(), false));
    }
    if (!partitions.items().isEmpty()) {
      text.blank().table(table(partitions, nowMs));
    }
    long left = info.partitions() - partitions.items().size();
    return left > 0
        ? text.line(Style.DIM.of(Labels.count(left, "partition") + " more: raise --partitions"))
        : text;
  }

  private void options(Text text, QueueInfo info) {
    boolean none = true;
    for (QueueOption option : QueueOption.values()) {
      Object value = info.options().get(option);
      if (allOptions || !value.equals(option.byDefault())) {
        text.field(none ? "options" : "", QueueOptionText.format(option, value, !allOptions));
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
}
