package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.queue.QueueOption;
import java.util.List;
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
    assertThat(on.the("dialog")).containsText("delivers no messages until it is resumed");
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
    assertThat(on.page.locator("main")).containsText("No queue matches");
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
    on.said("was stored");
    assertThat(on.the("message-row", "try-1")).containsText("12345678901234567890");
  }

  @Test
  void shouldFollowAQueueAsMessagesArePushed() {
    // given
    String queue = named("followed");
    stage.push(queue, "\"before\"");
    on.open("queues/" + queue + "?tab=tail");
    assertThat(on.the("tail")).containsText("Waiting for messages");
    // when
    stage.push(Stage.message(queue, "{\"n\":1}").partition("p1").transactionId("first"));
    // then
    assertThat(on.the("tail-row", "first")).containsText("p1");
    // when
    stage.push(Stage.message(queue, "{\"n\":2}").transactionId("second"));
    // then
    assertThat(on.the("tail-row").first()).containsText("second");
    // when
    on.click("tail-pause");
    on.click("tail-clear");
    // then
    assertThat(on.the("tail")).containsText("Paused");
    assertThat(on.the("tail-row")).hasCount(0);
    Assertions.assertThat(stage.broker.queue(queue).orThrow().counts().waiting())
        .as("nothing was leased or settled")
        .isEqualTo(3);
  }

  @Test
  void shouldMoveWaitingMessagesToAnotherQueue() {
    // given
    String queue = named("from");
    String to = named("to");
    for (int i = 0; i < 120; i++) {
      stage.push(
          Stage.message(queue, "{\"big\":1234567890123456789" + i + "}")
              .partition("p" + i % 3)
              .lane(i % 2)
              .transactionId("t" + i));
    }
    stage.pop(queue, "other", 1);
    stage.ack(stage.pop(queue, "readers", 1));
    on.open("queues/" + queue);
    // when
    on.act(on.page.locator("main .page-head").first(), "act-move");
    assertThat(on.the("dialog-why")).hasText("Enter the other queue.");
    on.the("move-group").selectOption("readers");
    assertThat(on.the("dialog")).containsText("119 messages");
    on.fill("move-to", to);
    on.submit();
    // then
    on.said("119 messages moved");
    List<Delivery> moved = new java.util.ArrayList<>();
    for (int i = 0; i < 20; i++) {
      moved.addAll(stage.pop(to, "readers", 100));
    }
    Assertions.assertThat(moved)
        .hasSize(119)
        .allSatisfy(
            delivery ->
                Assertions.assertThat(new String(delivery.message().payload(), UTF_8))
                    .isEqualTo(
                        "{\"big\":1234567890123456789"
                            + String.valueOf(delivery.message().transactionId()).substring(1)
                            + "}"));
    Assertions.assertThat(stage.pop(queue, "readers", 10)).isEmpty();
    Assertions.assertThat(stage.broker.queue(queue).orThrow().counts().waiting()).isGreaterThan(0);
  }

  @Test
  void shouldStopMovingWhenAMessageIsRefusedAndLoseNothing() {
    // given
    String queue = named("refused");
    String to = named("full");
    stage.push(Stage.message(to, "0").transactionId("t1"));
    stage.push(Stage.message(queue, "1").transactionId("t1"));
    on.open("queues/" + queue);
    // when
    on.act(on.page.locator("main .page-head").first(), "act-move");
    on.fill("move-to", to);
    on.submit();
    // then
    assertThat(on.the("dialog").locator("[data-test='problem']"))
        .containsText("0 messages moved, then it stopped");
    Assertions.assertThat(stage.pop(queue, "__QUEUE_MODE__", 10)).hasSize(1);
    Assertions.assertThat(stage.broker.queue(to).orThrow().counts().waiting()).isEqualTo(1);
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
    on.said("1 message returned to the queue");
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
