package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page.ScreenshotOptions;
import com.microsoft.playwright.options.ColorScheme;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.status.About;
import io.holdfast.server.status.Disk;
import io.holdfast.testkit.ManualClock;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pictures of the documents: all are there, and {@code ./holdfast images} takes them anew. */
class ScreenshotsTest {
  private static final Path ROOT = Path.of("..");

  /** Where pictures of every page go. */
  private static final Path ALL = Path.of("target/pages");

  /** Notes something about a message. */
  private static final String TRACE =
      """
      async () => {
        const list = await (await fetch('/api/v1/messages?queue=orders&limit=1')).json();
        const { transactionId, partitionId } = list.messages[0];
        const data = { text: 'card charged', cents: 1200 };
        const body = { transactionId, partitionId, data, consumerGroup: 'billing', traceNames: ['tenant-7'] };
        const headers = { 'Content-Type': 'application/json' };
        await fetch('/api/v1/traces', { method: 'POST', headers, body: JSON.stringify(body) });
      }
      """;

  private static final List<String> PLACES =
      List.of(
          "",
          "queues",
          "queues/orders",
          "queues/orders?tab=messages",
          "queues/orders?tab=partitions",
          "queues/orders?tab=groups",
          "queues/orders?tab=leases",
          "queues/orders?tab=tail",
          "queues/orders?tab=options",
          "dead",
          "tasks",
          "flows",
          "flows/" + Shop.FLOW,
          "flows/" + Shop.FLOW + "?tab=history",
          "flows/" + Shop.FLOW + "?tab=family",
          "groups",
          "groups?behind=60",
          "records",
          "records/stock%2Fapples",
          "journals/ledger-DESKTOP",
          "traces",
          "traces/tenant-7",
          "system");

  private static final Path IMAGES = ROOT.resolve("docs/images");
  private static final List<Path> PAGES =
      List.of(ROOT.resolve("README.md"), ROOT.resolve("docs/dashboard.md"));
  private static final Pattern IMAGE = Pattern.compile("images/([a-z-]+\\.png)");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration STEP = Duration.ofSeconds(10);
  private static final Duration LIVE = Duration.ofSeconds(1);
  private static final int TICKS = 10;

  @Test
  void shouldHaveEveryPictureThatTheDocumentsShowAndNoOther(@TempDir Path temp) throws Exception {
    if ("write".equals(System.getProperty("holdfast.images"))) {
      takeAnew(temp);
    }
    Set<String> shown = new TreeSet<>();
    for (Path page : PAGES) {
      IMAGE.matcher(Files.readString(page)).results().forEach(hit -> shown.add(hit.group(1)));
    }
    try (Stream<Path> files = Files.list(IMAGES)) {
      Assertions.assertThat(files.map(file -> String.valueOf(file.getFileName())))
          .containsExactlyInAnyOrderElementsOf(shown);
    }
  }

