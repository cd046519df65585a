package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.http.JsonOut;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code pop} command. */
@Command(
    name = "pop",
    description = "Takes messages of a queue, on a lease or for good.",
    mixinStandardHelpOptions = true,
    footerHeading =
        "%nWithout --auto-ack the messages are leased: 'ack', 'nack' or 'release' ends that, else"
            + " they come back when the lease ends.%nExits with 1 if there is nothing to take, and"
            + " says why.%n%nExamples:%n",
    footer = {
      "  holdfast pop orders",
      "  holdfast pop orders --group billing --batch 10 --wait 30s --lease 60s",
      "  holdfast pop orders --auto-ack --payload > order.json"
    })
final class PopCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote;

  @Parameters(paramLabel = "<queue>", description = "The queue.")
  private String queue;

  @Option(
      names = "--partition",
      paramLabel = "<name>",
      description = "Only this partition; else any, in turn.")
  private @Nullable String partition;

  @Option(
      names = "--partitions",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Most partitions to take from (default: ${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--group",
      paramLabel = "<name>",
      defaultValue = PopRequest.QUEUE_MODE,
      description = "The consumer group (default: the one of those who name none).")
  private String group;

  @Option(
      names = "--from",
      paramLabel = "<where>",
      defaultValue = "beginning",
      description =
          "Where a group that is new begins: beginning, end or a time (default: ${DEFAULT-VALUE}).")
  private String from;

  @Option(
      names = "--batch",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Most messages (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--wait",
      paramLabel = "<duration>",
      defaultValue = "0s",
      converter = DurationText.class,
      description = "How long to wait for a message (default: ${DEFAULT-VALUE}).")
  private long waitMs;

  @Option(
      names = "--lease",
      paramLabel = "<duration>",
      converter = DurationText.class,
      description = "How long the lease lasts (default: the queue's leaseTime).")
  private @Nullable Long leaseMs;

  @Option(
      names = "--auto-ack",
      description = "Take them for good: no lease, and delivered at most once.")
  private boolean autoAck;

  @Option(
      names = "--worker",
      paramLabel = "<name>",
      defaultValue = "holdfast-cli",
      description = "Who takes them, for the attempts (default: ${DEFAULT-VALUE}).")
  private String worker;

  @Option(
      names = "--payload",
      description = "Print only the payloads, each on a line; as they are, unless on a terminal.")
  private boolean payloadOnly;

  @Override
  public Integer call() {
    return remote.run(this::pop);
  }

  private int pop(Broker broker) {
    PopSource source =
        partition == null
            ? new PopSource.WholeQueue(queue)
            : new PopSource.OnePartition(queue, partition);
    Popped popped =
        broker
            .pop(
                PopRequest.of(source)
                    .group(group)
                    .batch(batch)
                    .partitions(partitions)
                    .waitMs(waitMs)
                    .leaseMs(leaseMs == null ? 0 : leaseMs)
                    .autoAck(autoAck)
                    .start(start(broker))
                    .worker(worker))
            .orThrow();
    if (remote.json()) {
      remote.print(document(popped));
    } else if (popped.isEmpty()) {
      remote.fail(why(broker, popped));
    } else if (payloadOnly) {
      RawPayloads raw = new RawPayloads(remote);
      popped.messages().forEach(one -> raw.print(one.message().payload()));
    } else {
      remote.print(text(popped, broker.stats().orThrow().nowMs()));
    }
    return popped.isEmpty() ? Exit.REFUSED : Exit.DONE;
  }

  private StartFrom start(Broker broker) {
    return switch (from) {
      case "beginning" -> StartFrom.ALL;
      case "end" -> StartFrom.NEW;
      default -> {
        Moment moment = Moment.parse(from);
        if (moment == null) {
          throw new IllegalArgumentException(
              "--from: expected beginning, end or a time such as -15m, but got " + from);
        }
        yield new StartFrom.Time(moment.at(broker));
      }
    };
  }

  private String why(Broker broker, Popped popped) {
    String words =
        switch (popped.reason()) {
          case NONE, EMPTY -> "nothing is waiting in " + queue;
          case LOCKED ->
              "what waits in " + queue + " is behind a lease of somebody else, and order is kept";
          case BACKOFF -> "a message of " + queue + " failed, and waits for its retry";
          case DELAYED -> "what is in " + queue + " waits for its delayedProcessing";
          case WINDOW ->
              "the queue " + queue + " is withheld until it was quiet for its windowBuffer";
          case IN_FLIGHT_LIMIT ->
              "so much of " + queue + " is in flight that nothing more is given";
          case PAUSED ->
              "the queue " + queue + " is paused; 'holdfast queue resume " + queue + "' ends that";
          case UNREADABLE ->
              "what is next in "
                  + queue
                  + " cannot be decrypted: its key is missing, or it was changed at rest";
          case RESERVED -> "partitions of " + queue + " are reserved for other workers";
        };
    return popped.retryAtMs() == 0
        ? words
        : words
            + "; look again in "
            + new Age(popped.retryAtMs() - broker.stats().orThrow().nowMs());
  }

  private JsonOut document(Popped popped) {
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("leaseId", popped.leaseId().isEmpty() ? null : popped.leaseId())
            .putTime("leaseUntil", popped.leaseUntilMs())
            .put("group", group)
            .put("reason", popped.isEmpty() ? Words.json(popped.reason()) : null)
            .putTime("retryAt", popped.retryAtMs())
            .beginArray("messages");
    for (Delivery one : popped.messages()) {
      Documents.message(out.beginObject(), one.message())
          .put("attempt", one.attempt())
          .put("failures", one.failures())
          .put("expiries", one.expiries())
          .endObject();
    }
    return out.endArray().endObject();
  }

  private Text text(Popped popped, long nowMs) {
    Text text = new Text();
    for (Delivery one : popped.messages()) {
      text.line(
          Style.BOLD.of(one.message().id()),
          "  ",
          one.message().queue() + "/" + one.message().partition(),
          Style.DIM.of(
              "  priority "
                  + one.message().position().lane()
                  + ", attempt "
                  + one.attempt()
                  + ", pushed "
                  + Age.ago(nowMs, one.message().createdMs())
                  + name(one.message().transactionId())));
      one.message().headers().forEach((name, value) -> text.line("  " + name + ": " + value));
      text.line("  ", Payloads.line(one.message().payload()));
    }
    if (popped.leaseId().isEmpty()) {
      return text.line(Style.DIM.of("taken for good"));
    }
    return text.line(
            Style.DIM.of("lease "),
            Style.BOLD.of(popped.leaseId()),
            Style.DIM.of(
                " until "
                    + TextTable.time(popped.leaseUntilMs())
                    + ", for "
                    + new Age(popped.leaseUntilMs() - nowMs)))
        .line(Style.DIM.of("done with it: holdfast ack " + popped.leaseId()));
  }

  private static String name(@Nullable String transactionId) {
    return transactionId == null ? "" : ", as " + transactionId;
  }
}
