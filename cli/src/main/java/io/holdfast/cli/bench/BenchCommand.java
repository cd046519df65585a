package io.holdfast.cli.bench;

import io.holdfast.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** The {@code bench} command. */
@Command(
    name = "bench",
    description = "Run benchmarks and crash tests on this machine.",
    subcommands = {
      BenchEngineCommand.class,
      BenchHttpCommand.class,
      BenchClientCommand.class,
      BenchFlowsCommand.class,
      BenchCrashCommand.class,
      BenchClusterCommand.class,
      BenchBacklogCommand.class,
      BenchStepsCommand.class,
      BenchAbuseCommand.class,
      BenchDashboardCommand.class,
      BenchPeersCommand.class
    },
    footer = {"  holdfast bench http", "  holdfast bench crash --rounds 200"})
public final class BenchCommand extends CommandGroup {}
