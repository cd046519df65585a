package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.Page;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.http.JsonOut;
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
    description = "Lists consumer groups, with their lag in messages and in time.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast groups",
      "  holdfast groups orders --watch",
      "  holdfast groups --group billing"
    })
final class GroupsCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote;
  @Mixin private WatchOptions watch;

  @Parameters(
      arity = "0..1",
      paramLabel = "<queue>",
      description = "Only groups of this queue; else of all.")
  private @Nullable String queue;

  @Option(names = "--group", paramLabel = "<name>", description = "Only groups of this name.")
  private @Nullable String group;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "100",
      description = "Most groups, up to 1000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--after",
      paramLabel = "<next>",
      description = "Go on behind a list that was longer; it says with what.")
  private @Nullable String after;

  @Override
  public Integer call() {
    return watch.show(remote, this::look);
  }

  private Told look(Broker broker) {
    PageLimit.check(limit);
    Page<GroupInfo> page = broker.groups(new GroupsRequest(queue, group, after, limit)).orThrow();
    return Told.of(() -> document(page), () -> text(page));
  }

  private static Text text(Page<GroupInfo> page) {
    if (page.items().isEmpty()) {
      return new Text().line("no groups");
    }
    Text text = new Text().table(table(page.items(), true));
    return page.next() == null
        ? text
        : text.line(Style.DIM.of("more: --after '" + page.next() + "'"));
  }

  /** Groups as a table, of several queues or of one. */
  static TextTable table(List<GroupInfo> groups, boolean ofMany) {
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

  private static JsonOut document(Page<GroupInfo> page) {
    JsonOut out = new JsonOut().beginObject().beginArray("groups");
    page.items().forEach(group -> Documents.group(out, group));
    return out.endArray().put("next", page.next()).endObject();
  }
}
