package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** All can be done without a mouse. */
@ExtendWith(Chromium.class)
class KeyboardTest {
  private static Stage stage;
  private static Dashboard on;

  @BeforeAll
  static void start() {
    stage = new Stage();
    stage.bury("orders", "billing", "1", "no account");
    stage.push("mail", "1");
    on = new Dashboard(stage.port(), Width.DESKTOP, ColorScheme.LIGHT);
  }

  @AfterAll
  static void stop() {
    on.close();
    stage.close();
  }

  @AfterEach
  void clear() {
    try {
      on.assertWell();
    } finally {
      on.clear();
    }
  }

  private static void press(String... keys) {
    for (String key : keys) {
      on.page.keyboard().press(key);
    }
  }

  @Test
  void shouldSearchFromAnywhere() {
    on.open("dead");
    on.hasTitle("Dead letters");
    press("/");
    assertThat(on.the("search")).isFocused();
    on.page.keyboard().type("ord");
    assertThat(on.the("found")).hasCount(1);
    press("ArrowDown", "Enter");
    on.hasTitle("orders");
    assertThat(on.page.locator("main:focus-within, main:focus")).isVisible();
  }

  @Test
  void shouldSkipToTheContent() {
    on.open("queues");
    on.hasTitle("Queues");
    press("Tab");
    assertThat(on.page.locator("a.skip")).isFocused();
    press("Enter");
    assertThat(on.page.locator("main")).isFocused();
  }

  @Test
  void shouldOpenAndLeaveADialogAndComeBackToItsButton() {
    on.open("queues");
    on.the("create-queue").focus();
    press("Enter");
    assertThat(on.the("queue-name")).isFocused();
    press("Escape");
    assertThat(on.the("dialog")).hasCount(0);
    assertThat(on.the("create-queue")).isFocused();
  }

  @Test
  void shouldWalkThroughAMenu() {
    on.open("queues/mail");
    on.page.locator("main .page-head [data-test='menu']").focus();
    press("Enter");
    assertThat(on.the("act-options")).isFocused();
    press("ArrowUp");
    assertThat(on.the("act-delete")).isFocused();
    press("Enter");
    assertThat(on.the("confirm-name")).isFocused();
    press("Escape");
    assertThat(on.the("dialog")).hasCount(0);
  }

  @Test
  void shouldJumpInAMenuWithHomeEndAndLetters() {
    on.open("queues/mail");
    on.page.locator("main .page-head [data-test='menu']").focus();
    press("ArrowUp");
    assertThat(on.the("act-delete")).isFocused();
    press("Home");
    assertThat(on.the("act-options")).isFocused();
    press("End");
    assertThat(on.the("act-delete")).isFocused();
    press("p");
    assertThat(on.the("act-purge")).isFocused();
    press("m");
    assertThat(on.the("act-purge")).isFocused();
    press("Escape");
    assertThat(on.the("act-purge")).hasCount(0);
  }

  @Test
  void shouldTellWhyAButtonCannotBeUsed() {
    on.open("dead");
    on.the("requeue-all").focus();
    assertThat(on.the("requeue-all")).isFocused();
    assertThat(on.the("requeue-all")).isDisabled();
    assertThat(on.the("why")).hasText("Enter a queue: this works on one queue at a time.");
    press("Enter");
    assertThat(on.the("dialog")).hasCount(0);
    press("Tab");
    assertThat(on.the("requeue-all")).not().isFocused();
    on.page.locator("main h1").hover();
  }

  @Test
  void shouldFindAMessageByItsTransactionId() {
    String id = stage.push(Stage.message("mail", "1").partition("p7").transactionId("letter-42"));
    on.open("");
    press("/");
    on.page.keyboard().type("letter-42");
    assertThat(on.the("find-transaction")).isVisible();
    press("Enter");
    assertThat(on.page.locator("main")).containsText(id);
    assertThat(on.page.locator("main")).containsText("letter-42");
    press("/");
    on.page.keyboard().type("letter-43");
    press("Enter");
    assertThat(on.the("search-note")).hasText("No message has this transaction id.");
    press("Escape");
  }

  @Test
  void shouldRequeueADeadLetterWithoutAMouse() {
    on.open("dead");
    on.the("dead-row").locator("[data-test='requeue']").focus();
    press("Enter");
    assertThat(on.the("dialog-submit")).isVisible();
    on.the("dialog-submit").focus();
    press("Enter");
    on.said("will be delivered again");
  }

  @Test
  void shouldChangeColoursAndRememberIt() {
    on.open("");
    on.the("theme").focus();
    press("Enter");
    Object chosen = on.page.evaluate("document.documentElement.dataset.theme");
    on.page.reload();
    on.hasTitle("Overview");
    org.assertj.core.api.Assertions.assertThat(
            on.page.evaluate("document.documentElement.dataset.theme"))
        .isNotNull()
        .isEqualTo(chosen);
  }
}
