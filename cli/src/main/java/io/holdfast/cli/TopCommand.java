package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.Stats;
import io.holdfast.api.UnreachableException;
import io.holdfast.cli.terminal.Keys;
import io.holdfast.cli.terminal.Screen;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Terminal;
import io.holdfast.cli.terminal.Text;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code top} command. */
@Command(
    name = "top",
    description = {
      "Shows live what a server does: rates, leases, fsyncs, and its fullest queues.",
      "Of a server with more than 1000 queues each look asks for the next thousand."
    },
    mixinStandardHelpOptions = true,
    footerHeading =
        "%nKeys: q ends it. Sort by: d depth, f in flight, l delayed, x dead, b bytes, p partitions,"
            + " n name.%n%nExamples:%n",
    footer = {
      "  holdfast top",
      "  holdfast top --sort dead --every 5s",
      "  holdfast top --once --json"
    })
final class TopCommand implements Callable<Integer> {
  private static final long EVERY_MS_MIN = 100;
  private static final String KEYS =
      "q quit  sort: d depth  f in flight  l delayed  x dead  n name";

  @Mixin private RemoteOptions remote;

  @Option(
      names = "--every",
      paramLabel = "<duration>",
      defaultValue = "2s",
      converter = DurationText.class,
      description = "How often to look (default: ${DEFAULT-VALUE}).")
  private long everyMs;

  @Option(
      names = "--sort",
      paramLabel = "<by>",
      defaultValue = "depth",
      converter = EnumWords.Sorts.class,
      completionCandidates = EnumWords.Sorts.class,
      description =
          "Which queues come first: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private QueueSort sort;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "20",
      description = "Most queues where there is no screen to fill (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--once",
      description = "Print one picture, of all queues, with the rates of one --every.")
  private boolean once;

  private final TopQueues queues = new TopQueues();
  private @Nullable Stats before;

  @Override
  public Integer call() {
    return remote.run(
        broker -> {
          if (everyMs < EVERY_MS_MIN || limit < 1) {
            throw new IllegalArgumentException(
                everyMs < EVERY_MS_MIN
                    ? "--every: expected " + EVERY_MS_MIN + "ms or more, but got " + everyMs + "ms"
                    : "--limit: expected 1 or more, but got " + limit);
          }
          if (once) {
            return once(broker);
          }
          Terminal terminal = remote.terminal();
          return terminal.isScreen() && terminal.isKeyboard() && !remote.json()
              ? live(broker, terminal)
              : forEver(broker, terminal);
        });
  }

  private int once(Broker broker) {
    before = broker.stats().orThrow();
    remote.terminal().pause(everyMs);
    queues.lookAtAll(broker);
    return remote.print(told(look(broker, limit)));
  }

  private static Told told(TopFrame frame) {
    return Told.of(frame::document, frame::text);
  }

  private int forEver(Broker broker, Terminal terminal) {
    do {
      queues.look(broker);
      remote.print(told(look(broker, limit)));
    } while (!remote.out().checkError() && terminal.pause(everyMs));
    return Exit.DONE;
  }

  private TopFrame look(Broker broker, int most) {
    Stats now = broker.stats().orThrow();
    TopFrame frame =
        new TopFrame(
            remote.server(), now, TopRates.between(before, now), sort, queues.first(sort, most));
    before = now;
    return frame;
  }

  private int live(Broker broker, Terminal terminal) {
    remote.out().print(Screen.OPEN);
    remote.out().flush();
    try (Keys keys = Keys.open(terminal, () -> leave(terminal))) {
      String shown = "";
      while (!remote.out().checkError()) {
        try {
          queues.look(broker);
          int room = Math.max(1, terminal.rows() - TopFrame.HEAD_ROWS - 2);
          shown = remote.rendered(look(broker, room).text());
          draw(shown, "by " + Words.of(sort) + "  " + KEYS, terminal);
        } catch (UnreachableException away) {
          draw(shown, Sentence.of(remote.words(away)), terminal);
        }
        if (!obey(keys.next(everyMs))) {
          return Exit.DONE;
        }
      }
      return Exit.DONE;
    } finally {
      leave(terminal);
    }
  }

  private void draw(String shown, String last, Terminal terminal) {
    String line = remote.rendered(new Text().line(Style.REVERSED.of(last)));
    remote.out().print(Screen.frame(shown, line, terminal.rows()));
    remote.out().flush();
  }

  /** Does what a key says; answers false if that is to end. */
  private boolean obey(int key) {
    sort =
        switch (key) {
          case 'd' -> QueueSort.DEPTH;
          case 'f' -> QueueSort.IN_FLIGHT;
          case 'l' -> QueueSort.DELAYED;
          case 'x' -> QueueSort.DEAD;
          case 'b' -> QueueSort.BYTES;
          case 'p' -> QueueSort.PARTITIONS;
          case 'n' -> QueueSort.NAME;
          default -> sort;
        };
    return key != 'q' && key != 'Q' && key != Keys.END;
  }

  private static void leave(Terminal terminal) {
    try {
      terminal.out().write(Screen.CLOSE.getBytes(StandardCharsets.US_ASCII));
      terminal.out().flush();
    } catch (IOException gone) {
      // There is no screen left to leave.
      return;
    }
  }
}
