package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.SeekRequest.To;
import io.holdfast.api.group.Sought;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.http.JsonOut;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code seek} command. */
@Command(
    name = "seek",
    description = "Moves a group: backwards to read again what is kept, or forwards to skip.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast seek orders billing --to beginning",
      "  holdfast seek orders billing --to -2h --partition eu",
      "  holdfast seek orders billing --to end --yes"
    })
final class SeekCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote;
  @Mixin private GroupCommand.Named named;
  @Mixin private ConfirmOptions confirm;

  @Option(
      names = "--to",
      paramLabel = "<where>",
      required = true,
      description = "beginning, end, or a time such as 2026-11-15T18:00:00Z or -2h.")
  private String to;

  @Option(names = "--partition", paramLabel = "<name>", description = "Only this partition.")
  private @Nullable String partition;

  @Override
  public Integer call() {
    return remote.run(
        broker -> {
          To target = target(broker);
          return confirm.unlessRefused(
              remote,
              words(named.look(broker), target),
              () ->
                  tell(
                      broker
                          .seek(new SeekRequest(named.queue(), named.group(), partition, target))
                          .orThrow()));
        });
  }

  private To target(Broker broker) {
    return switch (to) {
      case "beginning" -> new To.Beginning();
      case "end" -> new To.End();
      default -> {
        Moment moment = Moment.parse(to);
        if (moment == null) {
          throw new IllegalArgumentException(
              "--to: expected beginning, end or a time such as -2h, but got " + to);
        }
        yield new To.Time(moment.at(broker));
      }
    };
  }

  private String words(GroupInfo group, To target) {
    String what =
        switch (target) {
          case To.Beginning beginning -> "reads again all that is kept";
          case To.End end -> "skips all that is there";
          case To.Time time -> "goes to what entered from " + TextTable.time(time.fromMs()) + " on";
        };
    return "the group "
        + group.group()
        + " of the queue "
        + group.queue()
        + (partition == null ? "" : ", partition " + partition + ",")
        + " has "
        + Words.count(group.lag(), "message")
        + " still to settle; it "
        + what
        + ", and its "
        + Words.count(group.leases(), "lease")
        + " there end";
  }

  private int tell(Sought sought) {
    return remote.print(
        Told.of(
            () ->
                new JsonOut()
                    .beginObject()
                    .put("queue", named.queue())
                    .put("group", named.group())
                    .put("partitions", sought.partitions())
                    .put("clamped", sought.clamped())
                    .put("lag", sought.lag())
                    .endObject(),
            () ->
                new Text()
                    .line(
                        "moved "
                            + named.group()
                            + " on "
                            + Words.count(sought.partitions(), "partition")
                            + " of "
                            + named.queue()
                            + "; "
                            + Words.count(sought.lag(), "message")
                            + " lie ahead"
                            + (sought.clamped()
                                ? "; it stopped at the oldest, as what is older is not kept"
                                : ""))));
  }
}
