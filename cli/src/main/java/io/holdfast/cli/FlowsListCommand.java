package io.holdfast.cli;

import io.holdfast.api.Page;
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
    mixinStandardHelpOptions = true)
final class FlowsListCommand implements Callable<Integer> {
  @Mixin private FlowOptions options;

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
    return options.run(
        admin -> {
          Page<FlowLine> page =
              admin.list(FlowQuery.all().status(statuses).name(name).after(after).limit(limit));
          return options.remote().json()
              ? options.remote().print(FlowDocuments.list(page))
              : options.remote().print(table(page));
        });
  }

  private static String table(Page<FlowLine> page) {
    if (page.items().isEmpty()) {
      return "no flows";
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
    return page.next() == null
        ? table.toString()
        : table + System.lineSeparator() + "more: --after " + page.next();
  }
}
