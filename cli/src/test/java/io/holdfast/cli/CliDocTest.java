package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The page about the command line matches the commands, and no page names one that is absent. */
class CliDocTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/cli.md");
  private static final String MARK = "<!-- Generated from here on by ./holdfast docs. -->\n\n";
  private static final String PROMPT = "    $ holdfast ";

  /** Stands on the page for the lease of the last pop. */
  private static final String LEASE = "K3xO2KDPEwg";

  private static final Pattern LEASED = Pattern.compile("lease (\\S{11}) until");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  /** A command in a code block or between backticks. */
  private static final Pattern CALL =
      Pattern.compile("(?m)(?:^ {4}(?:\\$ )?|`|\\| )(?:\\./)?holdfast ([a-z][^`\\n|]*)");

  /** Commands of the launcher, which are not part of the program. */
  private static final List<String> LAUNCHER =
      List.of(
          "test",
          "format",
          "docs",
          "answers",
          "golden",
          "images",
          "package",
          "example",
          "warm-up",
          "is-ready");

  private final CommandLine main = Main.commandLine(new FakeTerminal());

  @Test
  void shouldBeGeneratedFromTheCommands() throws IOException {
    String page = Files.readString(PAGE);
    int mark = page.indexOf(MARK);
    assertThat(mark).as("the mark in docs/cli.md").isPositive();
    String expected = withOutput(page.substring(0, mark)) + MARK + CliMarkdown.of(main);
    if ("write".equals(System.getProperty("holdfast.docs"))) {
      Files.writeString(PAGE, expected);
    }
    assertThat(Files.readString(PAGE))
        .as("docs/cli.md differs from the commands; write it again with: ./holdfast docs")
        .isEqualTo(expected);
  }

  /** Runs the commands of the hand-written part in turn, and puts their output below each. */
  private static String withOutput(String introduction) {
    StringBuilder text = new StringBuilder();
    String lease = LEASE;
    boolean isOutput = false;
    try (CliFixture cli = CliFixture.start()) {
      for (String line : introduction.lines().toList()) {
        if (isOutput && !line.isBlank() && !line.startsWith("    ")) {
          text.append('\n');
          isOutput = false;
        }
        if (line.startsWith(PROMPT)) {
          String command = line.substring(PROMPT.length()).replace(LEASE, lease);
          CliFixture.Ran ran = cli.run(new FakeTerminal(), words(command).toArray(String[]::new));
          Matcher leased = LEASED.matcher(ran.out());
          lease = leased.find() ? leased.group(1) : lease;
          text.append(line).append('\n');
          String printed = (ran.out() + ran.err()).replace(lease, LEASE).indent(4);
          text.append(printed.replaceAll("(?m)^ +$", ""));
          isOutput = true;
        } else if (!isOutput) {
          text.append(line).append('\n');
        }
      }
    }
    return text.toString();
  }

  private static List<String> words(String command) {
    return WORD.matcher(command)
        .results()
        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
        .toList();
  }

  @Test
  void shouldBeNamedRightlyOnEveryPage() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path page : pages()) {
      CALL.matcher(Files.readString(page))
          .results()
          .map(call -> error(call.group(1)))
          .filter(error -> !error.isEmpty())
          .forEach(error -> wrong.add(page + ": " + error));
    }
    assertThat(wrong).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(top, docs).filter(file -> file.toString().endsWith(".md")).toList();
    }
  }

  /** What is wrong with a command of a page; empty if nothing is. */
  private String error(String call) {
    List<String> words = words(call.replaceFirst("\\s[>|#&;].*|  .*", ""));
    if (LAUNCHER.contains(words.getFirst())) {
      return "";
    }
    CommandLine command = main;
    for (String word : words) {
      String name = word.replaceFirst("[.,:;)=].*$", "");
      if (!command.getSubcommands().isEmpty() && name.matches("[a-z-]+") && !name.startsWith("-")) {
        command = command.getSubcommands().get(name);
        if (command == null) {
          return "unknown command: " + call;
        }
      } else if (name.matches("--[a-z-]+") && command.getCommandSpec().findOption(name) == null) {
        return "unknown option " + name + ": " + call;
      }
    }
    return "";
  }
}
