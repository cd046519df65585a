package io.holdfast.cli;

import io.holdfast.bench.engine.EngineRun;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code bench engine} command. */
@Command(
    name = "engine",
    description = {
      "Measures each verb of an embedded broker, beside the machine's fsync rate and bare RocksDB.",
      "Exits with 1 if a check of what was measured failed; an aim that is missed is only shown."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast bench engine --seconds 5"})
final class BenchEngineCommand implements Callable<Integer> {
  @Mixin private MeasureOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.measure(
        report -> {
          EngineRun run = new EngineRun(report, options.only());
          return () -> run.run(options.directory(), options.durability(), options.seconds());
        });
  }
}