  /** Pictures of a broker after an hour of work, which a clock of our own makes short. */
  private static void takeAnew(Path temp) throws Exception {
    Files.createDirectories(IMAGES);
    ManualClock clock = new ManualClock(Instant.now().minus(HOUR));
    EngineConfig engine = EngineConfig.at(temp.resolve("data"));
    try (Stage stage =
            new Stage(ServerConfig.defaults(), clock, engine, new About(disk(temp), Map.of()));
        Shop shop = new Shop(stage)) {
      int steps = (int) HOUR.dividedBy(STEP);
      for (int step = 0; step < steps; step++) {
        shop.goOn(step, 1);
        clock.advance(STEP);
        look(stage);
      }
      // From here on time goes as it does outside, and so does the work.
      Thread time =
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int tick = 0; !Thread.currentThread().isInterrupted(); tick++) {
                      clock.advance(
                          Duration.ofMillis(
                              Math.max(0, System.currentTimeMillis() - clock.wallMs())));
                      if (tick % TICKS == 0) {
                        shop.goOn(steps, LIVE.toMillis() / (double) STEP.toMillis());
                      }
                      LockSupport.parkNanos(LIVE.toNanos() / TICKS);
                    }
                  });
      take(stage);
      takeAll(stage);
      time.interrupt();
      time.join();
    }
  }

  private static Disk disk(Path data) {
    File folder = data.toFile();
    return new Disk() {
      @Override
      public long usedBytes() {
        try (Stream<Path> files = Files.walk(data)) {
          return files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException changing) {
          return -1;
        }
      }

      @Override
      public long freeBytes() {
        return folder.getUsableSpace();
      }

      @Override
      public long totalBytes() {
        return folder.getTotalSpace();
      }
    };
  }

  /** Lets the server take a sample. */
  private static void look(Stage stage) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      client.send(
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + stage.port() + "/api/v1/status/now"))
              .build(),
          BodyHandlers.discarding());
    }
  }

  private static void take(Stage stage) {
    String dead =
        stage
            .broker
            .deadLetters(DeadLettersRequest.of(DeadLetterFilter.queue(Shop.ORDERS)))
            .orThrow()
            .items()
            .getFirst()
            .message()
            .id()
            .toString();
    try (Dashboard on = new Dashboard(stage.port(), Width.DESKTOP, ColorScheme.LIGHT)) {
      on.open("");
      assertThat(on.the("live")).hasAttribute("data-state", "live");
      take(on, "overview", "");
      take(on, "queues", "queues?sort=waiting&order=desc");
      take(on, "queue", "queues/" + Shop.ORDERS);
      take(on, "message", "messages/" + dead);
      take(on, "dead-letters", "dead");
      take(on, "tasks", "tasks?queue=" + Shop.WATERING);
      take(on, "flow", "flows/" + Shop.FLOW);
    }
    try (Dashboard on = new Dashboard(stage.port(), Width.PHONE, ColorScheme.DARK)) {
      on.open("");
      assertThat(on.the("live")).hasAttribute("data-state", "live");
      take(on, "phone", "");
    }
  }

  /** Every page at both widths, for whoever changed something to look at. */
  private static void takeAll(Stage stage) throws IOException {
    Files.createDirectories(ALL);
    for (Width width : Width.values()) {
      try (Dashboard on = new Dashboard(stage.port(), width, ColorScheme.LIGHT)) {
        on.post(
            "api/v1/commit",
            "{'operations':[{'type':'putRecord','key':'stock/apples','value':{'count':12}},"
                + "{'type':'append','journal':'ledger-"
                + width
                + "','expectedPosition':0,'events':[{'booked':12},{'booked':-3}]}]}");
        on.open("");
        on.page.evaluate(TRACE);
        for (String place : PLACES) {
          on.open(place);
          assertThat(on.page.locator("main .skeleton")).hasCount(0);
          on.page.waitForTimeout(800);
          String file = place.isEmpty() ? "overview" : place.replaceAll("[^A-Za-z0-9-]+", "_");
          on.page.screenshot(
              new ScreenshotOptions()
                  .setFullPage(true)
                  .setPath(ALL.resolve(file + "-" + width.wide + ".png")));
          on.assertWell();
        }
        on.open("queues/orders");
        on.act(on.page.locator("main .page-head").first(), "act-move");
        assertThat(on.the("move-group")).isVisible();
        on.page.screenshot(
            new ScreenshotOptions().setPath(ALL.resolve("move-" + width.wide + ".png")));
      }
    }
  }

  private static void take(Dashboard on, String name, String place) {
    on.open(place);
    assertThat(on.page.locator("main h1")).hasCount(1);
    assertThat(on.page.locator("main .skeleton")).hasCount(0);
    if (name.equals("dead-letters")) {
      on.the("pick").nth(0).check();
      on.the("pick").nth(1).check();
    }
    // Charts draw themselves, and a tick may be on its way.
    on.page.waitForTimeout(3_000);
    on.page.screenshot(new ScreenshotOptions().setPath(IMAGES.resolve(name + ".png")));
    on.assertWell();
  }
}
