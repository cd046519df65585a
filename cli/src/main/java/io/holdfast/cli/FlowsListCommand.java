package io.holdfast.cli;

import io.holdfast.api.Page;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.flows.FlowDocuments;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.admin.FlowLine;
import io.holdfast.workflow.admin.FlowQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code flows list} command. */
@Command(
    name = "list",
    description = "Lists flows, by status, name and id.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast flows list",
      "  holdfast flows list --status failed,blocked --watch",
      "  holdfast flows list --name order --limit 10"
    })
final class FlowsListCommand implements Callable<Integer> {
  @Mixin private FlowOptions options;
  @Mixin private WatchOptions watch;

  @Option(
      names = "--status",
      paramLabel = "<status>",
      split = ",",
      description = "Only flows in it: ${COMPLETION-CANDIDATES}; may be repeated.")
  private List<FlowStatus> statuses = new ArrayList<>();

  @Option(
      names = "--name",
      paramLabel = "<name>",
      description = "Only flows whose code is called so.")
  private @Nullable String name;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "100",
      description = "Most flows, up to 1000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--after",
      paramLabel = "<next>",
      description = "Go on behind a list that was longer; it says with what.")
  private @Nullable String after;

  @Override
  public Integer call() {
    return watch.show(
        options.remote(),
        broker -> {
          Page<FlowLine> page =
              options
                  .admin(broker)
                  .list(FlowQuery.all().status(statuses).name(name).after(after).limit(limit));
          return Told.of(() -> FlowDocuments.list(page), () -> text(page));
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
    Text text = new Text().table(table);
    return page.next() == null
        ? text
        : text.line(Style.DIM.of("more: --after '" + page.next() + "'"));
  }
}
