package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.UnreachableException;
import io.holdfast.cli.terminal.Screen;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Terminal;
import io.holdfast.cli.terminal.Text;
import java.util.Map;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option of commands whose answer people watch. */
final class WatchOptions {
  private static final long EVERY_MS_MIN = 100;

  @Option(
      names = "--watch",
      arity = "0..1",
      paramLabel = "<every>",
      fallbackValue = "2s",
      converter = DurationText.class,
      preprocessor = OnlyDurations.class,
      description = "Show it again and again, every 2s or as often as is said; Ctrl-C ends it.")
  private @Nullable Long everyMs;

  /** Leaves alone what follows {@code --watch} if it is not a duration. */
  static final class OnlyDurations implements IParameterPreprocessor {
    @Override
    @SuppressWarnings("JdkObsolete")
    public boolean preprocess(
        Stack<String> arguments, CommandSpec command, ArgSpec argument, Map<String, Object> info) {
      if (arguments.isEmpty() || !DurationText.isOne(arguments.peek())) {
        arguments.push("2s");
      }
      return false;
    }
  }

  /** Asks once, or again and again, and prints what there is to tell. */
  int show(RemoteOptions remote, RemoteOptions.Question question) {
    Long every = everyMs;
    if (every == null) {
      return remote.show(question);
    }
    if (every < EVERY_MS_MIN) {
      remote.fail("--watch: expected " + EVERY_MS_MIN + "ms or more, but got " + every + "ms");
      return Exit.USAGE;
    }
    return remote.run(broker -> watch(remote, broker, question, every));
  }

  private static int watch(
      RemoteOptions remote, Broker broker, RemoteOptions.Question question, long everyMs) {
    Terminal terminal = remote.terminal();
    boolean redraw = terminal.isScreen() && !remote.json();
    int exit = Exit.DONE;
    do {
      Told told;
      try {
        told = question.ask(broker);
        exit = told.exit();
      } catch (UnreachableException away) {
        // A server that is being restarted is what people watch for.
        told = null;
        remote.fail(remote.words(away));
      }
      if (told != null) {
        String shown = remote.rendered(told);
        remote
            .out()
            .print(
                redraw
                    ? Screen.frame(shown, remote.rendered(ending(everyMs)), terminal.rows())
                    : shown + System.lineSeparator());
        remote.out().flush();
      }
    } while (!remote.out().checkError() && terminal.pause(everyMs));
    return exit;
  }

  private static Text ending(long everyMs) {
    return new Text().line(Style.DIM.of("every " + DurationText.words(everyMs) + "; Ctrl-C ends"));
  }
}
