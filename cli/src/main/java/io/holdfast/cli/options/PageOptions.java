package io.holdfast.cli.options;

import io.holdfast.api.Limits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that print one page of a list. */
public final class PageOptions {
  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "100",
      description = "Maximum number of rows, 1 to 1000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--after",
      paramLabel = "<cursor>",
      description = "Continue from the cursor printed by the previous page.")
  private @Nullable String after;

  public int limit() {
    return Bounds.check("--limit", limit, 1, Limits.PAGE_MAX);
  }

  public @Nullable String after() {
    return after;
  }
}
