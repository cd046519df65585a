package io.holdfast.cli;

import io.holdfast.api.Broker;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A span of time, open at both ends unless said otherwise. */
final class SinceOptions {
  @Option(
      names = "--since",
      paramLabel = "<time>",
      converter = Moment.Text.class,
      description = "Only from this time on: 2026-11-15T18:00:00Z, or -15m.")
  private @Nullable Moment since;

  @Option(
      names = "--until",
      paramLabel = "<time>",
      converter = Moment.Text.class,
      description = "Only before this time.")
  private @Nullable Moment until;

  boolean isEmpty() {
    return since == null && until == null;
  }

  long fromMs(Broker broker) {
    return since == null ? 0 : since.at(broker);
  }

  long toMs(Broker broker) {
    return until == null ? Long.MAX_VALUE : until.at(broker);
  }
}
