package io.holdfast.cli.messages;

import io.holdfast.api.Broker;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.options.TimeArgument;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.PayloadPrinter;
import io.holdfast.cli.output.PayloadText;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code pop} command. */
@Command(
    name = "pop",
    description = {
      "Take messages from a queue, on a lease or with automatic ack.",
      "Without --auto-ack the messages are leased until 'ack', 'nack' or 'release'; they return to"
          + " the queue when the lease expires. Exits with 1 if no message is available, and prints"
          + " the reason."
    },
    footer = {
      "  holdfast pop orders",
      "  holdfast pop orders --group billing --batch 10 --wait 30s --lease 60s",
      "  holdfast pop orders --auto-ack --payload > order.json"
    })
public final class PopCommand implements Callable<Integer> {
  @Mixin private ServerOptions remote;

  @Parameters(paramLabel = "<queue>", description = "Queue name.")
  private String queue;

  @Option(
      names = "--partition",
      paramLabel = "<name>",
      description = "Only this partition (default: any, in turn).")
  private @Nullable String partition;

  @Option(
      names = "--partitions",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Maximum number of partitions to take from (default: ${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--group",
      paramLabel = "<name>",
      defaultValue = PopRequest.QUEUE_MODE,
      description = "Consumer group (default: the default group of competing consumers).")
  private String group;

  @Option(
      names = "--from",
      paramLabel = "<where>",
      defaultValue = "beginning",
      description = "Start of a new group: beginning, end or a time (default: ${DEFAULT-VALUE}).")
  private String from;

  @Option(
      names = "--batch",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Maximum number of messages (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--wait",
      paramLabel = "<duration>",
      defaultValue = "0s",
      converter = DurationConverter.class,
      description = "Time to wait for a message (default: ${DEFAULT-VALUE}).")
  private long waitMs;

  @Option(
      names = "--lease",
      paramLabel = "<duration>",
      converter = DurationConverter.class,
      description = "Length of the lease (default: the queue's leaseTime).")
  private @Nullable Long leaseMs;

  @Option(names = "--auto-ack", description = "Ack on delivery: no lease, at most once.")
  private boolean autoAck;

  @Option(
      names = "--worker",
      paramLabel = "<name>",
      defaultValue = "holdfast-cli",
      description = "Worker name recorded with each attempt (default: ${DEFAULT-VALUE}).")
  private String worker;

  @Option(
      names = "--payload",
      description = "Print only the payloads, one per line; escaped only on a terminal.")
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
      remote.print(LeaseJson.popped(popped, group));
    } else if (popped.isEmpty()) {
      remote.fail(why(broker, popped));
    } else if (payloadOnly) {
      PayloadPrinter raw = new PayloadPrinter(remote);
      popped.messages().forEach(one -> raw.print(one.message().payload()));
    } else {
      remote.print(text(popped, broker.stats().orThrow().nowMs()));
    }
    return popped.isEmpty() ? ExitCodes.REFUSED : ExitCodes.DONE;
  }

  private StartFrom start(Broker broker) {
    return switch (from) {
      case "beginning" -> StartFrom.ALL;
      case "end" -> StartFrom.NEW;
      default ->
          new StartFrom.Time(TimeArgument.parse("--from", "beginning, end", from).at(broker));
    };
  }

  private String why(Broker broker, Popped popped) {
    String name = "queue " + queue;
    String reason =
        switch (popped.reason()) {
          case NONE, EMPTY -> "no message is waiting in " + queue;
          case LOCKED -> name + " is leased by another consumer (ordered delivery)";
          case BACKOFF -> "a failed message of " + queue + " waits for its retry";
          case DELAYED -> name + " delays its messages (option delayedProcessing)";
          case WINDOW -> name + " collects messages until it is quiet (option windowBuffer)";
          case IN_FLIGHT_LIMIT -> name + " has reached its limit of messages in flight";
          case PAUSED -> name + " is paused; resume it with 'holdfast queue resume " + queue + "'";
          case UNREADABLE ->
              "the next message of "
                  + queue
                  + " cannot be decrypted: its key is missing, or the data was changed";
          case RESERVED -> "partitions of " + queue + " are reserved for other workers";
        };
    return popped.retryAtMs() == 0
        ? reason
        : reason
            + "; try again in "
            + new Age(popped.retryAtMs() - broker.stats().orThrow().nowMs());
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
      text.line("  ", PayloadText.line(one.message().payload()));
    }
    if (popped.leaseId().isEmpty()) {
      return text.line(Style.DIM.of("acked on delivery"));
    }
    return text.line(
            Style.DIM.of("lease "),
            Style.BOLD.of(popped.leaseId()),
            Style.DIM.of(
                " until "
                    + TextTable.time(popped.leaseUntilMs())
                    + ", for "
                    + new Age(popped.leaseUntilMs() - nowMs)))
        .line(Style.DIM.of("to ack: holdfast ack " + popped.leaseId()));
  }

  private static String name(@Nullable String transactionId) {
    return transactionId == null ? "" : ", transaction id " + transactionId;
  }
}
