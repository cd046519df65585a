package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.OptionSpec;

/** The page about the command line names every command and option there is, and no other. */
class CliDocTest {
  private static final Path PAGE = Path.of("..", "docs", "cli.md");
  private static final Path README = Path.of("..", "README.md");

  /** Options that the page tells once for all, and those of commands with pages of their own. */
  private static final List<String> ELSEWHERE = List.of("serve", "bench");

  private static final List<String> COMMON =
      List.of("--server", "--token-file", "--tls-ca", "--json", "--watch", "--yes", "--prefix");

  /** The part of the page about a command: from its heading to the next. */
  private static String section(String page, String command) {
    int begin = page.indexOf("\n### `" + command + "`");
    assertThat(begin).as("a heading for " + command).isPositive();
    int end = page.indexOf("\n##", begin + 1);
    return end < 0 ? page.substring(begin) : page.substring(begin, end);
  }

  @Test
  void shouldHaveEveryCommandWithEveryOption() throws IOException {
    String page = Files.readString(PAGE);
    for (CommandTree.Entry command : CommandTree.all()) {
      if (command.isGroup() || ELSEWHERE.contains(command.words()[0])) {
        continue;
      }
      String section = section(page, command.name());
      assertThat(section).as(command.name()).contains("    $ holdfast " + command.name());
      for (OptionSpec option : command.options().toList()) {
        String name = option.longestName();
        if (!COMMON.contains(name)) {
          assertThat(section).as(command.name()).contains("`" + name);
        }
      }
    }
    assertThat(page).contains(COMMON);
  }

  @Test
  void shouldHaveNoOptionThatIsNotThere() throws IOException {
    List<String> known = new ArrayList<>(List.of("--help", "--version"));
    CommandTree.all()
        .forEach(command -> command.options().map(OptionSpec::longestName).forEach(known::add));
    Stream.concat(Files.readString(PAGE).lines(), fromATerminal())
        .flatMap(line -> Stream.of(line.split("[^a-z-]+")))
        .filter(word -> word.matches("--[a-z][a-z-]+"))
        .forEach(word -> assertThat(known).contains(word));
  }

  private static Stream<String> fromATerminal() throws IOException {
    String readme = Files.readString(README);
    int begin = readme.indexOf("## From a terminal");
    assertThat(begin).isPositive();
    return readme.substring(begin, readme.indexOf("\n## ", begin + 1)).lines();
  }

  @Test
  void shouldTellTheExitCodes() throws IOException {
    assertThat(Files.readString(PAGE)).contains("| 0 |", "| 1 |", "| 2 |", "| 3 |");
  }
}
