package io.holdfast.cli.flows;

import io.holdfast.workflow.FlowStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Filters of flows. */
final class FlowFilterOptions {
  @Option(
      names = "--status",
      paramLabel = "<status>",
      split = ",",
      description = "Only flows in these states: ${COMPLETION-CANDIDATES}; may be repeated.")
  private List<FlowStatus> statuses = new ArrayList<>();

  @Option(names = "--name", paramLabel = "<name>", description = "Only flows of this definition.")
  private @Nullable String name;

  List<FlowStatus> statuses() {
    return statuses;
  }

  @Nullable String name() {
    return name;
  }

  boolean isEmpty() {
    return statuses.isEmpty() && name == null;
  }
}
