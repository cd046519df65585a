package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The patterns of the client guide are the examples, and their code is what is compiled. */
class PatternsDocTest {
  private static final Path GUIDE = Path.of("..", "docs", "client.md");
  private static final Path SOURCES = Path.of("src", "main", "java", "io", "holdfast", "examples");
  private static final Pattern HEAD =
      Pattern.compile(
          "`([a-z-]+)`, \\[(\\w+)]\\(\\.\\./examples/src/main/java/io/holdfast/examples/\\2\\.java\\)");
  private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** A pattern of the guide. */
  private record Shown(String name, String type, List<String> code) {
    static Shown of(String section) {
      MatchResult head =
          HEAD.matcher(section)
              .results()
              .findFirst()
              .orElseThrow(() -> new AssertionError("names no example: " + section));
      List<String> code = CODE.matcher(section).results().map(block -> block.group(1)).toList();
      return new Shown(head.group(1), head.group(2), code);
    }
  }

  private static List<Shown> shown() throws IOException {
    String guide = Files.readString(GUIDE);
    String patterns = guide.substring(guide.indexOf("\n## Patterns\n"));
    return Stream.of(patterns.split("\n### ")).skip(1).map(Shown::of).toList();
  }

  /** Without its indentation: the guide shows only a part of each file. */
  private static String flat(String code) {
    return code.lines().map(String::strip).collect(Collectors.joining("\n", "\n", "\n"));
  }

  @Test
  void shouldShowEveryExample() throws IOException {
    assertThat(shown()).extracting(Shown::name).containsExactlyElementsOf(Examples.names());
  }

  @Test
  void shouldLinkEveryProgramOfTheModule() throws IOException {
    // given
    List<String> programs;
    try (Stream<Path> files = Files.list(SOURCES)) {
      programs =
          files
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .filter(name -> !List.of("Example", "Examples", "package-info").contains(name))
              .toList();
    }
    // then
    assertThat(shown()).extracting(Shown::type).containsExactlyInAnyOrderElementsOf(programs);
  }

  @Test
  void shouldShowTheCompiledCode() throws IOException {
    for (Shown pattern : shown()) {
      String source = flat(Files.readString(SOURCES.resolve(pattern.type() + ".java")));
      assertThat(pattern.code()).as(pattern.name()).isNotEmpty();
      assertThat(pattern.code()).allSatisfy(code -> assertThat(source).contains(flat(code)));
    }
  }
}
