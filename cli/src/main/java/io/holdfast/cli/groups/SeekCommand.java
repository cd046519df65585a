package io.holdfast.cli.groups;

import io.holdfast.api.Broker;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.SeekRequest.To;
import io.holdfast.api.group.Sought;
import io.holdfast.cli.options.ConfirmOptions;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.options.TimeArgument;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.terminal.TextTable;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code seek} command. */
@Command(
    name = "seek",
    description =
        "Move a consumer group back to read retained messages again, or forward to skip messages.",
    footer = {
      "  holdfast seek orders billing --to beginning",
      "  holdfast seek orders billing --to -2h --partition eu",
      "  holdfast seek orders billing --to end --yes"
    })
public final class SeekCommand implements Callable<Integer> {
  @Mixin private ServerOptions remote;
  @Mixin private GroupCommand.Target target;
  @Mixin private ConfirmOptions confirm;

  @Option(
      names = "--to",
      paramLabel = "<where>",
      required = true,
      description = "Destination: beginning, end, or a time such as 2026-11-15T18:00:00Z or -2h.")
  private String destination;

  @Option(names = "--partition", paramLabel = "<name>", description = "Only this partition.")
  private @Nullable String partition;

  @Override
  public Integer call() {
    return remote.run(
        broker -> {
          To to = destination(broker);
          return confirm.confirm(
              remote,
              effect(target.read(broker), to),
              () ->
                  print(
                      broker
                          .seek(new SeekRequest(target.queue(), target.group(), partition, to))
                          .orThrow()));
        });
  }

  private To destination(Broker broker) {
    return switch (destination) {
      case "beginning" -> new To.Beginning();
      case "end" -> new To.End();
      default -> new To.Time(TimeArgument.parse("--to", "beginning, end", destination).at(broker));
    };
  }

  private String effect(GroupInfo group, To target) {
    String what =
        switch (target) {
          case To.Beginning beginning -> "is moved to the oldest retained message";
          case To.End end -> "skips all present messages";
          case To.Time time -> "is moved to " + TextTable.time(time.fromMs());
        };
    return "the group %s of the queue %s%s has %s to process; it %s, and its %s there end"
        .formatted(
            group.group(),
            group.queue(),
            partition == null ? "" : ", partition " + partition + ",",
            Labels.count(group.lag(), "message"),
            what,
            Labels.count(group.leases(), "lease"));
  }

  private int print(Sought sought) {
    return remote.print(
        CommandOutput.line(
            "moved %s on %s of %s; lag %s%s"
                .formatted(
                    target.group(),
                    Labels.count(sought.partitions(), "partition"),
                    target.queue(),
                    Labels.count(sought.lag(), "message"),
                    sought.clamped() ? "; stopped at the oldest retained message" : ""),
            out ->
                out.put("queue", target.queue())
                    .put("group", target.group())
                    .put("partitions", sought.partitions())
                    .put("clamped", sought.clamped())
                    .put("lag", sought.lag())));
  }
}
