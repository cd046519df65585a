package io.holdfast.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Every command there is, with its options. */
final class CommandTree {
  /** Those that do their work without a server. */
  private static final List<String> ALONE =
      List.of(
          "cluster init",
          "cluster demo",
          "serve",
          "demo",
          "token",
          "key",
          "checkpoint",
          "verify",
          "repair-clock",
          "bench",
          "completion");

  /**
   * A command.
   *
   * @param name with those that it belongs to: {@code queue show}
   */
  record Entry(String name, CommandSpec spec) {
    boolean isGroup() {
      return !spec.subcommands().isEmpty();
    }

    boolean asksAServer() {
      return !isGroup() && !ALONE.contains(words()[0]) && !ALONE.contains(name);
    }

    String[] words() {
      return name.split(" ");
    }

    Stream<OptionSpec> options() {
      return spec.options().stream().filter(one -> !one.usageHelp() && !one.versionHelp());
    }

    /** Labels that the command line of the command needs. */
    List<String> needed() {
      List<String> words = new ArrayList<>(List.of(words()));
      spec.positionalParameters().stream()
          .filter(one -> one.required())
          .forEach(
              one ->
                  words.add(
                      one.paramLabel().equals("<shell>")
                          ? "bash"
                          : "019b76da-a800-7000-8000-010000000001"));
      spec.options().stream()
          .filter(OptionSpec::required)
          .forEach(one -> words.addAll(List.of(one.longestName(), "end")));
      return words;
    }
  }

  private CommandTree() {}

  static List<Entry> all() {
    List<Entry> found = new ArrayList<>();
    add(found, "", Main.commandLine(new FakeTerminal()));
    return found;
  }

  private static void add(List<Entry> found, String prefix, CommandLine command) {
    Set<CommandLine> subs = new LinkedHashSet<>(command.getSubcommands().values());
    for (CommandLine sub : subs) {
      String name = prefix + sub.getCommandName();
      found.add(new Entry(name, sub.getCommandSpec()));
      add(found, name + " ", sub);
    }
  }
}
