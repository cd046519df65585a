package io.holdfast.cli.messages;

import io.holdfast.api.Broker;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.message.Message;
import io.holdfast.cli.options.Bounds;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.options.TimeArgument;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.JsonLine;
import io.holdfast.cli.output.PayloadPrinter;
import io.holdfast.cli.output.PayloadText;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.json.Times;
import io.holdfast.json.objects.MessageJson;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code tail} command. */
@Command(
    name = "tail",
    description = {
      "Print messages as they enter a queue, without taking them.",
      "Creates no consumer group, and reconnects when the server restarts. A delayed message is"
          + " printed when it is due. Stop it with Ctrl-C."
    },
    footer = {
      "  holdfast tail orders",
      "  holdfast tail orders --from -15m --partition eu",
      "  holdfast tail orders --from beginning --count 10 --json"
    })
public final class TailCommand implements Callable<Integer> {
  private static final long EVERY_MS_MIN = 10;

  @Mixin private ServerOptions remote;

  @Parameters(paramLabel = "<queue>", description = "Queue name.")
  private String queue;

  @Option(names = "--partition", paramLabel = "<name>", description = "Only this partition.")
  private @Nullable String partition;

  @Option(
      names = "--from",
      paramLabel = "<where>",
      defaultValue = "now",
      description = "Start: now, beginning or a time (default: ${DEFAULT-VALUE}).")
  private String from;

  @Option(
      names = "--count",
      paramLabel = "<n>",
      description = "Stop after this many messages (default: never).")
  private @Nullable Long count;

  @Option(names = "--payload", description = "Print only the payloads, one per line.")
  private boolean payloadOnly;

  @Option(
      names = "--every",
      paramLabel = "<duration>",
      defaultValue = "500ms",
      converter = DurationConverter.class,
      description = "Polling interval (default: ${DEFAULT-VALUE}).")
  private long everyMs;

  @Override
  public Integer call() {
    return remote.run(this::follow);
  }

  private int follow(Broker broker) {
    Bounds.checkInterval("--every", everyMs, EVERY_MS_MIN);
    QueueTail tail = new QueueTail(broker, queue, partition, fromMs(broker));
    broker.queue(queue).orThrow();
    long left = count == null ? Long.MAX_VALUE : count;
    boolean unreachable = false;
    do {
      try {
        for (Message message : tail.poll()) {
          if (left-- > 0) {
            print(message);
          }
        }
        if (unreachable) {
          remote.fail("connected again");
          unreachable = false;
        }
      } catch (UnreachableException failed) {
        if (!unreachable) {
          remote.fail(remote.explain(failed) + "; retrying");
          unreachable = true;
        }
      }
      remote.out().flush();
    } while (left > 0
        && !remote.out().checkError()
        && (tail.hasMore() || remote.terminal().pause(everyMs)));
    return ExitCodes.DONE;
  }

  private long fromMs(Broker broker) {
    return from.equals("beginning")
        ? 0
        : TimeArgument.parse("--from", "now, beginning", from).at(broker);
  }

  private void print(Message message) {
    if (remote.json()) {
      remote.out().println(JsonLine.of(MessageJson.MESSAGE.bytes(message)));
    } else if (payloadOnly) {
      new PayloadPrinter(remote).print(message.payload());
    } else {
      int lane = message.position().lane();
      Text line =
          new Text()
              .line(
                  Style.DIM.of(Times.text(message.visibleMs())),
                  "  ",
                  Style.DIM.of(message.id()),
                  "  ",
                  message.partition() + (lane == 0 ? "" : " priority " + lane),
                  "  ",
                  PayloadText.line(message.payload()));
      remote.out().println(remote.rendered(line));
    }
  }
}
