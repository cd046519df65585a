package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.queue.QueueOption;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tasks by status, each with its life and its devices. */
class TasksTest extends DashboardTest {
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

  @Test
  void shouldCountByStatusAndTellALife() {
    // given
    String queue = named("watering");
    stage.configure(
        queue,
        Map.of(
            QueueOption.TRACK, true, QueueOption.DELIVERY, "shared", QueueOption.RETRY_DELAY, 0L));
    stage.push(Stage.message(queue, "1").transactionId("zone-1"));
    stage.push(Stage.message(queue, "2").transactionId("zone-2"));
    for (Delivery first : stage.pop(queue, "pumps", 2)) {
      if ("zone-1".equals(first.message().transactionId())) {
        stage.nack(first, "no water");
      } else {
        stage.kill(first, "the pump is broken");
      }
    }
    Awaitility.await()
        .until(
            () -> {
              List<Delivery> again = stage.pop(queue, "pumps", 1);
              again.forEach(taken -> stage.ack(taken));
              return !again.isEmpty();
            });
    // when
    on.open("tasks?queue=" + queue);
    // then
    assertThat(on.the("status-Complete")).containsText("1");
    assertThat(on.the("retry-rate")).containsText("50%");
    assertThat(on.the("device-row", "worker-7")).isVisible();
    // when
    on.click("status-Complete");
    assertThat(on.the("task-row")).hasCount(1);
    on.the("task-row", "zone-1").locator("a").first().click();
    // then
    on.hasTitle("zone-1");
    assertThat(on.the("lifeline")).containsText("Complete");
    // when
    on.click("to-message");
    // then
    assertThat(on.the("payload-text")).hasText("1");
    // when
    on.open("tasks?status=Dead&queue=" + queue);
    on.the("task-row", "zone-2").locator("a").first().click();
    // then
    assertThat(on.the("lifeline")).containsText("Dead");
    assertThat(on.page.locator("main")).containsText("the pump is broken");
  }

  @Test
  void shouldSayHowQueuesComeToTrack() {
    on.open("tasks?queue=" + named("nowhere"));
    assertThat(on.page.locator("main h1")).containsText("Tasks");
  }
}
