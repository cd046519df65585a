package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import io.holdfast.api.ConfigureRequest;
import io.holdfast.api.NewMessage;
import io.holdfast.api.PopRequest;
import io.holdfast.api.QueueOption;
import io.holdfast.api.Settle;
import io.holdfast.api.SettleRequest;
import io.holdfast.api.TimeSource;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.access.Role;
import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokenWish;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever others call their queues, groups and errors, and whatever they send, is text.
 *
 * <p>On each page with such text nothing may run, no element may come from it, nothing may turn the
 * direction of text, and the page has to work on.
 */
@ExtendWith(Chromium.class)
class HostileTextTest {
  private static final String BENIGN = "benign";
  private static final int PAGE = 50;
  private static final int FLOW_CHARS_MAX = 100;
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final List<String> TABS =
      List.of("overview", "messages", "partitions", "groups", "leases", "options");

  /** Goes to a place, waits until it shows all it asked for, and tells what is wrong with it. */
  private static final String LOOK =
      """
      async ({ place, wanted }) => {
        const { shown } = await import('/assets/lib/text.js');
        const main = document.querySelector('main');
        const until = async (isSo) => {
          for (let i = 0; i < 1500 && !isSo(); i++) {
            await new Promise((done) => setTimeout(done, 10));
          }
          return Boolean(isSo());
        };
        const heading = () => main.querySelector('h1')?.textContent ?? '';
        if (place != null) {
          // Through a page that shows nothing, so that nothing of the last one is left.
          location.hash = '#/nothing/there';
          await until(() => heading() === 'There is no such page');
          location.hash = `#/${place}`;
        }
        const settled = await until(
          () => heading() && heading() !== 'There is no such page' && !main.querySelector('.skeleton, .is-stale')
            && (wanted == null || main.textContent.includes(shown(wanted))));
        const all = [...document.querySelectorAll('*')];
        const titles = [...main.querySelectorAll('[title]')].map((one) => one.title).join();
        return {
          settled,
          hacked: String(window.hacked),
          tags: [...new Set(all.map((one) => one.localName))],
          handlers: all.flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith('on')),
          links: all.filter((one) => one.localName === 'a').map((one) => one.getAttribute('href'))
            .filter((href) => !href.startsWith('#/') && !/^\\/[a-z]/.test(href) && href !== '#content'),
          turned: /[\\u202a-\\u202e\\u2066-\\u2069\\u0000-\\u0008]/.test(main.textContent + titles),
          problem: main.querySelector('[data-test=problem]')?.textContent ?? '',
        };
      }
      """;

  @TempDir private static Path temp;
  private static final List<String> TEXTS = HostileTexts.all();
  private static final Map<String, String> DEAD = new HashMap<>();

  private static Stage stage;
  private static Flows flows;
  private static String token;
  private Dashboard on;
  private final Set<String> tags = new HashSet<>();

  @BeforeAll
  static void fill() {
    TokenFile file = new TokenFile(temp.resolve("tokens"));
    token = token(file, "admin");
    stage = new Stage(ServerConfig.defaults().tokens(file.path()), TimeSource.SYSTEM);
    List<Orchestration<String, String>> codes = new ArrayList<>();
    fill(BENIGN, codes);
    for (String text : TEXTS) {
      fill(text, codes);
      token(file, brief(text));
    }
    flows = Flows.on(stage.broker).register(codes.toArray(Orchestration[]::new)).serve();
    for (int i = 0; i < codes.size(); i++) {
      String text = i == 0 ? BENIGN : TEXTS.get(i - 1);
      flows.start(codes.get(i), brief(text), brief(text));
    }
    Awaitility.await()
        .atMost(SOON)
        .until(
            () ->
                flows.find(brief(TEXTS.getLast())).stream().anyMatch(flow -> flow.label() != null));
  }

  private static String token(TokenFile file, String name) {
    return file.create(
            new TokenWish(name, Role.ADMIN, NamePatterns.of(List.of("*")), 0),
            TimeSource.SYSTEM.wallMs())
        .text();
  }

  /** Puts a text wherever one can be put. */
  private static void fill(String text, List<Orchestration<String, String>> codes) {
    stage
        .broker
        .configure(
            ConfigureRequest.queue(text)
                .set(QueueOption.TRACK, true)
                .set(QueueOption.DELIVERY, "shared")
                .set(QueueOption.NAMESPACE, text)
                .set(QueueOption.TASK, text))
        .orThrow();
    NewMessage message =
        Stage.message(text, json(text))
            .partition(text)
            .transactionId(text)
            .headers(Map.of(text, text));
    String id = stage.push(message);
    PopRequest pop = PopRequest.queue(text).group(text).worker(text);
    stage
        .broker
        .pop(pop)
        .orThrow()
        .messages()
        .forEach(
            taken ->
                stage
                    .broker
                    .settle(
                        SettleRequest.of(Settle.kill(taken.handle(), text + "\u0000\n\t" + text)))
                    .orThrow());
    DEAD.put(text, id);
    // Another one is in flight.
    stage.push(message.transactionId("2" + text.substring(0, Math.min(200, text.length()))));
    stage.broker.pop(pop).orThrow();
    codes.add(
        Orchestration.named(
            brief(text),
            String.class,
            String.class,
            (flow, input) -> {
              flow.status(input);
              return flow.event(input, String.class).await();
            }));
  }

  /** As much of a text as the name of a flow may have. */
  private static String brief(String text) {
    int end = Math.min(FLOW_CHARS_MAX, text.length());
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
  }

