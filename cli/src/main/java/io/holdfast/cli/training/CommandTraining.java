package io.holdfast.cli.training;

import io.holdfast.cli.Main;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.terminal.ProcessTerminal;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Arrays;
import java.util.List;

/**
 * Runs commands against a server once, to record an AOT cache for a faster start. The launcher
 * calls it after a build.
 */
public final class CommandTraining {
  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("--help"),
          List.of("push", "--help"),
          List.of("push", "q", "{\"n\":1}", "--header", "a=b", "--delay", "0s"),
          List.of("push", "q", "2", "--json"),
          List.of("queues"),
          List.of("queues", "--sort", "depth", "--filter", "q*", "--json"),
          List.of("queue", "create", "made", "leaseTime=60s", "track=true"),
          List.of("queue", "show", "q"),
          List.of("queue", "show", "q", "--json"),
          List.of("groups"),
          List.of("messages", "q"),
          List.of("messages", "q", "--since", "-15m", "--json"),
          List.of("pop", "q"),
          List.of("pop", "q", "--json", "--auto-ack"),
          List.of("ack", "none"),
          List.of("extend", "none"),
          List.of("tasks"),
          List.of("dlq", "list"),
          List.of("dlq", "list", "q"),
          List.of("dlq", "requeue", "q"),
          List.of("tail", "q", "--from", "beginning", "--count", "1"),
          List.of("flows", "list"),
          List.of("top", "--once", "--every", "100ms"),
          List.of("queue", "purge", "q", "--yes"),
          List.of("no-such-command"));

  private CommandTraining() {}

  /** Runs the commands; the argument is the URL of the server. */
  public static void main(String[] args) {
    for (List<String> command : COMMANDS) {
      String[] arguments = command.toArray(String[]::new);
      boolean asks = !command.contains("--help");
      Main.commandLine(new ProcessTerminal(), arguments)
          .setOut(new PrintWriter(Writer.nullWriter()))
          .setErr(new PrintWriter(Writer.nullWriter()))
          .execute(asks ? with(arguments, args[0]) : arguments);
    }
    // Commands end this way, which loads classes too.
    System.exit(ExitCodes.DONE);
  }

  private static String[] with(String[] arguments, String server) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--server";
    all[arguments.length + 1] = server;
    return all;
  }
}
