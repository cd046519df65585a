package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliFixture.Ran;
import io.holdfast.cli.output.ExitCodes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What all commands have in common: help, errors, and how they end without a server. */
class HelpTest {
  static List<CommandTree.Entry> all() {
    return CommandTree.all();
  }

  @Test
  void shouldHaveEveryCommandInASection() {
    // when
    Ran ran = CliFixture.plain(new FakeTerminal());
    // then
    assertThat(ran.exit()).isZero();
    assertThat(ran.out())
        .containsSubsequence(
            "Messages:", "Queues:", "Dead letters:", "Tasks and flows:", "Server:", "Exit codes:")
        .contains("Examples:");
    for (String name : Commands.names()) {
      assertThat(ran.out()).containsPattern("(?m)^  " + name + " ");
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldExplainItselfWithExamples(CommandTree.Entry command) {
    // given
    List<String> arguments = new ArrayList<>(Arrays.asList(command.words()));
    arguments.add("--help");
    // when
    Ran ran = CliFixture.plain(new FakeTerminal(), arguments.toArray(String[]::new));
    // then
    assertThat(ran.exit()).isZero();
    assertThat(ran.out())
        .contains("Usage: holdfast " + command.name(), "holdfast " + command.name());
    assertThat(
            ran.out().lines().filter(line -> line.startsWith("  ") && line.contains("holdfast ")))
        .as("examples")
        .isNotEmpty();
    assertThat(ran.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldRefuseAnOptionThatIsNotThere(CommandTree.Entry command) {
    List<String> arguments = new ArrayList<>(command.needed());
    arguments.add("--no-such-option");
    Ran ran = CliFixture.plain(new FakeTerminal(), arguments.toArray(String[]::new));
    assertThat(ran.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(ran.err().lines())
        .singleElement()
        .asString()
        .contains("--no-such-option", "Try 'holdfast " + command.name() + " --help'");
  }

  @Test
  void shouldSayThatNoServerAnswers() throws Exception {
    // given: a port that no server gets by chance
    int port = 1;
    List<CommandTree.Entry> commands =
        CommandTree.all().stream().filter(CommandTree.Entry::asksAServer).toList();
    // when: all at once, as each tries several times
    Map<String, Future<Ran>> running = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (CommandTree.Entry command : commands) {
        String[] arguments = arguments(command, port);
        running.put(
            command.name(), threads.submit(() -> CliFixture.plain(new FakeTerminal(), arguments)));
      }
    }
    // then
    assertThat(running).hasSizeGreaterThan(35);
    for (Map.Entry<String, Future<Ran>> one : running.entrySet()) {
      Ran ran = one.getValue().get();
      assertThat(ran.exit()).as(one.getKey() + ran).isEqualTo(ExitCodes.UNREACHABLE);
      assertThat(ran.err().lines())
          .singleElement()
          .asString()
          .startsWith("No server answers at http://127.0.0.1:" + port)
          .endsWith("start one with 'holdfast serve', or set --server.");
    }
  }

  private static String[] arguments(CommandTree.Entry command, int port) {
    List<String> arguments = new ArrayList<>(command.needed());
    switch (command.name()) {
      case "push" -> arguments.add("1");
      case "queue configure" -> arguments.add("ttl=1m");
      case "reschedule" -> arguments.addAll(List.of("--delay", "1s"));
      case "dlq remove" -> arguments.addAll(List.of("--error", "x"));
      case "flows purge" -> arguments.add("--all");
      case "flows verify" -> {
        arguments.clear();
        arguments.addAll(
            List.of("flows", "verify", "--jar", ".", "--class", NoFlows.class.getName()));
      }
      default -> {}
    }
    arguments.addAll(List.of("--server", "http://127.0.0.1:" + port));
    if (command.options().anyMatch(option -> option.longestName().equals("--yes"))) {
      arguments.add("--yes");
    }
    return arguments.toArray(String[]::new);
  }

  /** No flows at all. */
  public static final class NoFlows implements Supplier<List<Object>> {
    @Override
    public List<Object> get() {
      return List.of();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "qeues|Unknown command: qeues. Did you mean queues or queue? Try 'holdfast --help'.",
        "queue shw|Unknown command: shw. Did you mean show? Try 'holdfast queue --help'.",
        "queues x|Expected nothing further, but got x. Try 'holdfast queues --help'.",
        "pop|Expected <queue>, but there is none. Try 'holdfast pop --help'.",
        "seek a b|Expected --to, but there is none. Try 'holdfast seek --help'.",
        "pop q --batch many|Invalid value for option '--batch': 'many' is not an int. Try 'holdfast"
            + " pop --help'.",
        "pop q --server nowhere|Addresses: expected one such as http://localhost:6632, but got"
            + " nowhere.",
      })
  void shouldSayInOneSentenceWhatIsWrong(String usage) {
    String[] parts = usage.split("\\|");
    Ran ran = CliFixture.plain(new FakeTerminal(), parts[0].split(" "));
    assertThat(ran.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err().strip()).isEqualToIgnoringCase(parts[1]);
  }

  @Test
  void shouldColourHelpOnlyOnATerminal() {
    assertThat(CliFixture.plain(new FakeTerminal().screen(80), "push", "--help").out())
        .doesNotContain("\u001b");
    assertThat(CliFixture.plain(new FakeTerminal().screen(80).colours(), "push", "--help").out())
        .contains("\u001b[");
  }

  @Test
  void shouldSayTheVersionEverywhere() {
    assertThat(CliFixture.plain(new FakeTerminal(), "queue", "show", "--version").out())
        .startsWith("holdfast ")
        .contains("Java ");
  }
}
