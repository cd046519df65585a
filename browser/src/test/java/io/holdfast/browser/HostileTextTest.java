package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.access.Role;
import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokenWish;
import io.holdfast.testkit.TestScale;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Task;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever others call their queues, groups and errors, and whatever they send, is text.
 *
 * <p>On each page with such text nothing may run, no element may come from it, nothing may turn the
 * direction of text, and the page has to work on.
 */
@ExtendWith(Chromium.class)
class HostileTextTest {
  private static final String BENIGN = "benign";

  /** A queue and a flow in which each text is wherever a text can be. */
  private static final String CROWD = "crowd";

  private static final int FLOW_CHARS_MAX = 100;
  private static final List<String> TABS =
      List.of("overview", "messages", "partitions", "groups", "leases", "tail", "options");

  /** Goes to a place, waits until it shows all it asked for, and tells what is wrong with it. */
  private static final String LOOK =
      """
      async ({ place, wanted, all: texts }) => {
        const { shown } = await import('/assets/test/lib/text.js');
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
          await until(() => heading() === 'Page not found');
          location.hash = `#/${place}`;
        }
        const settled = await until(
          () => heading() && heading() !== 'Page not found' && !main.querySelector('.skeleton, .is-stale')
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
          missing: texts.filter((text) => !(main.textContent + titles).includes(shown(text))),
        };
      }
      """;

  @TempDir private static Path temp;
  private static final List<String> TEXTS = HostileTexts.all();

  /** Texts whose own pages are visited: all in the long run. Every list shows all in any run. */
  private static final List<String> VISITED =
      IntStream.range(0, TEXTS.size())
          .filter(i -> i % TestScale.rounds(10, 1) == 0)
          .mapToObj(TEXTS::get)
          .toList();

  private static final Map<String, String> DEAD = new HashMap<>();

