package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import io.holdfast.api.queue.QueueOption;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Queues are made, set, stopped, emptied and deleted from the page. */
class QueuesTest extends DashboardTest {
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
  void shouldCreateAQueueWithOptions() {
    // given
    String queue = named("made");
    on.open("queues");
    // when
    on.click("create-queue");
    on.fill("queue-name", queue);
    on.fill("option-retryLimit", "7");
    on.submit();
    // then
    on.hasTitle(queue);
    on.open("queues/" + queue + "?tab=options");
    assertThat(on.page.locator("main")).containsText("Retries after the first failure");
    Assertions.assertThat(
            stage.broker.queue(queue).orThrow().options().get(QueueOption.RETRY_LIMIT))
        .isEqualTo(7L);
  }

  @Test
  void shouldConfigureAQueueAndSayWhatIsWrong() {
    // given
    String queue = named("set");
    stage.configure(queue, Map.of());
    on.open("queues/" + queue);
    on.act(on.page.locator("main .page-head").first(), "act-options");
    // when
    on.fill("option-leaseTime", "99999999999");
    on.submit();
    // then
    assertThat(on.the("dialog").locator("[data-test='problem']")).containsText("leaseTime");
    // when
    on.fill("option-leaseTime", "60");
    on.submit();
    // then
    assertThat(on.the("dialog")).hasCount(0);
    Assertions.assertThat(stage.broker.queue(queue).orThrow().options().get(QueueOption.LEASE_TIME))
        .isEqualTo(60L);
  }

  @Test
  void shouldPauseAndResume() {
    // given
    String queue = named("stopped");
    stage.push(queue, "1");
    on.open("queues/" + queue);
    // when
    on.click("pause-queue");
    assertThat(on.the("dialog")).containsText("delivers nothing until it is resumed");
    on.submit();
    // then
    on.said("is paused");
    Assertions.assertThat(stage.pop(queue, "g", 1)).isEmpty();
    // when
    on.click("resume-queue");
    // then
    on.said("delivers again");
    Assertions.assertThat(stage.pop(queue, "g", 1)).hasSize(1);
  }

  @Test
  void shouldPurgeOnlyAfterTheNameWasTyped() {
    // given
    String queue = named("full");
    stage.push(queue, "1");
    stage.push(queue, "2");
    on.open("queues?search=" + queue);
    // when
    on.act(on.the("queue-row", queue), "act-purge");
    assertThat(on.the("dialog")).containsText("2 messages");
    on.submitSure(queue);
    // then
    on.said("2 messages removed");
    assertThat(on.the("queue-row", queue).locator("[data-label='Waiting']")).hasText("0");
  }

  @Test
  void shouldDeleteAQueue() {
    // given
    String queue = named("gone");
    stage.push(queue, "1");
    on.open("queues/" + queue);
    // when
    on.act(on.page.locator("main .page-head").first(), "act-delete");
    on.submitSure(queue);
    // then
    on.said("is deleted");
    on.hasTitle("Queues");
    Assertions.assertThat(stage.broker.queue(queue).isOk()).isFalse();
  }

  @Test
  void shouldSearchAndSortOverAllQueues() {
    // given
    for (int i = 0; i < 3; i++) {
      for (int n = 0; n <= i; n++) {
        stage.push(named("sorted" + i), "1");
      }
    }
    // when
    on.open("queues?search=sorted&sort=waiting&order=desc");
    // then
    assertThat(on.the("queue-row").first()).containsText("sorted2");
    // when
    on.fill("queue-search", named("sorted1"));
    // then
    assertThat(on.the("queue-row")).hasCount(1);
    // when
    on.fill("queue-search", "nothing like it");
    // then
    assertThat(on.page.locator("main")).containsText("No queue fits");
  }

  @Test
  void shouldPushATestMessageAsItWasTyped() {
    // given
    String queue = named("tried");
    stage.configure(queue, Map.of());
    on.open("queues/" + queue + "?tab=messages");
    // when
    on.click("push-message");
    on.fill("push-payload", "{not json");
    assertThat(on.the("dialog-submit")).isDisabled();
    on.fill("push-payload", "{\"big\":12345678901234567890}");
    on.fill("push-partition", "p1");
    on.fill("push-transactionId", "try-1");
    on.submit();
    // then
    on.said("Stored as");
    assertThat(on.the("message-row", "try-1")).containsText("12345678901234567890");
  }

  @Test
  void shouldShowLeasesWithTheirHoldersAndReleaseOne() {
    // given
    String queue = named("held");
    stage.push(queue, "1");
    stage.pop(queue, "readers", 1);
    on.open("queues/" + queue + "?tab=leases");
    // when
    assertThat(on.the("lease-row")).containsText("worker-7");
    on.click("release-lease");
    on.submit();
    // then
    on.said("1 message given back");
    assertThat(on.the("lease-row")).hasCount(0);
  }

  @Test
  void shouldShowMessagesAsAGroupSeesThemThatReadsTheQueue() {
    // given
    String queue = named("seen");
    stage.bury(queue, "billing", "1", "no account");
    // when
    on.open("queues/" + queue + "?tab=messages");
    // then
    assertThat(on.the("message-group").locator("option:checked")).hasText("billing");
    assertThat(on.the("message-row")).containsText("Dead");
  }
}
