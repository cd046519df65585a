package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.options.BoundingBox;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import java.io.IOException;
import java.nio.file.Files;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Dead letters by error: found, tried dry, requeued, edited, removed and exported. */
class DeadLettersTest extends DashboardTest {
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

  private void bury(int count, String error) {
    for (int i = 0; i < count; i++) {
      stage.bury(queue, "g", "{\"n\":" + i + "}", error + " " + (1_000 + i));
    }
  }

  private long dead() {
    return stage
        .broker
        .deadLetters(DeadLettersRequest.of(DeadLetterFilter.queue(queue)))
        .orThrow()
        .total();
  }

  private void haveDied(long count) {
    Awaitility.await().until(() -> dead() == count);
  }

  @Test
  void shouldGroupByErrorAndShowOneOfThem() {
    // given
    bury(3, "no account");
    bury(1, "no money for");
    // when
    on.open("dead?queue=" + queue);
    // then
    assertThat(on.the("error-row", "no account #")).containsText("3");
    // when
    on.the("error-row", "no account").locator("[data-test='show-error']").click();
    // then
    assertThat(on.the("dead-row")).hasCount(3);
    // when
    on.fill("dead-error", "money");
    // then
    assertThat(on.the("dead-row")).hasCount(1);
  }

  @Test
  void shouldRequeueOneInTwoClicks() {
    // given
    bury(2, "late");
    on.open("dead?queue=" + queue);
    // when
    on.the("dead-row").first().locator("[data-test='requeue']").click();
    on.submit();
    // then
    on.said("will be delivered again");
    assertThat(on.the("dead-row")).hasCount(1);
    haveDied(1);
  }

  @Test
  void shouldRequeueAndRemoveThoseSelected() {
    // given
    bury(4, "late");
    on.open("dead?queue=" + queue);
    BoundingBox box = on.the("pick").first().boundingBox();
    BoundingBox id = on.the("dead-row").first().locator("a").first().boundingBox();
    Assertions.assertThat(box.x + box.width).as("beside the id").isLessThanOrEqualTo(id.x);
    // when
    on.the("pick").nth(0).check();
    on.the("pick").nth(1).check();
    assertThat(on.the("picked-bar")).containsText("2 selected");
    on.click("requeue-picked");
    on.submit();
    // then
    on.said("2 dead letters requeued");
    assertThat(on.the("dead-row")).hasCount(2);
    // when
    on.the("pick").nth(0).check();
    on.click("remove-picked");
    on.submit();
    // then
    on.said("1 dead letter removed");
    haveDied(1);
  }

  @Test
  void shouldTryDryBeforeAllAreRequeued() {
    // given
    bury(3, "late");
    on.open("dead?queue=" + queue);
    // when
    on.the("error-row").locator("[data-test='requeue-error']").click();
    // then
    assertThat(on.the("dry-run-result")).containsText("3 dead letters would return");
    haveDied(3);
    // when
    on.submit();
    // then
    on.said("3 dead letters requeued");
    assertThat(on.page.locator("main")).containsText("No dead letter matches");
    haveDied(0);
  }

  @Test
  void shouldRequeueAtAGentlePaceAndShowHowFarItIs() {
    // given
    bury(3, "late");
    on.open("dead?queue=" + queue);
    // when
    on.click("requeue-all");
    assertThat(on.the("dry-run-result")).containsText("3 dead letters");
    on.fill("per-second", "2");
    on.submit();
    // then
    on.said("in the background");
    assertThat(on.the("job", queue)).isVisible();
    assertThat(on.the("job", queue)).hasAttribute("data-state", "done");
    assertThat(on.the("job", queue)).containsText("3 of 3");
    haveDied(0);
  }

  @Test
  void shouldRequeueWithAnotherPayload() {
    // given
    bury(1, "negative");
    on.open("dead?queue=" + queue);
    // when
    on.act(on.the("dead-row"), "act-edit");
    on.fill("edited-payload", "[1,");
    assertThat(on.the("dialog-submit")).isDisabled();
    on.fill("edited-payload", "[1]");
    on.submit();
    // then
    on.said("the dead letter was removed");
    haveDied(0);
  }

  @Test
  void shouldRemoveAllOnlyAfterTheNameWasTyped() {
    // given
    bury(2, "late");
    on.open("dead?queue=" + queue);
    // when
    on.click("remove-all");
    assertThat(on.the("dialog")).containsText("2 dead letters");
    on.submitSure(queue);
    // then
    on.said("2 dead letters removed");
    haveDied(0);
  }

  @Test
  void shouldExportWhatTheFilterShows() throws IOException {
    // given
    bury(2, "late");
    on.open("dead?queue=" + queue);
    assertThat(on.the("dead-row")).hasCount(2);
    // when
    Download download = on.page.waitForDownload(() -> on.click("export"));
    // then
    Assertions.assertThat(Files.readAllLines(download.path()))
        .hasSize(2)
        .allSatisfy(line -> Assertions.assertThat(line).contains(queue, "late 10"));
  }

  @Test
  void shouldSayWhyAllCannotBeTakenWithoutAQueue() {
    bury(1, "late");
    on.open("dead");
    assertThat(on.the("requeue-all")).isDisabled();
    assertThat(on.page.locator("main"))
        .containsText("Enter a queue: this works on one queue at a time.");
  }
}
