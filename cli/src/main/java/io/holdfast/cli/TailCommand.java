package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.message.Message;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Times;
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
      "Follows the messages that come into a queue, without taking them.",
      "It makes no group, and goes on when the server comes back. A delayed message is shown when"
          + " it is due. Ctrl-C ends it."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast tail orders",
      "  holdfast tail orders --from -15m --partition eu",
      "  holdfast tail orders --from beginning --count 10 --json"
    })
final class TailCommand implements Callable<Integer> {
  private static final long EVERY_MS_MIN = 10;

  @Mixin private RemoteOptions remote;

  @Parameters(paramLabel = "<queue>", description = "The queue.")
  private String queue;

  @Option(names = "--partition", paramLabel = "<name>", description = "Only this partition.")
  private @Nullable String partition;

  @Option(
      names = "--from",
      paramLabel = "<where>",
      defaultValue = "now",
      description = "Where to begin: now, beginning, or a time (default: ${DEFAULT-VALUE}).")
  private String from;

  @Option(
      names = "--count",
      paramLabel = "<n>",
      description = "End after so many messages (default: never).")
  private @Nullable Long count;

  @Option(names = "--payload", description = "Print only the payloads, each on a line.")
  private boolean payloadOnly;

  @Option(
      names = "--every",
      paramLabel = "<duration>",
      defaultValue = "500ms",
      converter = DurationText.class,
      description = "How often to look (default: ${DEFAULT-VALUE}).")
  private long everyMs;

  @Override
  public Integer call() {
    return remote.run(this::follow);
  }

  private int follow(Broker broker) {
    if (everyMs < EVERY_MS_MIN) {
      throw new IllegalArgumentException(
          "--every: expected " + EVERY_MS_MIN + "ms or more, but got " + everyMs + "ms");
    }
    Follow follow = new Follow(broker, queue, partition, fromMs(broker));
    broker.queue(queue).orThrow();
    long left = count == null ? Long.MAX_VALUE : count;
    boolean away = false;
    do {
      try {
        for (Message message : follow.look()) {
          if (left-- > 0) {
            print(message);
          }
        }
        if (away) {
          remote.fail("the server answers again");
          away = false;
        }
      } catch (UnreachableException unreachable) {
        if (!away) {
          remote.fail(remote.words(unreachable) + "; it is asked again until it does");
          away = true;
        }
      }
      remote.out().flush();
    } while (left > 0
        && !remote.out().checkError()
        && (follow.hasMore() || remote.terminal().pause(everyMs)));
    return Exit.DONE;
  }

  private long fromMs(Broker broker) {
    if (from.equals("beginning")) {
      return 0;
    }
    Moment moment = Moment.parse(from);
    if (moment == null) {
      throw new IllegalArgumentException(
          "--from: expected now, beginning or a time such as -15m, but got " + from);
    }
    return moment.at(broker);
  }

  private void print(Message message) {
    if (remote.json()) {
      JsonOut out = Documents.message(new JsonOut().beginObject(), message).endObject();
      remote.out().println(JsonLine.of(out.done()));
    } else if (payloadOnly) {
      new RawPayloads(remote).print(message.payload());
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
                  Payloads.line(message.payload()));
      remote.out().println(remote.rendered(line));
    }
  }
}
