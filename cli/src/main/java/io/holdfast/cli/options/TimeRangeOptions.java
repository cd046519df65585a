package io.holdfast.cli.options;

import io.holdfast.api.Broker;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options {@code --since} and {@code --until}. */
public final class TimeRangeOptions {
  @Option(
      names = "--since",
      paramLabel = "<time>",
      converter = TimeArgument.Converter.class,
      description = "Only at or after a time such as 2026-11-15T18:00:00Z or -15m.")
  private @Nullable TimeArgument since;

  @Option(
      names = "--until",
      paramLabel = "<time>",
      converter = TimeArgument.Converter.class,
      description = "Only before a time.")
  private @Nullable TimeArgument until;

  public boolean isEmpty() {
    return since == null && until == null;
  }

  public long fromMs(Broker broker) {
    return since == null ? 0 : since.at(broker);
  }

  public long toMs(Broker broker) {
    return until == null ? Long.MAX_VALUE : until.at(broker);
  }
}