  private static Stage stage;
  private static Flows flows;
  private static String token;
  private static Dashboard on;
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
    crowd();
    Orchestration<String, String> family = family(List.copyOf(codes.subList(1, codes.size())));
    codes.add(family);
    flows = Flows.on(stage.broker).register(codes.toArray(Orchestration[]::new)).serve();
    flows.start(family, CROWD, "");
    for (int i = 0; i <= TEXTS.size(); i++) {
      String text = i == 0 ? BENIGN : TEXTS.get(i - 1);
      flows.start(codes.get(i), brief(text), brief(text));
    }
    String last = brief(TEXTS.getLast());
    Awaitility.await().until(() -> hasStatus(last) && hasStatus(child(last)));
    on = signedIn();
  }

  private static boolean hasStatus(String flow) {
    return flows.find(flow).stream().anyMatch(found -> found.label() != null);
  }

  /** Puts each text into one queue: as partition, group, worker, transaction, header and error. */
  private static void crowd() {
    stage.configure(CROWD, Map.of(QueueOption.TRACK, true, QueueOption.DELIVERY, "shared"));
    for (String text : TEXTS) {
      NewMessage message =
          Stage.message(CROWD, json(text)).partition(text).headers(Map.of(text, text));
      stage.push(message.transactionId(text), message);
      PopRequest pop = PopRequest.partition(CROWD, text).group(text).worker(text);
      Delivery taken = stage.broker.pop(pop).orThrow().messages().getFirst();
      stage.kill(taken, text);
      // The other one is in flight.
      Assertions.assertThat(stage.broker.pop(pop).orThrow().messages()).hasSize(1);
    }
  }

  /** A flow that says each text, and waits for a flow of each name. */
  private static Orchestration<String, String> family(List<Orchestration<String, String>> codes) {
    return Orchestration.named(
        CROWD,
        String.class,
        String.class,
        (flow, input) -> {
          List<Task<String>> children = new ArrayList<>();
          for (int i = 0; i < codes.size(); i++) {
            String text = brief(TEXTS.get(i));
            flow.status(text);
            children.add(flow.sub(codes.get(i), child(text), text));
          }
          return String.join("", flow.all(children).await());
        });
  }

  private static String child(String text) {
    return "of " + text;
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
    on.close();
    flows.close();
    stage.close();
  }

  /** All tests share a window, because loading the page takes long. */
  private static Dashboard signedIn() {
    Dashboard window = new Dashboard(stage.port(), Width.DESKTOP, ColorScheme.LIGHT);
    window.open("");
    window.fill("token", token);
    window.click("sign-in");
    assertThat(window.the("who")).isVisible();
    return window;
  }

  @BeforeEach
  void forgetTheLastTest() {
    become(Width.DESKTOP);
    on.forget();
  }

  private static void become(Width width) {
    on.page.setViewportSize(width.wide, width.high);
  }

  private static String part(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private Map<?, ?> look(@Nullable String place, @Nullable String wanted, Set<String> all) {
    Map<String, @Nullable Object> asked = new HashMap<>();
    asked.put("place", place);
    asked.put("wanted", wanted);
    asked.put("all", List.copyOf(all));
    return (Map<?, ?>) on.page.evaluate(LOOK, asked);
  }

  /** Remembers which elements a page is made of when nobody means harm. */
  private void learn(String... places) {
    for (String place : places) {
      if (look(place, null, Set.of()).get("tags") instanceof List<?> found) {
        found.forEach(tag -> tags.add(String.valueOf(tag)));
      }
    }
  }

  private void check(@Nullable String place, @Nullable String wanted) {
    check(place, wanted, Set.of());
  }

  /** Answers which of the texts it does not show. */
  private Set<String> check(@Nullable String place, @Nullable String wanted, Set<String> all) {
    Map<?, ?> found = look(place, wanted, all);
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
    Set<String> missing = new HashSet<>();
    if (found.get("missing") instanceof List<?> texts) {
      texts.forEach(text -> missing.add(String.valueOf(text)));
    }
    return missing;
  }

  /** Goes from page to page of a table until each text was shown somewhere. */
  private void checkAll(String place, List<String> texts) {
    checkAll(place, texts, () -> {});
  }

  private void checkAll(String place, List<String> texts, Runnable choose) {
    check(place, null);
    choose.run();
    Set<String> missing = check(null, null, new HashSet<>(texts));
    Locator next = on.the("pager-next");
    while (!missing.isEmpty() && next.count() == 1 && next.isEnabled()) {
      next.click();
      missing = check(null, null, missing);
    }
    Assertions.assertThat(missing).as("not shown at " + place).isEmpty();
  }

  private static String queue(String text, String tab) {
    return "queues/" + part(text) + "?tab=" + tab;
  }

  @Test
  void shouldHaveTwoHundred() {
    Assertions.assertThat(TEXTS).hasSizeGreaterThanOrEqualTo(200).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource(Width.class)
  void shouldListThemAsText(Width width) {
    become(width);
    learn("", "queues", "queues?offset=50", "dead", "tasks", "flows", "groups", "system");
    check("", null);
    check("tasks", null);
    for (String page : List.of("queues", "dead", "groups")) {
      checkAll(page, TEXTS);
    }
    List<String> brief = TEXTS.stream().map(HostileTextTest::brief).distinct().toList();
    checkAll("flows", brief);
    checkAll("system", brief);
  }

  @ParameterizedTest
  @EnumSource(Width.class)
  void shouldListAllOfOneQueueAsText(Width width) {
    become(width);
    TABS.forEach(tab -> learn(queue(BENIGN, tab)));
    learn("tasks?queue=" + BENIGN, "dead?queue=" + BENIGN);
    check(queue(CROWD, "overview"), null);
    for (String tab : List.of("messages", "groups", "leases")) {
      checkAll(queue(CROWD, tab), TEXTS);
    }
    checkAll(queue(CROWD, "partitions"), TEXTS, () -> on.click("choice-name"));
    checkAll("dead?queue=" + CROWD, TEXTS);
    checkAll("tasks?queue=" + CROWD, TEXTS);
  }

  @ParameterizedTest
  @EnumSource(Width.class)
  void shouldShowAllOfOneFlowAsText(Width width) {
    become(width);
    for (String tab : List.of("now", "history", "family")) {
      learn("flows/" + BENIGN + "?tab=" + tab);
    }
    List<String> brief = TEXTS.stream().map(HostileTextTest::brief).distinct().toList();
    check("flows/" + CROWD, null);
    checkAll("flows/" + CROWD + "?tab=history", brief);
    checkAll("flows/" + CROWD + "?tab=family", brief);
  }

  /** Visits the pages of texts, at one width after the other. */
  private void checkEach(Function<String, String> place, Function<String, String> wanted) {
    for (int i = 0; i < VISITED.size(); i++) {
      if (i == 0) {
        become(Width.DESKTOP);
      } else if (i == VISITED.size() / 2) {
        become(Width.PHONE);
      }
      check(place.apply(VISITED.get(i)), wanted.apply(VISITED.get(i)));
    }
  }

  @Test
  void shouldShowEachQueueAsText() {
    TABS.forEach(tab -> learn(queue(BENIGN, tab)));
    checkEach(
        text -> queue(text, TABS.get(TEXTS.indexOf(text) % TABS.size())), Function.identity());
  }

  @Test
  void shouldShowEachMessageAsText() {
    learn("messages/" + DEAD.get(BENIGN));
    checkEach(text -> "messages/" + DEAD.get(text), Function.identity());
  }

  @Test
  void shouldShowEachTaskAsText() {
    learn("tasks/" + DEAD.get(BENIGN));
    checkEach(text -> "tasks/" + DEAD.get(text), Function.identity());
  }

  @Test
  void shouldShowEachFlowAsText() {
    learn("flows/" + BENIGN);
    checkEach(text -> "flows/" + part(brief(text)), HostileTextTest::brief);
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
