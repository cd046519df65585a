package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.queue.QueueOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of the guarantees say what the code says. */
class GuaranteesDocTest {
  private static final Path GUARANTEES = Path.of("..", "docs", "guarantees.md");

  @Test
  void shouldListEveryQueueOption() throws IOException {
    // given
    List<List<String>> expected =
        Stream.of(QueueOption.values()).map(GuaranteesDocTest::row).toList();
    // when
    List<List<String>> shown = MarkdownTable.below(GUARANTEES, "## Queue options");
    // then
    assertThat(shown).containsExactlyElementsOf(expected);
  }

  private static List<String> row(QueueOption option) {
    return List.of(
        option.wireName(), byDefault(option), values(option), unit(option), option.explanation());
  }

  private static String byDefault(QueueOption option) {
    String text = String.valueOf(option.byDefault());
    return text.isEmpty() ? "none" : text;
  }

  private static String values(QueueOption option) {
    if (option.byDefault() instanceof Long) {
      return option.max() == Long.MAX_VALUE
          ? option.min() + " or more"
          : option.min() + " to " + option.max();
    }
    if (option.byDefault() instanceof Boolean) {
      return "true, false";
    }
    return option.words().isEmpty() ? "a name" : String.join(", ", option.words());
  }

  private static String unit(QueueOption option) {
    String text = option.explanation();
    if (text.contains("illiseconds")) {
      return "ms";
    }
    return text.startsWith("Seconds") ? "s" : "";
  }

  @Test
  void shouldListEveryErrorCode() throws IOException {
    // given
    List<List<String>> expected =
        Stream.of(ErrorCode.values())
            .map(code -> List.of(code.name(), code.retryable() ? "yes" : "no"))
            .toList();
    // when
    List<List<String>> shown = MarkdownTable.below(GUARANTEES, "## Error codes");
    // then
    assertThat(shown.stream().map(row -> row.subList(0, 2))).containsExactlyElementsOf(expected);
    assertThat(shown).allSatisfy(row -> assertThat(row.get(2)).isNotEmpty());
  }
}
