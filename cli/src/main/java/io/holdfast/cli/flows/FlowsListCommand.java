package io.holdfast.cli.flows;

import io.holdfast.api.Page;
import io.holdfast.cli.options.PageOptions;
import io.holdfast.cli.options.WatchOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.flows.FlowJson;
import io.holdfast.workflow.admin.FlowLine;
import io.holdfast.workflow.admin.FlowQuery;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code flows list} command. */
@Command(
    name = "list",
    description = "List flows, sorted by status, name and id.",
    footer = {
      "  holdfast flows list",
      "  holdfast flows list --status failed,blocked --watch",
      "  holdfast flows list --name order --limit 10"
    })
final class FlowsListCommand implements Callable<Integer> {
  @Mixin private FlowOptions options;
  @Mixin private FlowFilterOptions filter;
  @Mixin private PageOptions page;
  @Mixin private WatchOptions watch;

  @Override
  public Integer call() {
    return watch.show(
        options.remote(),
        broker -> {
          Page<FlowLine> flows =
              options
                  .admin(broker)
                  .list(
                      FlowQuery.all()
                          .status(filter.statuses())
                          .name(filter.name())
                          .after(page.after())
                          .limit(page.limit()));
          return CommandOutput.of(() -> FlowJson.PAGE.out(flows), () -> text(flows));
        });
  }

  private static Text text(Page<FlowLine> page) {
    if (page.items().isEmpty()) {
      return new Text().line("no flows");
    }
    TextTable table = new TextTable("ID", "NAME", "VERSION", "STATUS", "SINCE", "STARTED");
    for (FlowLine flow : page.items()) {
      table.row(
          flow.id(),
          flow.name(),
          flow.version(),
          flow.status(),
          TextTable.time(flow.sinceMs()),
          TextTable.time(flow.createdMs()));
    }
    return CommandOutput.next(new Text().table(table), page.next());
  }
}
