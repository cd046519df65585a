package io.holdfast.workflow.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code in the guide to flows is what is compiled and tested here. */
class FlowsDocTest {
  private static final Path GUIDE = Path.of("..", "docs", "flows.md");
  private static final String FOLDER = "src/test/java/io/holdfast/workflow/guide";
  private static final Path SOURCES = Path.of(FOLDER);
  private static final Pattern LINK =
      Pattern.compile("\\[(\\w+)]\\(\\.\\./workflow/" + FOLDER + "/\\1\\.java\\)");
  private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** A section of the guide: the classes it links, and the code it shows. */
  private record Shown(String title, List<String> types, List<String> code) {
    static Shown of(String section) {
      return new Shown(
          section.lines().findFirst().orElse(""),
          LINK.matcher(section).results().map(link -> link.group(1)).toList(),
          CODE.matcher(section).results().map(block -> block.group(1)).toList());
    }
  }

  private static List<Shown> shown() throws IOException {
    return Stream.of(Files.readString(GUIDE).split("\n## ")).skip(1).map(Shown::of).toList();
  }

  /** Without its indentation: the guide shows only a part of each file. */
  private static String flat(String code) {
    return code.lines().map(String::strip).collect(Collectors.joining("\n", "\n", "\n"));
  }

  private static String source(String type) {
    try {
      return flat(Files.readString(SOURCES.resolve(type + ".java")));
    } catch (IOException e) {
      throw new AssertionError("the guide links " + type, e);
    }
  }

  @Test
  void shouldShowTheCompiledCode() throws IOException {
    for (Shown section : shown()) {
      String sources =
          section.types().stream().map(FlowsDocTest::source).collect(Collectors.joining());
      assertThat(section.code())
          .as(section.title())
          .allSatisfy(code -> assertThat(sources).contains(flat(code)));
    }
  }

  @Test
  void shouldShowTheCompiledCodeInTheReadme() throws IOException {
    // given
    String readme = Files.readString(Path.of("..", "README.md"));
    String section = readme.substring(readme.indexOf("## Run durable flows"));
    // when
    Shown shown = Shown.of(section.substring(0, section.indexOf("\n## ")));
    // then
    assertThat(shown.code())
        .singleElement()
        .satisfies(code -> assertThat(source("OrderFlow")).contains(flat(code)));
  }

  @Test
  void shouldLinkEveryExample() throws IOException {
    // given
    List<String> examples;
    try (Stream<Path> files = Files.list(SOURCES)) {
      examples =
          files
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .filter(name -> !name.equals("FlowsDocTest") && !name.equals("package-info"))
              .toList();
    }
    // then
    assertThat(shown().stream().flatMap(section -> section.types().stream()).distinct())
        .containsExactlyInAnyOrderElementsOf(examples);
    assertThat(shown().stream().mapToLong(section -> section.code().size()).sum())
        .isGreaterThan(10);
  }
}
