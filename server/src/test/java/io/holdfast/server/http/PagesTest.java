package io.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lists are read page by page, and no further than needed. */
class PagesTest {
  private final List<String> asked = new ArrayList<>();

  /** Three pages of two numbers; the second page is empty. */
  private Page<Integer> page(@Nullable String after) {
    asked.add(String.valueOf(after));
    return switch (after) {
      case null -> new Page<>(List.of(1, 2), "a");
      case "a" -> new Page<>(List.of(), "b");
      default -> new Page<>(List.of(3, 4), null);
    };
  }

  @Test
  void shouldReadAllPages() {
    assertThat(Pages.stream(this::page)).containsExactly(1, 2, 3, 4);
    assertThat(asked).containsExactly("null", "a", "b");
  }

  @Test
  void shouldReadNoPageThatIsNotNeeded() {
    assertThat(Pages.stream(this::page).limit(2).toList()).containsExactly(1, 2);
    assertThat(asked).containsExactly("null");
  }

  @Test
  void shouldTakeARefusedPageForAnEmptyOne() {
    Page<Integer> page = Pages.orEmpty(Result.refused(ErrorCode.NOT_FOUND, "gone"));
    assertThat(page.items()).isEmpty();
    assertThat(page.next()).isNull();
  }
}
