package io.holdfast.cli.deadletters;

import io.holdfast.api.Broker;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.cli.options.TimeRangeOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Filters of dead letters. */
final class DeadLetterOptions {
  @Mixin private TimeRangeOptions span;

  @Option(
      names = "--group",
      paramLabel = "<name>",
      description = "Only dead letters of this group.")
  private @Nullable String group;

  @Option(names = "--partition", paramLabel = "<name>", description = "Only this partition.")
  private @Nullable String partition;

  @Option(
      names = "--error",
      paramLabel = "<text>",
      description = "Only dead letters whose last error contains this text.")
  private @Nullable String error;

  boolean isEmpty() {
    return span.isEmpty() && group == null && partition == null && error == null;
  }

  DeadLetterFilter filter(Broker broker, String queue) {
    return new DeadLetterFilter(
        queue, group, partition, null, error, span.fromMs(broker), span.toMs(broker));
  }
}
