package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What all pages have in common, at both widths and in both colours. */
@ExtendWith(Chromium.class)
class EveryPageTest {
  private static final List<String> PAGES =
      List.of("", "queues", "dead", "tasks", "flows", "groups", "records", "traces", "system");

  private static Stage empty;
  private static Stage full;
  private static String dead;

  @BeforeAll
  static void start() {
    empty = new Stage();
    full = new Stage();
    full.configure("orders", Map.of(io.holdfast.api.queue.QueueOption.TRACK, true));
    dead =
        full.bury(
            "orders",
            "billing",
            "{\"order\":1,\"note\":\"" + "long ".repeat(200) + "\"}",
            "no account");
    full.push(
        "a-queue-whose-name-is-so-long-that-it-cannot-stand-on-one-line-of-any-phone".repeat(2),
        "1");
    full.pop("orders", "slow", 1);
  }

  @AfterAll
  static void stop() {
    empty.close();
    full.close();
  }

  @ParameterizedTest
  @EnumSource(Width.class)
  void shouldSayWhatToDoNextWhenThereIsNothing(Width width) {
    try (Dashboard on = new Dashboard(empty.port(), width, ColorScheme.LIGHT)) {
      for (String page :
          List.of("", "queues", "dead", "tasks", "flows", "groups", "records", "traces")) {
        on.open(page);
        assertThat(on.page.locator("main .command").first()).containsText("curl");
        on.assertWell();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"DESKTOP,LIGHT", "DESKTOP,DARK", "PHONE,LIGHT", "PHONE,DARK"})
  void shouldFitItsWindowAndHaveOneHeading(Width width, ColorScheme scheme) {
    try (Dashboard on = new Dashboard(full.port(), width, scheme)) {
      for (String page : PAGES) {
        look(on, page);
      }
      for (String tab :
          List.of("overview", "messages", "partitions", "groups", "leases", "tail", "options")) {
        look(on, "queues/orders?tab=" + tab);
        assertThat(on.page.locator(".tabs [aria-current]")).isInViewport();
      }
      look(on, "messages/" + dead);
      look(on, "tasks/" + dead);
      look(on, "records/none");
      look(on, "journals/none");
      look(on, "traces/none");
      look(on, "nothing/there");
    }
  }

  private static void look(Dashboard on, String page) {
    on.open(page);
    Locator heading = on.page.locator("main h1");
    assertThat(heading).hasCount(1);
    assertThat(on.page.locator("main .skeleton")).hasCount(0);
    on.assertWell();
    // Every button can be told by those who do not see it.
    Object nameless =
        on.page.evaluate(
            "[...document.querySelectorAll('button, a, input, select, textarea')]"
                + ".filter((one) => one.checkVisibility()"
                + " && !(one.textContent.trim() || one.ariaLabel || one.title || one.placeholder"
                + " || one.labels?.length)).map((one) => one.outerHTML)");
    Assertions.assertThat(nameless).as(page).isEqualTo(List.of());
  }

  @ParameterizedTest
  @EnumSource(Width.class)
  void shouldLeadFromPageToPage(Width width) {
    try (Dashboard on = new Dashboard(full.port(), width, ColorScheme.LIGHT)) {
      on.open("");
      for (String page :
          List.of(
              "queues",
              "dead",
              "tasks",
              "flows",
              "groups",
              "records",
              "traces",
              "system",
              "overview")) {
        if (width == Width.PHONE) {
          on.click("navigation");
        }
        on.click("nav-" + page);
        assertThat(on.the("nav-" + page)).hasAttribute("aria-current", "page");
        assertThat(on.page.locator("main h1")).hasCount(1);
      }
      on.assertWell();
    }
  }
}
