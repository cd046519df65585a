package io.holdfast.cli;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The generated part of docs/cli.md: all commands with their options, from the model of picocli.
 */
final class CliMarkdown {
  /** The options of all commands that call a server; they are listed once. */
  private static final List<String> COMMON =
      List.of("--server", "--token-file", "--tls-ca", "--json");

  private final StringBuilder page = new StringBuilder();

  private CliMarkdown() {}

  static String of(CommandLine main) {
    CliMarkdown markdown = new CliMarkdown();
    markdown.line("## Common options");
    markdown.line("Options of all commands that call a server:");
    CommandSpec any = subcommand(main, "queues").getCommandSpec();
    markdown.table(any.options().stream().filter(CliMarkdown::isCommon));
    markdown.line("Every command has `--help` and `--version`.");
    markdown.line("## Exit codes");
    markdown.page.append("| code | meaning |\n| --- | --- |\n");
    main.getCommandSpec()
        .usageMessage()
        .exitCodeList()
        .forEach((code, meaning) -> markdown.row(code, meaning));
    markdown.page.append('\n');
    for (Map.Entry<String, List<String>> section : Commands.sections().entrySet()) {
      markdown.line("## " + section.getKey());
      section.getValue().forEach(name -> markdown.command("###", subcommand(main, name)));
    }
    return markdown.page.toString().stripTrailing() + "\n";
  }

  private static CommandLine subcommand(CommandLine main, String name) {
    return Objects.requireNonNull(main.getSubcommands().get(name), name);
  }

  private void line(String text) {
    page.append(text).append("\n\n");
  }

  private void command(String heading, CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    line(heading + " `" + spec.qualifiedName().replaceFirst("^holdfast ", "") + "`");
    line(text(spec.usageMessage().description()));
    line(
        Stream.of(spec.usageMessage().footer())
            .map(example -> "    " + example.strip())
            .collect(Collectors.joining("\n")));
    boolean callsServer = spec.findOption("--server") != null;
    List<ArgSpec> arguments =
        Stream.concat(
                spec.positionalParameters().stream(),
                spec.options().stream()
                    .filter(option -> !option.usageHelp() && !option.versionHelp())
                    .filter(option -> !callsServer || !isCommon(option)))
            .toList();
    table(arguments.stream());
    new LinkedHashSet<>(command.getSubcommands().values())
        .forEach(subcommand -> command(heading + "#", subcommand));
  }

  private static boolean isCommon(OptionSpec option) {
    return COMMON.contains(option.longestName());
  }

  private void table(Stream<? extends ArgSpec> arguments) {
    List<? extends ArgSpec> all = arguments.toList();
    if (all.isEmpty()) {
      return;
    }
    page.append("| argument | meaning |\n| --- | --- |\n");
    all.forEach(argument -> row(name(argument), text(argument.description())));
    page.append('\n');
  }

  private void row(String name, String meaning) {
    page.append("| `").append(name).append("` | ").append(meaning).append(" |\n");
  }

  private static String name(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option)) {
      return argument.paramLabel();
    }
    String names = String.join(", ", option.names());
    if (option.arity().max() == 0) {
      return names;
    }
    return names
        + (option.arity().min() == 0 ? " [" + option.paramLabel() + "]" : " " + option.paramLabel())
        + (option.required() ? " (required)" : "");
  }

  /** Lines as Markdown: one paragraph, with placeholders and globs shown as they are. */
  private static String text(String... lines) {
    return String.join(" ", lines)
        .replace("%%", "%")
        .replaceAll("([\\w.]*<[a-zA-Z=<>-]+>(?:\\.\\w+)*|'[^' ]*\\*[^' ]*'|\\*)", "`$1`")
        .replace("|", "\\|");
  }
}
