package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Flows: what they wait for and did, raised, cancelled, retried, and why one is blocked. */
class FlowsTest extends DashboardTest {
  private static final AtomicBoolean IS_BROKEN = new AtomicBoolean();

  private static final Activity<String, String> PACK =
      Activity.named(
          "pack",
          String.class,
          String.class,
          text -> {
            if (IS_BROKEN.get()) {
              throw new IllegalStateException("no boxes for " + text);
            }
            return "packed " + text;
          });
  private static final Activity<String, String> WRAP =
      Activity.named("wrap", String.class, String.class, text -> "wrapped " + text);
  private static final Orchestration<String, String> WAITS =
      Orchestration.named(
          "waits",
          String.class,
          String.class,
          (flow, text) -> {
            flow.status("waits for a decision");
            return text + flow.event("decision", String.class).await();
          });
  private static final Orchestration<String, String> PARENT =
      Orchestration.named(
          "parent",
          String.class,
          String.class,
          (flow, text) -> flow.sub(WAITS, text + "-child", text).await());
  private static final Orchestration<String, String> ORDER =
      Orchestration.named(
          "order",
          String.class,
          String.class,
          (flow, text) -> {
            String packed = flow.call(PACK, text).await();
            flow.status("packed");
            return packed + flow.event("go", String.class).await();
          });

  /** The same name and version, but it calls something else. */
  private static final Orchestration<String, String> CHANGED =
      Orchestration.named(
          "order",
          String.class,
          String.class,
          (flow, text) -> flow.call(WRAP, text).await() + flow.event("go", String.class).await());

  private static Stage stage;
  private static Flows flows;

  @BeforeAll
  static void start() {
    stage = new Stage();
    flows = Flows.on(stage.broker).register(PACK, WAITS, PARENT, ORDER).serve();
  }

  @AfterAll
  static void stop() {
    flows.close();
    stage.close();
  }

  @Override
  Stage stage() {
    return stage;
  }

  private static void awaitStatus(String id, String status) {
    Awaitility.await()
        .until(
            () ->
                flows.find(id).stream()
                    .anyMatch(flow -> flow.status().name().equalsIgnoreCase(status)));
  }

  @Test
  void shouldStartOneAndRaiseWhatItWaitsFor() {
    // given
    String id = named("expense");
    on.open("flows");
    on.click("start-flow");
    on.fill("flow-id", id);
    on.the("dialog").locator("[data-test='flow-name']").fill("waits");
    on.fill("flow-input", "\"x\"");
    on.submit();
    // when
    on.hasTitle(id);
    assertThat(on.the("wait")).containsText("decision");
    assertThat(on.page.locator("main")).containsText("waits for a decision");
    on.click("raise");
    assertThat(on.the("flow-name")).hasValue("decision");
    on.fill("flow-data", "\" is fine\"");
    on.submit();
    // then
    on.said("The event was raised");
    assertThat(on.the("result")).containsText("x is fine");
    on.click("tab-history");
    assertThat(on.page.locator("main")).containsText("decision");
  }

  @Test
  void shouldCancelOneWithAReason() {
    // given
    String id = named("cancelled");
    flows.start(WAITS, id, "x");
    on.open("flows/" + id);
    // when
    on.click("cancel-flow");
    on.fill("flow-reason", "not wanted any more");
    on.submit();
    // then
    on.said("was asked to cancel");
    assertThat(on.page.locator("main h1")).containsText("Cancelled");
    assertThat(on.page.locator("main")).containsText("not wanted any more");
  }

  @Test
  void shouldSuspendAndResume() {
    // given
    String id = named("suspended");
    flows.start(WAITS, id, "x");
    on.open("flows/" + id);
    // when
    on.click("suspend-flow");
    on.submit();
    // then
    assertThat(on.page.locator("main h1")).containsText("Suspended");
    // when
    on.click("resume-flow");
    // then
    assertThat(on.page.locator("main h1")).containsText("Running");
  }

  @Test
  void shouldRetryOneThatFailed() {
    // given
    String id = named("failed");
    IS_BROKEN.set(true);
    flows.start(ORDER, id, "x");
    awaitStatus(id, "failed");
    IS_BROKEN.set(false);
    on.open("flows/" + id);
    assertThat(on.the("failure")).containsText("no boxes for x");
    // when
    on.click("retry-flow");
    on.submit();
    // then
    on.said("The flow is retried");
    assertThat(on.the("wait")).containsText("go");
  }

  @Test
  void shouldShowWhereCodeAndHistoryDiffer() {
    // given
    String id = named("blocked");
    try (Stage other = new Stage()) {
      try (Flows before = Flows.on(other.broker).register(PACK, ORDER).serve()) {
        before.start(ORDER, id, "x");
        Awaitility.await()
            .until(() -> before.find(id).stream().anyMatch(flow -> "packed".equals(flow.label())));
      }
      try (Flows after = Flows.on(other.broker).register(WRAP, CHANGED).serve();
          Dashboard there = new Dashboard(other.port(), width, ColorScheme.LIGHT)) {
        after.raise(id, "go", "!");
        there.open("flows/" + id);
        // then
        assertThat(there.page.locator("main h1")).containsText("Blocked");
        assertThat(there.the("flow-reason")).containsText("pack");
        assertThat(there.the("flow-reason").locator(".was")).containsText("pack");
        assertThat(there.the("flow-reason").locator(".is")).containsText("wrap");
        assertThat(there.the("retry-flow")).isEnabled();
        there.assertWell();
      }
    }
  }

  @Test
  void shouldShowTheFamilyAndDeleteAll() {
    // given
    String id = named("parent");
    flows.start(PARENT, id, id);
    awaitStatus(id + "-child", "running");
    // when
    on.open("flows/" + id + "?tab=family");
    // then
    assertThat(on.the("tree-node")).hasCount(2);
    // when
    on.act(on.page.locator("main .page-head").first(), "act-delete-flow");
    on.submitSure(id);
    // then
    on.said("2 flows deleted");
    on.hasTitle("Flows");
  }
}
