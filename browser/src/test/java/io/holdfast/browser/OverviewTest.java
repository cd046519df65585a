package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.holdfast.api.queue.QueuesRequest;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The overview tells live what the broker does, and what needs somebody. */
class OverviewTest extends DashboardTest {
  private static Stage stage;

  @BeforeAll
  static void start() {
    stage = new Stage();
  }

  @AfterAll
  static void stop() {
    stage.close();
  }

  @Override
  Stage stage() {
    return stage;
  }

  /** How many messages wait in all queues. */
  private static long waiting() {
    QueuesRequest all = new QueuesRequest("", null, null, null, 1_000);
    return stage.broker.queues(all).orThrow().items().stream()
        .mapToLong(queue -> queue.counts().waiting() + queue.counts().returned())
        .sum();
  }

  @Test
  void shouldCountLiveWithoutBeingLoadedAgain() {
    // given
    String queue = named("live");
    stage.push(queue, "1");
    on.open("");
    assertThat(on.the("live")).hasAttribute("data-state", "live");
    on.page.evaluate("window.isSamePage = true");
    Locator waiting = on.the("now-waiting").locator(".value");
    assertThat(waiting).hasText(Long.toString(waiting()));
    // when
    stage.push(queue, "2");
    stage.push(queue, "3");
    // then
    assertThat(waiting).hasText(Long.toString(waiting()));
    assertThat(on.the("queue-row", queue)).isVisible();
    assertThat(on.the("durability")).containsText("Durability");
    assertThat(on.the("memory")).containsText("MiB");
    Assertions.assertThat(on.page.evaluate("window.isSamePage")).isEqualTo(true);
  }

  @Test
  void shouldLeadToWhatNeedsAttention() {
    // given
    String queue = named("halted");
    stage.push(queue, "1");
    stage.broker.pause(queue, true).orThrow();
    // when
    on.open("");
    on.the("attention-item", queue).locator("a").click();
    // then
    on.hasTitle(queue);
    assertThat(on.page.locator("main h1")).containsText("Paused");
  }

  @Test
  void shouldShowTheOldestOnlyWhereSomethingWaits() {
    // given
    String queue = named("done");
    stage.push(queue, "1");
    // when
    on.open("queues/" + queue);
    // then
    assertThat(on.the("now-waiting").locator(".value")).hasText("1");
    assertThat(on.the("now-oldest")).isVisible();
    // when
    stage.pop(queue, "readers", 1);
    // then
    assertThat(on.the("now-inFlight").locator(".value")).hasText("1");
    assertThat(on.the("now-oldest")).hasCount(0);
  }

  @Test
  void shouldLabelEachMarkOfAnAxisOnce() {
    // given
    stage.push(named("axis"), "1");
    on.open("");
    assertThat(on.the("chart-panel")).hasCount(2);
    // when
    Object labels =
        on.page.evaluate(
            """
            async () => {
              const chart = document.querySelector('hf-chart');
              const to = Date.UTC(2026, 0, 2, 14);
              const day = 86_400_000;
              chart.points = [0, 1, 2, 3].map((n) => ({ time: to - day + n * day / 3, push: 0.02 * n }));
              Object.assign(chart, { from: to - day, to });
              await chart.updateComplete;
              await chart.draw(true);
              return ['x', 'y'].map((axis) => {
                const all = chart.chart.scales[axis].ticks.map((tick) => tick.label);
                return all.length > 1 && new Set(all).size === all.length ? 'once' : all.join();
              });
            }
            """);
    // then
    Assertions.assertThat(labels).isEqualTo(java.util.List.of("once", "once"));
  }

  @Test
  void shouldLookBackOverOtherSpans() {
    stage.push(named("span"), "1");
    on.open("");
    on.click("choice-24h");
    assertThat(on.the("choice-24h")).hasAttribute("aria-pressed", "true");
    assertThat(on.the("chart-panel")).hasCount(2);
  }
}
