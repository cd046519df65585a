package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Records, journals and traces can be found and read. */
class RecordsTest extends DashboardTest {
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

  private void commit(String... operations) {
    on.post("api/v1/commit", "{'operations':[" + String.join(",", operations) + "]}");
  }

  @Test
  void shouldFindARecordAndShowItsValue() {
    // given
    String key = named("stock") + "/apples";
    commit(
        "{'type':'putRecord','key':'" + key + "','value':{'count':12345678901234567890}}",
        "{'type':'putRecord','key':'" + named("other") + "','value':1}");
    on.open("records");
    // when
    on.fill("record-prefix", named("stock"));
    // then
    assertThat(on.the("record-row")).hasCount(1);
    // when
    on.the("record-row", key).locator("a").click();
    // then
    on.hasTitle(key);
    assertThat(on.the("payload-text")).containsText("12345678901234567890");
    String version = on.the("record-version").textContent();
    // when
    commit("{'type':'putRecord','key':'" + key + "','value':'sold'}");
    // then
    assertThat(on.the("payload-text")).containsText("sold");
    assertThat(on.the("record-version")).not().hasText(version);
  }

  @Test
  void shouldReadAJournalPageByPage() {
    // given
    String journal = named("ledger");
    StringBuilder events = new StringBuilder("0");
    for (int i = 1; i < 60; i++) {
      events.append(",{'booking':").append(i).append('}');
    }
    commit(
        "{'type':'append','journal':'"
            + journal
            + "','expectedPosition':0,'events':["
            + events
            + "]}");
    on.open("records");
    assertThat(on.the("open-journal")).isDisabled();
    // when
    on.fill("journal-name", journal);
    on.click("open-journal");
    // then
    on.hasTitle(journal);
    assertThat(on.the("journal-length")).hasText("60 events");
    assertThat(on.the("journal-event")).hasCount(50);
    // when
    on.click("pager-next");
    // then
    assertThat(on.the("journal-event")).hasCount(10);
    // when
    on.the("journal-event").last().locator("summary").click();
    // then
    assertThat(on.the("journal-event").last().locator("[data-test='payload-text']"))
        .containsText("59");
    assertThat(on.the("pager-next")).isDisabled();
  }

  @Test
  void shouldShowTracesByNameAndOfAMessage() {
    // given
    String queue = named("traced");
    String name = named("tenant");
    String id = stage.push(Stage.message(queue, "1").transactionId("order-1"));
    on.open("messages/" + id);
    String partition =
        String.valueOf(
            on.page.evaluate(
                "async (id) => (await (await fetch(`/api/v1/messages/${id}/explain`)).json())"
                    + ".partitionId",
                id));
    on.post(
        "api/v1/traces",
        "{'transactionId':'order-1','partitionId':'"
            + partition
            + "','data':{'text':'card charged'},'eventType':'step','consumerGroup':'billing',"
            + "'traceNames':['"
            + name
            + "']}");
    // when
    on.open("traces");
    on.the("trace-name-row", name).locator("a").click();
    // then
    on.hasTitle(name);
    assertThat(on.the("traces")).containsText("card charged");
    assertThat(on.the("traces")).containsText("billing");
    // when
    on.click("trace-message");
    // then
    assertThat(on.page.locator("main")).containsText(id);
    assertThat(on.the("traces")).containsText("card charged");
  }
}
