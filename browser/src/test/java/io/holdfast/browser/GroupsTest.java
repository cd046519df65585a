package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Groups with their lag, moved and deleted. */
class GroupsTest extends DashboardTest {
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
  void readTwoOfThree(TestInfo test) {
    queue = named(test.getTestMethod().orElseThrow().getName());
    for (int i = 0; i < 3; i++) {
      stage.push(queue, "1");
    }
    stage.pop(queue, "billing", 2).forEach(taken -> stage.ack(taken));
    on.open("groups?queue=" + queue);
  }

  private List<GroupInfo> groups() {
    return stage.broker.groups(GroupsRequest.ofQueue(queue)).orThrow().items();
  }

  private void hasLag(long lag) {
    Awaitility.await().until(() -> groups().getFirst().lag() == lag);
    assertThat(on.the("group-row").locator("[data-label='Lag']")).hasText(String.valueOf(lag));
  }

  @Test
  void shouldSeekToTheBeginningAndToTheEnd() {
    // given
    hasLag(1);
    // when
    on.act(on.the("group-row"), "act-seek");
    on.the("seek-beginning").check();
    on.submit();
    // then
    on.said("has 3 unsettled messages");
    hasLag(3);
    // when
    on.act(on.the("group-row"), "act-seek");
    on.the("seek-end").check();
    on.submit();
    // then
    on.said("has 0 unsettled messages");
    hasLag(0);
  }

  @Test
  void shouldDeleteAGroupOnlyAfterItsNameWasTyped() {
    // when
    on.act(on.the("group-row"), "act-delete-group");
    on.submitSure("billing");
    // then
    on.said("is deleted");
    assertThat(on.the("group-row")).hasCount(0);
    Assertions.assertThat(groups()).isEmpty();
  }

  @Test
  void shouldShowThoseThatAreBehind() {
    on.the("group-behind").selectOption("86400");
    assertThat(on.page.locator("main")).containsText("No group is that far behind");
  }
}
