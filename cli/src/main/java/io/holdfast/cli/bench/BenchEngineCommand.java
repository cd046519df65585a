package io.holdfast.cli.bench;

import io.holdfast.bench.engine.EngineRun;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code bench engine} command. */
@Command(
    name = "engine",
    description = {
      "Measure each operation of an embedded broker, the fsync rate of the disk and plain RocksDB.",
      "Exits with 1 if a check of the results fails; a missed target is only reported."
    },
    footer = {"  holdfast bench engine --seconds 5"})
final class BenchEngineCommand implements Callable<Integer> {
  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.measure(
        report -> {
          EngineRun run = new EngineRun(report, options.only());
          return () -> run.run(options.directory(), options.durability(), options.seconds());
        });
  }
}
