package io.holdfast.client.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The code in the pages about the client is what is compiled here, and run by another test. */
class ClientDocTest {
  private static final Path SOURCES =
      Path.of("src", "test", "java", "io", "holdfast", "client", "guide");
  private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** A call of the client that stands in a page as indented text, where nobody compiles it. */
  private static final Pattern LOOSE =
      Pattern.compile(
          "^ {4,}.*(Holdfast\\.|holdfast\\.|client\\.|\\bnew \\w+\\().*", Pattern.MULTILINE);

  /** A page or a part of one, and how many pieces of code it has. */
  record Shown(String name, String text, int pieces) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** What is between two headings of a page; all up to its end if the second is empty. */
  private static String part(Path page, String from, String to) throws IOException {
    String text = Files.readString(page);
    int begin = text.indexOf(from);
    assertThat(begin).as(from).isNotNegative();
    return to.isEmpty() ? text.substring(begin) : text.substring(begin, text.indexOf(to, begin));
  }

  static List<Shown> shown() throws IOException {
    Path docs = Path.of("..", "docs");
    Path readme = Path.of("..", "README.md");
    return List.of(
        // The patterns behind it are compiled in the module of the examples.
        new Shown("client.md", part(docs.resolve("client.md"), "# ", "\n## Patterns\n"), 10),
        new Shown("client-acks.md", part(docs.resolve("client-acks.md"), "# ", ""), 2),
        new Shown("README.md", part(readme, "## Use it from Java", "\n## "), 1));
  }

  /** Without its indentation: a page shows only a part of each file. */
  private static String flat(String code) {
    return code.lines().map(String::strip).collect(Collectors.joining("\n", "\n", "\n"));
  }

  private static String sources() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : files.toList()) {
        if (!file.getFileName().toString().endsWith("Test.java")) {
          all.append(flat(Files.readString(file)));
        }
      }
    }
    return all.toString();
  }

  @ParameterizedTest
  @MethodSource("shown")
  void shouldShowTheCompiledCode(Shown page) throws IOException {
    List<String> code = CODE.matcher(page.text()).results().map(block -> block.group(1)).toList();
    String sources = sources();
    assertThat(code).hasSize(page.pieces());
    assertThat(code).allSatisfy(block -> assertThat(sources).contains(flat(block)));
  }

  @ParameterizedTest
  @MethodSource("shown")
  void shouldShowNoOtherCode(Shown page) {
    assertThat(LOOSE.matcher(CODE.matcher(page.text()).replaceAll("")).results())
        .extracting(loose -> loose.group())
        .isEmpty();
  }
}
