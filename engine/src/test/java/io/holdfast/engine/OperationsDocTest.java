package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of the operations page says what the code says. */
class OperationsDocTest {
  private static final Path OPERATIONS = Path.of("..", "docs", "operations.md");

  @Test
  void shouldListEverySettingWithItsDefault() throws Exception {
    // given
    EngineConfig defaults = EngineConfig.at(Path.of("data"));
    List<List<String>> expected = new ArrayList<>();
    for (RecordComponent component : EngineConfig.class.getRecordComponents()) {
      Object value = component.getAccessor().invoke(defaults);
      boolean given = component.getName().equals("directory");
      expected.add(List.of(component.getName(), given ? "none" : String.valueOf(value)));
    }
    // when
    List<List<String>> shown = shown();
    // then
    assertThat(shown).containsExactlyElementsOf(expected);
  }

  private static List<List<String>> shown() throws IOException {
    return MarkdownTable.below(OPERATIONS, "## Settings").stream()
        .map(row -> row.subList(0, 2))
        .toList();
  }
}