  /** A payload with the text as a key, as a value, and with what cannot be seen. */
  private static String json(String text) {
    String quoted = text.replace("\\", "\\\\").replace("\"", "\\\"");
    return "{\"%s\":\"%s\",\"hidden\":\"\\u0000\\u001b[2J\\u202e%s\",\"__proto__\":{\"hacked\":1}}"
        .formatted(quoted, quoted, quoted);
  }

  @AfterAll
  static void stop() {
    flows.close();
    stage.close();
  }

  @BeforeEach
  void signIn() {
    on = new Dashboard(stage.port(), Width.DESKTOP, ColorScheme.LIGHT);
    on.open("");
    on.fill("token", token);
    on.click("sign-in");
    assertThat(on.the("who")).isVisible();
  }

  @AfterEach
  void close() {
    on.close();
  }

  private static String part(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private Map<?, ?> look(@Nullable String place, @Nullable String wanted) {
    Map<String, @Nullable String> asked = new HashMap<>();
    asked.put("place", place);
    asked.put("wanted", wanted);
    return (Map<?, ?>) on.page.evaluate(LOOK, asked);
  }

  /** Remembers which elements a page is made of when nobody means harm. */
  private void learn(String... places) {
    for (String place : places) {
      if (look(place, null).get("tags") instanceof List<?> found) {
        found.forEach(tag -> tags.add(String.valueOf(tag)));
      }
    }
  }

  private void check(@Nullable String place, @Nullable String wanted) {
    Map<?, ?> found = look(place, wanted);
    Assertions.assertThat(found.get("settled")).as("settled and shown: " + place).isEqualTo(true);
    Assertions.assertThat(found.get("hacked")).as("ran: " + place).isEqualTo("undefined");
    Assertions.assertThat((List<?>) found.get("tags"))
        .as("elements: " + place)
        .allSatisfy(tag -> Assertions.assertThat(tags).contains(String.valueOf(tag)));
    Assertions.assertThat((List<?>) found.get("handlers")).as("handlers: " + place).isEmpty();
    Assertions.assertThat((List<?>) found.get("links")).as("links: " + place).isEmpty();
    Assertions.assertThat(found.get("turned")).as("direction: " + place).isEqualTo(false);
    Assertions.assertThat(found.get("problem")).as("problem: " + place).isEqualTo("");
    on.assertWell();
  }

  private static String queue(String text, String tab) {
    return "queues/" + part(text) + "?tab=" + tab;
  }

  @Test
  void shouldHaveTwoHundred() {
    Assertions.assertThat(TEXTS).hasSizeGreaterThanOrEqualTo(200).doesNotHaveDuplicates();
  }

  @Test
  void shouldListThemAsText() {
    learn("", "queues", "queues?offset=50", "dead", "tasks", "flows", "groups", "system");
    check("", null);
    for (int offset = 0; offset < TEXTS.size(); offset += PAGE) {
      check("queues?offset=" + offset, null);
    }
    for (String page : List.of("dead", "tasks", "flows", "groups", "system")) {
      check(page, null);
      while (page.equals("dead") || page.equals("flows") || page.equals("groups")) {
        Locator next = on.the("pager-next");
        if (next.count() == 0 || !next.isEnabled()) {
          break;
        }
        next.click();
        check(null, null);
      }
    }
  }

  @Test
  void shouldShowEachQueueAsText() {
    TABS.forEach(tab -> learn(queue(BENIGN, tab)));
    for (int i = 0; i < TEXTS.size(); i++) {
      String text = TEXTS.get(i);
      check(queue(text, TABS.get(i % TABS.size())), text);
    }
  }

  @Test
  void shouldShowEachMessageAsText() {
    learn("messages/" + DEAD.get(BENIGN));
    for (String text : TEXTS) {
      check("messages/" + DEAD.get(text), text);
    }
  }

  @Test
  void shouldShowTasksAndFlowsAsText() {
    learn("tasks/" + DEAD.get(BENIGN), "flows/" + BENIGN);
    learn("tasks?queue=" + BENIGN, "flows/" + BENIGN + "?tab=history");
    for (int i = 0; i < TEXTS.size(); i++) {
      String text = TEXTS.get(i);
      switch (i % 4) {
        case 0 -> check("tasks/" + DEAD.get(text), text);
        case 1 -> check("flows/" + part(brief(text)), brief(text));
        case 2 -> check("flows/" + part(brief(text)) + "?tab=history", null);
        default -> check("tasks?queue=" + part(text), null);
      }
    }
  }

  @Test
  void shouldGoOnWorking() {
    for (String one : List.of(TEXTS.getFirst(), "\u202egnp.exe", "__proto__", "a/b/c")) {
      // given
      String text = one + " to be deleted";
      fill(text, new ArrayList<>());
      // when
      on.open("dead?queue=" + part(text));
      assertThat(on.the("dead-row")).hasCount(1);
      on.the("dead-row").locator("[data-test='requeue']").click();
      on.submit();
      // then
      on.said("will be delivered again");
      // when
      on.open(queue(text, "overview"));
      on.click("pause-queue");
      on.submit();
      // then
      on.said("is paused");
      // when: what cannot be typed is typed as it is shown
      on.act(on.page.locator("main .page-head").first(), "act-delete");
      on.submitSure(on.the("dialog").locator("label code").textContent().trim());
      // then
      on.said("is deleted");
      Assertions.assertThat(stage.broker.queue(text).isOk()).isFalse();
      on.assertWell();
      on.forget();
    }
  }
}
