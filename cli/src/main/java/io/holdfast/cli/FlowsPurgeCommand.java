package io.holdfast.cli;

import io.holdfast.cli.terminal.Text;
import io.holdfast.server.flows.FlowDocuments;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.admin.FlowAdmin;
import io.holdfast.workflow.admin.PurgeFilter;
import io.holdfast.workflow.admin.Purged;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code flows purge} command. */
@Command(
    name = "purge",
    description = "Deletes many flows that have ended, with their children.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast flows purge --ended-before -30d --dry-run",
      "  holdfast flows purge --status completed --yes"
    })
final class FlowsPurgeCommand implements Callable<Integer> {
  @Mixin private FlowOptions options;
  @Mixin private ConfirmOptions confirm;

  @Option(
      names = "--ended-before",
      paramLabel = "<time>",
      converter = Moment.Text.class,
      description = "Only flows that ended before a time such as 2026-11-15T18:26:18Z or -30d.")
  private @Nullable Moment endedBefore;

  @Option(
      names = "--status",
      paramLabel = "<status>",
      split = ",",
      description = "Only flows that ended so; may be repeated.")
  private List<FlowStatus> statuses = new ArrayList<>();

  @Option(
      names = "--name",
      paramLabel = "<name>",
      description = "Only flows whose code is called so.")
  private @Nullable String name;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "1000",
      description = "Most flows, children aside, up to 10000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(names = "--all", description = "Yes, all that have ended; else something must be told.")
  private boolean all;

  @Option(names = "--dry-run", description = "Only count what would be deleted.")
  private boolean dryRun;

  @Override
  public Integer call() {
    RemoteOptions remote = options.remote();
    return remote.run(
        broker -> {
          if (!all && endedBefore == null && statuses.isEmpty() && name == null) {
            throw new IllegalArgumentException(
                "expected --ended-before, --status, --name or --all, but there is none");
          }
          FlowAdmin admin = options.admin(broker);
          PurgeFilter filter =
              PurgeFilter.ended()
                  .status(statuses.toArray(FlowStatus[]::new))
                  .name(name)
                  .endedBefore(endedBefore == null ? 0 : endedBefore.at(broker))
                  .limit(limit);
          Purged wouldBe = admin.purge(filter, true);
          if (dryRun || wouldBe.matched() == 0) {
            return remote.print(told(dryRun ? wouldBe : admin.purge(filter, false)));
          }
          return confirm.unlessRefused(
              remote,
              "this deletes "
                  + Words.count(wouldBe.matched(), "flow")
                  + " that ended, and their children",
              () -> remote.print(told(admin.purge(filter, false))));
        });
  }

  private Told told(Purged purged) {
    return Told.of(() -> FlowDocuments.purged(purged), () -> new Text().line(words(purged)));
  }

  private String words(Purged purged) {
    return (dryRun
            ? Words.count(purged.matched(), "flow") + " would be deleted, and their children"
            : Words.count(purged.deleted(), "flow") + " gone")
        + (purged.kept() == 0 ? "" : "; " + purged.kept() + " stay, as a child has not ended")
        + (purged.more() ? "; there are more" : "");
  }
}
