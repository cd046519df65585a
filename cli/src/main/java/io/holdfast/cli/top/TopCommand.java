package io.holdfast.cli.top;

import io.holdfast.api.Broker;
import io.holdfast.api.Stats;
import io.holdfast.api.UnreachableException;
import io.holdfast.cli.options.Bounds;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.ErrorText;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.queues.QueueSort;
import io.holdfast.cli.terminal.Keys;
import io.holdfast.cli.terminal.Screen;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Terminal;
import io.holdfast.cli.terminal.Text;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code top} command. */
@Command(
    name = "top",
    description = {
      "Show rates, leases, fsyncs and the largest queues of a server, updated continuously.",
      "Reads 1000 queues per update. Keys: q quits; d, f, l, x, b, p and n sort by depth, in flight,"
          + " delayed, dead, bytes, partitions and name.",
      "'each' is the average time of an fsync, 'polls' counts waiting pops, 'kept' is the size of"
          + " settled messages that are still readable."
    },
    footer = {
      "  holdfast top",
      "  holdfast top --sort dead --every 5s",
      "  holdfast top --once --json"
    })
public final class TopCommand implements Callable<Integer> {
  private static final long EVERY_MS_MIN = 100;
  private static final String KEYS =
      "q quit  sort: d depth  f in flight  l delayed  x dead  n name";

  @Mixin private ServerOptions remote;

  @Option(
      names = "--every",
      paramLabel = "<duration>",
      defaultValue = "2s",
      converter = DurationConverter.class,
      description = "Update interval (default: ${DEFAULT-VALUE}).")
  private long everyMs;

  @Option(
      names = "--sort",
      paramLabel = "<by>",
      defaultValue = "depth",
      converter = QueueSort.Converter.class,
      completionCandidates = QueueSort.Converter.class,
      description = "Sort by ${COMPLETION-CANDIDATES}, largest first (default: ${DEFAULT-VALUE}).")
  private QueueSort sort;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "20",
      description =
          "Maximum number of queues if the output is no terminal (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(names = "--once", description = "Print once, with the rates of one update interval.")
  private boolean once;

  private final TopQueues queues = new TopQueues();
  private @Nullable Stats before;

  @Override
  public Integer call() {
    Terminal terminal = remote.terminal();
    boolean live = !once && terminal.isScreen() && terminal.isKeyboard() && !remote.json();
    ToIntFunction<Broker> show =
        broker -> {
          Bounds.checkInterval("--every", everyMs, EVERY_MS_MIN);
          Bounds.check("--limit", limit, 1, Integer.MAX_VALUE);
          if (once) {
            return once(broker);
          }
          return live ? live(broker, terminal) : repeat(broker, terminal);
        };
    return live ? remote.runRepeated(show) : remote.run(show);
  }

  private int once(Broker broker) {
    before = broker.stats().orThrow();
    remote.terminal().pause(everyMs);
    queues.lookAtAll(broker);
    return remote.print(output(look(broker, limit)));
  }

  private static CommandOutput output(TopFrame frame) {
    return CommandOutput.of(frame::document, frame::text);
  }

  private int repeat(Broker broker, Terminal terminal) {
    do {
      queues.look(broker);
      remote.print(output(look(broker, limit)));
    } while (!remote.out().checkError() && terminal.pause(everyMs));
    return ExitCodes.DONE;
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
          draw(shown, "by " + Labels.of(sort) + "  " + KEYS, terminal);
        } catch (UnreachableException unreachable) {
          draw(shown, ErrorText.of(remote.explain(unreachable)), terminal);
        }
        if (!handle(keys.next(everyMs))) {
          return ExitCodes.DONE;
        }
      }
      return ExitCodes.DONE;
    } finally {
      leave(terminal);
    }
  }

  private void draw(String shown, String last, Terminal terminal) {
    String line = remote.rendered(new Text().line(Style.REVERSED.of(last)));
    remote.out().print(Screen.frame(shown, line, terminal.rows()));
    remote.out().flush();
  }

  /** Handles a key; returns false if it quits. */
  private boolean handle(int key) {
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
      // The terminal is gone.
      return;
    }
  }
}
