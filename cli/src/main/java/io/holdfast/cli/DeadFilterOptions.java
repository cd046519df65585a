package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.dead.DeadLetterFilter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which dead letters of a queue are meant. */
final class DeadFilterOptions {
  @Mixin private SinceOptions span;

  @Option(
      names = "--group",
      paramLabel = "<name>",
      description = "Only those that are dead for this group.")
  private @Nullable String group;

  @Option(names = "--partition", paramLabel = "<name>", description = "Only of this partition.")
  private @Nullable String partition;

  @Option(
      names = "--error",
      paramLabel = "<text>",
      description = "Only those with this in their last error.")
  private @Nullable String error;

  boolean isEmpty() {
    return span.isEmpty() && group == null && partition == null && error == null;
  }

  DeadLetterFilter filter(Broker broker, String queue) {
    return new DeadLetterFilter(
        queue, group, partition, null, error, span.fromMs(broker), span.toMs(broker));
  }
}
