package io.holdfast.cli;

import io.holdfast.bench.peers.PeersRun;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench peers} command. */
@Command(
    name = "peers",
    description = {
      "Runs the same workloads against Holdfast and the other message systems that are installed:"
          + " redis, nats, postgres, rabbitmq.",
      "Starts each system itself, on a free port with a new data directory, and lists those that"
          + " are not installed. The clients of other systems are built on first use, from the"
          + " sources only.",
      "Exits with 1 if a system failed, or was named and is not installed."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast bench peers",
      "  holdfast bench peers --peers redis --only push-1,push-16 --rounds 5",
      "  holdfast bench peers --only memory --scale 0.1 --json"
    })
final class BenchPeersCommand implements Callable<Integer> {
  private static final long MILLION = 1_000_000;

  @Mixin private MeasureOptions options;

  @Option(
      names = "--rounds",
      paramLabel = "<n>",
      defaultValue = "3",
      description = "How many turns each system has at each workload (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--peers",
      paramLabel = "<name>",
      split = ",",
      description = "Compare only with these systems (default: all that are installed).")
  private Set<String> peers = new LinkedHashSet<>();

  @Option(
      names = "--scale",
      paramLabel = "<factor>",
      defaultValue = "1",
      description =
          "Messages that go in before memory is read, in millions (default: ${DEFAULT-VALUE}).")
  private double scale;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.measure(
        report ->
            new PeersRun(
                    report,
                    options.only(),
                    new PeersRun.Plan(
                        options.directory(),
                        ServeLaunch.command(),
                        options.durability(),
                        options.seconds(),
                        rounds,
                        Math.round(scale * MILLION),
                        peers))
                ::run);
  }
}
