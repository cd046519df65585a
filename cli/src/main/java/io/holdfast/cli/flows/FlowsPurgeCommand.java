package io.holdfast.cli.flows;

import io.holdfast.cli.options.ConfirmOptions;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.options.TimeArgument;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.terminal.Text;
import io.holdfast.server.flows.FlowJson;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.admin.FlowAdmin;
import io.holdfast.workflow.admin.PurgeFilter;
import io.holdfast.workflow.admin.Purged;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code flows purge} command. */
@Command(
    name = "purge",
    description = "Delete ended flows that match a filter, with their child flows.",
    footer = {
      "  holdfast flows purge --ended-before -30d --dry-run",
      "  holdfast flows purge --status completed --yes"
    })
final class FlowsPurgeCommand implements Callable<Integer> {
  @Mixin private FlowOptions options;
  @Mixin private FlowFilterOptions selection;
  @Mixin private ConfirmOptions confirm;

  @Option(
      names = "--ended-before",
      paramLabel = "<time>",
      converter = TimeArgument.Converter.class,
      description = "Only flows that ended before a time such as 2026-11-15T18:26:18Z or -30d.")
  private @Nullable TimeArgument endedBefore;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "1000",
      description =
          "Maximum number of flows without children, 1 to 10000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--all",
      description = "Delete all ended flows; required when no filter is given.")
  private boolean all;

  @Option(names = "--dry-run", description = "Only count the flows.")
  private boolean dryRun;

  @Override
  public Integer call() {
    ServerOptions remote = options.remote();
    return remote.run(
        broker -> {
          if (!all && endedBefore == null && selection.isEmpty()) {
            throw new IllegalArgumentException(
                "expected --ended-before, --status, --name or --all, but there is none");
          }
          FlowAdmin admin = options.admin(broker);
          PurgeFilter filter =
              PurgeFilter.ended()
                  .status(selection.statuses().toArray(FlowStatus[]::new))
                  .name(selection.name())
                  .endedBefore(endedBefore == null ? 0 : endedBefore.at(broker))
                  .limit(limit);
          Purged preview = admin.purge(filter, true);
          if (dryRun || preview.matched() == 0) {
            return remote.print(output(dryRun ? preview : admin.purge(filter, false)));
          }
          return confirm.confirm(
              remote,
              "this deletes "
                  + Labels.count(preview.matched(), "flow")
                  + " that ended, and their children",
              () -> remote.print(output(admin.purge(filter, false))));
        });
  }

  private CommandOutput output(Purged purged) {
    return CommandOutput.of(
        () -> FlowJson.PURGED.out(purged), () -> new Text().line(summary(purged)));
  }

  private String summary(Purged purged) {
    return (dryRun
            ? Labels.count(purged.matched(), "flow") + " would be deleted, and their children"
            : Labels.count(purged.deleted(), "flow") + " deleted")
        + (purged.kept() == 0 ? "" : "; " + purged.kept() + " kept: a child flow has not ended")
        + (purged.more() ? "; more match" : "");
  }
}
