package io.holdfast.cli.options;

import io.holdfast.api.Broker;
import io.holdfast.api.UnreachableException;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.terminal.Screen;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Terminal;
import io.holdfast.cli.terminal.Text;
import java.util.Map;
import java.util.Stack;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option {@code --watch}: repeats a query until it is interrupted. */
public final class WatchOptions {
  private static final long EVERY_MS_MIN = 100;

  @Option(
      names = "--watch",
      arity = "0..1",
      paramLabel = "<interval>",
      fallbackValue = "2s",
      converter = DurationConverter.class,
      preprocessor = OnlyDurations.class,
      description = "Repeat at this interval, 2s if none is given, until Ctrl-C.")
  private @Nullable Long everyMs;

  /** Keeps an argument behind {@code --watch} that is no duration as a parameter. */
  public static final class OnlyDurations implements IParameterPreprocessor {
    @Override
    @SuppressWarnings("JdkObsolete")
    public boolean preprocess(
        Stack<String> arguments, CommandSpec command, ArgSpec argument, Map<String, Object> info) {
      if (arguments.isEmpty() || !DurationConverter.isOne(arguments.peek())) {
        arguments.push("2s");
      }
      return false;
    }
  }

  /** Runs a query once or repeatedly, and prints each result. */
  public int show(ServerOptions remote, Function<Broker, CommandOutput> query) {
    Long every = everyMs;
    if (every == null) {
      return remote.show(query);
    }
    return remote.runRepeated(
        broker -> {
          Bounds.checkInterval("--watch", every, EVERY_MS_MIN);
          return watch(remote, broker, query, every);
        });
  }

  private static int watch(
      ServerOptions remote, Broker broker, Function<Broker, CommandOutput> query, long everyMs) {
    Terminal terminal = remote.terminal();
    boolean redraw = terminal.isScreen() && !remote.json();
    int exit = ExitCodes.DONE;
    do {
      try {
        CommandOutput output = query.apply(broker);
        exit = output.exit();
        String shown = remote.rendered(output);
        remote
            .out()
            .print(
                redraw
                    ? Screen.frame(shown, remote.rendered(footer(everyMs)), terminal.rows())
                    : shown + System.lineSeparator());
        remote.out().flush();
      } catch (UnreachableException unreachable) {
        // The server may be restarting.
        remote.fail(remote.explain(unreachable));
      }
    } while (!remote.out().checkError() && terminal.pause(everyMs));
    return exit;
  }

  private static Text footer(long everyMs) {
    return new Text()
        .line(Style.DIM.of("every " + DurationConverter.format(everyMs) + "; Ctrl-C to stop"));
  }
}
