package io.holdfast.cli.groups;

import io.holdfast.api.Broker;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.cli.options.PageOptions;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.options.WatchOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.json.objects.GroupJson;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code groups} command. */
@Command(
    name = "groups",
    description = "List consumer groups with their lag in messages and in time.",
    footer = {
      "  holdfast groups",
      "  holdfast groups orders --watch",
      "  holdfast groups --group billing"
    })
public final class GroupsCommand implements Callable<Integer> {
  @Mixin private ServerOptions remote;
  @Mixin private PageOptions page;
  @Mixin private WatchOptions watch;

  @Parameters(arity = "0..1", paramLabel = "<queue>", description = "Only groups of this queue.")
  private @Nullable String queue;

  @Option(names = "--group", paramLabel = "<name>", description = "Only groups with this name.")
  private @Nullable String group;

  @Override
  public Integer call() {
    return watch.show(remote, this::look);
  }

  private CommandOutput look(Broker broker) {
    return CommandOutput.page(
        "groups",
        broker.groups(new GroupsRequest(queue, group, page.after(), page.limit())).orThrow(),
        GroupJson.TYPE::write,
        "no consumer groups",
        groups -> table(groups, true));
  }

  /** A table of groups of several queues, or of one. */
  public static TextTable table(List<GroupInfo> groups, boolean ofMany) {
    String[] heading = {
      "QUEUE", "GROUP", "LAG", "OLDEST", "WAITING", "RETURNED", "IN FLIGHT", "DEAD", "LEASES"
    };
    int from = ofMany ? 0 : 1;
    TextTable table = new TextTable(Arrays.copyOfRange(heading, from, heading.length));
    for (GroupInfo group : groups) {
      @Nullable Object[] row = {
        group.queue(),
        group.group(),
        group.lag(),
        group.lag() == 0 ? null : new Age(group.lagMs()),
        group.waiting(),
        group.returned(),
        group.inFlight(),
        group.dead() > 0 ? Style.RED.of(group.dead()) : group.dead(),
        group.leases()
      };
      table.row(Arrays.copyOfRange(row, from, row.length));
    }
    return table;
  }
}
