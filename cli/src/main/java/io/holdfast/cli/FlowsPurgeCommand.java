package io.holdfast.cli;

import io.holdfast.server.flows.FlowDocuments;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.admin.PurgeFilter;
import io.holdfast.workflow.admin.Purged;
import java.time.Instant;
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
    mixinStandardHelpOptions = true)
final class FlowsPurgeCommand implements Callable<Integer> {
  @Mixin private FlowOptions options;

  @Option(
      names = "--ended-before",
      paramLabel = "<time>",
      description = "Only flows that ended before a time such as 2026-11-15T18:26:18Z.")
  private @Nullable Instant endedBefore;

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
    return options.run(
        admin -> {
          if (!all && endedBefore == null && statuses.isEmpty() && name == null) {
            throw new IllegalArgumentException(
                "expected --ended-before, --status, --name or --all, but there is none");
          }
          PurgeFilter filter =
              PurgeFilter.ended()
                  .status(statuses.toArray(FlowStatus[]::new))
                  .name(name)
                  .endedBefore(endedBefore == null ? 0 : endedBefore.toEpochMilli())
                  .limit(limit);
          Purged purged = admin.purge(filter, dryRun);
          return options.remote().json()
              ? options.remote().print(FlowDocuments.purged(purged))
              : options.remote().print(words(purged));
        });
  }

  private String words(Purged purged) {
    return (dryRun
            ? purged.matched() + " flows would be deleted, and their children"
            : purged.deleted() + " flows are gone")
        + (purged.kept() == 0 ? "" : "; " + purged.kept() + " stay, as a child has not ended")
        + (purged.more() ? "; there are more" : "");
  }
}
