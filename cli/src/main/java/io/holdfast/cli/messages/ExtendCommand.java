package io.holdfast.cli.messages;

import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code extend} command. */
@Command(
    name = "extend",
    description = "Extend a lease.",
    footer = "  holdfast extend 5nQ2rW8sT1k --lease 10m")
public final class ExtendCommand implements Callable<Integer> {
  @Mixin private ServerOptions remote;

  @Parameters(paramLabel = "<lease>", description = "Lease id, as printed by 'pop'.")
  private String lease;

  @Option(
      names = "--lease",
      paramLabel = "<duration>",
      defaultValue = "5m",
      converter = DurationConverter.class,
      description =
          "Minimum remaining time; a lease is never shortened (default: ${DEFAULT-VALUE}).")
  private long leaseMs;

  @Override
  public Integer call() {
    return remote.show(
        broker -> {
          Extended extended = broker.extend(ExtendRequest.of(lease, leaseMs)).orThrow();
          return CommandOutput.of(() -> LeaseJson.extended(lease, extended), () -> text(extended));
        });
  }

  private Text text(Extended extended) {
    Text text =
        new Text()
            .line(
                "lease ",
                lease,
                " extended until ",
                TextTable.time(extended.leaseUntilMs()),
                ", open: ",
                Labels.count(extended.open(), "message"));
    if (!extended.cancelled().isEmpty()) {
      text.line("cancelled: " + Labels.count(extended.cancelled().size(), "message"));
    }
    return text;
  }
}
