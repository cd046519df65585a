package io.holdfast.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code bench} command: the load programs, each a subcommand. */
@Command(
    name = "bench",
    description = "Measures Holdfast, and kills it, on this machine.",
    mixinStandardHelpOptions = true,
    subcommands = {
      BenchEngineCommand.class,
      BenchHttpCommand.class,
      BenchClientCommand.class,
      BenchFlowsCommand.class,
      BenchCrashCommand.class,
      BenchBacklogCommand.class,
      BenchStepsCommand.class,
      BenchAbuseCommand.class,
      BenchDashboardCommand.class,
      BenchPeersCommand.class
    },
    synopsisSubcommandLabel = "<command>",
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast bench http", "  holdfast bench crash --rounds 200"})
final class BenchCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    Main.help(spec);
  }
}
