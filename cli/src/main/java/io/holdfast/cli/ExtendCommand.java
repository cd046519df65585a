package io.holdfast.cli;

import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.http.JsonOut;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code extend} command. */
@Command(
    name = "extend",
    description = "Gives a lease more time.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  holdfast extend 5nQ2rW8sT1k --lease 10m")
final class ExtendCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote;

  @Parameters(paramLabel = "<lease>", description = "The lease, as 'pop' said.")
  private String lease;

  @Option(
      names = "--lease",
      paramLabel = "<duration>",
      defaultValue = "5m",
      converter = DurationText.class,
      description =
          "It lasts at least this long from now; it is never shortened"
              + " (default: ${DEFAULT-VALUE}).")
  private long leaseMs;

  @Override
  public Integer call() {
    return remote.show(
        broker -> {
          Extended extended = broker.extend(ExtendRequest.of(lease, leaseMs)).orThrow();
          return Told.of(() -> document(extended), () -> text(extended));
        });
  }

  private Text text(Extended extended) {
    Text text =
        new Text()
            .line(
                "the lease ",
                lease,
                " lasts until ",
                TextTable.time(extended.leaseUntilMs()),
                ", and holds ",
                Words.count(extended.open(), "message"));
    if (!extended.cancelled().isEmpty()) {
      text.line(Words.count(extended.cancelled().size(), "message") + " of it cancelled meanwhile");
    }
    return text;
  }

  private JsonOut document(Extended extended) {
    return new JsonOut()
        .beginObject()
        .put("leaseId", lease)
        .putTime("leaseUntil", extended.leaseUntilMs())
        .put("open", extended.open())
        .put("cancelled", extended.cancelled().size())
        .endObject();
  }
}
