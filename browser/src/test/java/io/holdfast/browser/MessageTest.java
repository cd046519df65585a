package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import java.util.UUID;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** A message tells where it is and why, and can be moved from there. */
class MessageTest extends DashboardTest {
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

  private String queue = "";

  @BeforeEach
  void nameQueue(TestInfo test) {
    queue = named(test.getTestMethod().orElseThrow().getName());
  }

  private MessageState state(String id) {
    return stage
        .broker
        .message(MessageRef.id(UUID.fromString(id)))
        .orThrow()
        .groups()
        .getFirst()
        .state();
  }

  private void hasState(String id, MessageState wanted) {
    Awaitility.await().until(() -> state(id) == wanted);
  }

  @Test
  void shouldExplainAndShowThePayloadAsItIs() {
    // given
    String id = stage.push(queue, "{\"n\":1.50,\"big\":12345678901234567890}");
    stage.pop(queue, "g", 1);
    // when
    on.open("messages/" + id);
    // then
    assertThat(on.the("explain")).containsText("It is held by worker worker-7");
    assertThat(on.the("payload-text")).containsText("\"big\": 12345678901234567890");
    on.click("payload-raw");
    assertThat(on.the("payload-text")).hasText("{\"n\":1.50,\"big\":12345678901234567890}");
  }

  @Test
  void shouldCancel() {
    // given
    String id = stage.push(queue, "1");
    on.open("messages/" + id);
    // when
    on.click("cancel-message");
    assertThat(on.the("dialog")).containsText("It cannot be undone");
    on.submit();
    // then
    on.said("cancelled");
    on.hasTitle(queue);
    Assertions.assertThat(stage.broker.message(MessageRef.id(UUID.fromString(id))).isOk())
        .isFalse();
  }

  @Test
  void shouldReschedule() {
    // given
    String id = stage.push(queue, "1");
    stage.nack(stage.pop(queue, "g", 1).getFirst(), "busy");
    on.open("messages/" + id);
    // when
    on.click("reschedule");
    on.fill("reschedule-time", "2099-01-01T12:00:01");
    on.submit();
    // then
    on.said("visible");
    assertThat(on.page.locator("main")).containsText("2099");
  }

  @Test
  void shouldReleaseAndKillWhatIsInFlight() {
    // given
    String id = stage.push(queue, "1");
    stage.pop(queue, "g", 1);
    on.open("messages/" + id);
    // when
    on.click("release");
    on.submit();
    // then
    on.said("returned to the queue");
    hasState(id, MessageState.RETURNED);
    // when
    on.click("kill");
    on.fill("kill-reason", "no such customer");
    on.submit();
    // then
    on.said("is a dead letter");
    assertThat(on.page.locator("main")).containsText("no such customer");
    hasState(id, MessageState.DEAD);
  }

  @Test
  void shouldRequeueADeadOne() {
    // given
    String id = stage.bury(queue, "g", "1", "broken");
    on.open("messages/" + id);
    assertThat(on.the("message-group")).containsText("broken");
    // There is nothing left to be cancelled.
    assertThat(on.the("cancel-message")).hasCount(0);
    // when
    on.click("requeue");
    on.submit();
    // then
    on.said("will be delivered again");
    hasState(id, MessageState.RETURNED);
  }

  @Test
  void shouldRequeueADeadOneWithAnotherPayload() {
    // given
    String id = stage.bury(queue, "g", "{\"sum\":-1}", "negative");
    on.open("messages/" + id);
    // when
    on.click("requeue-edited");
    on.fill("edited-payload", "{\"sum\": 1}");
    on.submit();
    // then
    on.said("Pushed as");
    Assertions.assertThat(stage.pop(queue, "g", 1).getFirst().message().payload())
        .asString()
        .isEqualTo("{\"sum\": 1}");
  }

  @Test
  void shouldSayWhenThereIsNone() {
    on.open("messages/00000000-0000-7000-8000-000000000000");
    assertThat(on.page.locator("main")).containsText("Message not found");
  }
}
