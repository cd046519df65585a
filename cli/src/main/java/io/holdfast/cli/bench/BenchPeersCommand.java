package io.holdfast.cli.bench;

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
      "Compare Holdfast with redis, nats, postgres and rabbitmq on the same workloads.",
      "Starts each installed system on a free port with a new data directory. The clients of other"
          + " systems are built on first use, only from the sources.",
      "Exits with 1 if a system fails, or is named and not installed."
    },
    footer = {
      "  holdfast bench peers",
      "  holdfast bench peers --peers redis --only push-1,push-16 --rounds 5",
      "  holdfast bench peers --only memory --scale 0.1 --json"
    })
final class BenchPeersCommand implements Callable<Integer> {
  private static final long MILLION = 1_000_000;

  @Mixin private BenchOptions options;

  @Option(
      names = "--rounds",
      paramLabel = "<n>",
      defaultValue = "3",
      description = "Rounds per system and workload (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--peers",
      paramLabel = "<name>",
      split = ",",
      description = "Only these systems (default: all that are installed).")
  private Set<String> peers = new LinkedHashSet<>();

  @Option(
      names = "--scale",
      paramLabel = "<factor>",
      defaultValue = "1",
      description =
          "Messages pushed before memory is measured, in millions (default: ${DEFAULT-VALUE}).")
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
                        options.serveCommand(),
                        options.durability(),
                        options.seconds(),
                        rounds,
                        Math.round(scale * MILLION),
                        peers))
                ::run);
  }
}
