package io.holdfast.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.status.About;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pages on a broker that holds much and works: 10,000 queues, 100,000 dead letters, 5,000 messages
 * a second.
 *
 * <p>Each is compared with the same page on an empty broker in the same run, since how long a
 * browser takes is the machine's affair.
 */
@Tag("long")
@ExtendWith(Chromium.class)
class FullBrokerTest {
  private static final Logger LOG = LoggerFactory.getLogger(FullBrokerTest.class);
  private static final int QUEUES = 10_000;
  private static final int DEAD = 100_000;
  private static final int PER_SECOND = 5_000;
  private static final int BATCH = 1_000;
  private static final int ROUNDS = 3;

  /** How much longer than on an empty broker a page may take; other tests run beside this one. */
  private static final Duration LONGER_MAX = Duration.ofSeconds(2);

  private static final String USABLE =
      "() => document.querySelector('main h1') && !document.querySelector('main .skeleton')";

  /** Goes to a page, from one that shows nothing, and tells how long it took. */
  private static final String GO =
      """
      async (place) => {
        const heading = () => document.querySelector('main h1')?.textContent ?? '';
        const nowhere = () => heading() === 'Page not found';
        const until = async (isSo) => {
          while (!isSo()) {
            await new Promise((done) => setTimeout(done, 5));
          }
        };
        location.hash = '#/nothing/there';
        await until(nowhere);
        const begun = performance.now();
        location.hash = `#/${place}`;
        await until(() => heading() && !nowhere() && !document.querySelector('main .skeleton'));
        return performance.now() - begun;
      }
      """;

  private static final List<String> PAGES =
      List.of(
          "",
          "queues",
          "queues?search=99",
          "queues/dead",
          "queues/dead?tab=messages",
          "queues/dead?tab=partitions",
          "queues/dead?tab=groups",
          "dead",
          "dead?queue=dead&error=account",
          "tasks",
          "flows",
          "groups",
          "system");

  @TempDir private static Path temp;
  private static Stage empty;
  private static Stage full;
  private static Thread work;

  @BeforeAll
  static void fill() {
    empty = new Stage();
    empty.push("dead", "1");
    full =
        new Stage(
            ServerConfig.defaults(),
            TimeSource.SYSTEM,
            EngineConfig.at(temp.resolve("data")),
            About.NOTHING);
    for (int from = 0; from < QUEUES; from += BATCH) {
      List<NewMessage> messages = new ArrayList<>();
      for (int i = from; i < from + BATCH; i++) {
        messages.add(Stage.message("queue-" + i, "{\"order\":" + i + "}"));
      }
      full.broker.push(PushRequest.of(messages)).orThrow();
    }
    full.configure("dead", Map.of(QueueOption.DELIVERY, "shared"));
    for (int from = 0; from < DEAD; from += BATCH) {
      bury(from);
    }
    work = Thread.ofPlatform().name("work").start(FullBrokerTest::work);
  }

  private static void bury(int from) {
    List<NewMessage> messages = new ArrayList<>();
    for (int i = from; i < from + BATCH; i++) {
      messages.add(Stage.message("dead", "{\"order\":" + i + "}"));
    }
    full.broker.push(PushRequest.of(messages)).orThrow();
    List<Settle> kills = new ArrayList<>();
    for (Delivery taken : full.pop("dead", "billing", BATCH)) {
      String error = kills.size() % 2 == 0 ? "order %d: no account" : "card %d expired";
      kills.add(Settle.kill(taken.handle(), error.formatted(from + kills.size())));
    }
    full.broker.settle(SettleRequest.of(kills)).orThrow();
  }

  /** Messages that come and go all the time. */
  private static void work() {
    int batch = 100;
    PushRequest push =
        PushRequest.of(Collections.nCopies(batch, Stage.message("work", "{\"a\":\"message\"}")));
    long next = System.nanoTime();
    while (!Thread.currentThread().isInterrupted()) {
      full.broker.push(push).orThrow();
      full.ack(full.pop("work", "workers", batch));
      next += 1_000_000_000L * batch / PER_SECOND;
      LockSupport.parkNanos(next - System.nanoTime());
    }
  }

  @AfterAll
  static void stop() throws InterruptedException {
    work.interrupt();
    work.join();
    full.close();
    empty.close();
  }

  /** Milliseconds until a page can be used, in a browser that has never seen it. */
  private static double load(Stage stage, String page) {
    try (Dashboard on = open(stage)) {
      long begun = System.nanoTime();
      on.open(page);
      on.page.waitForFunction(USABLE);
      double took = (System.nanoTime() - begun) / 1e6;
      on.assertWell();
      return took;
    }
  }

  private static Dashboard open(Stage stage) {
    return new Dashboard(stage.port(), Width.DESKTOP, ColorScheme.LIGHT);
  }

  /** Milliseconds from a click on a link until the page can be used. */
  private static double go(Dashboard on, String page) {
    return ((Number) on.page.evaluate(GO, page)).doubleValue();
  }

  private static double middle(DoubleSupplier measure) {
    return DoubleStream.generate(measure).limit(ROUNDS).sorted().toArray()[ROUNDS / 2];
  }

  private final Map<String, String> slow = new LinkedHashMap<>();

  private void compare(String page, String how, double took, double alone) {
    String words = "%.0f ms; %.0f ms on an empty broker".formatted(took, alone);
    LOG.info("The page \"{}\", {}: {}.", page, how, words);
    if (took > alone + LONGER_MAX.toMillis()) {
      slow.put(page + ", " + how, words);
    }
  }

  @Test
  void shouldLoadAsSoonAsOnAnEmptyBroker() {
    load(empty, "");
    for (String page : List.of("", "queues", "dead")) {
      double alone = middle(() -> load(empty, page));
      compare(page, "first seen", middle(() -> load(full, page)), alone);
    }
    assertThat(slow).isEmpty();
  }

  @Test
  void shouldGoToEachPageAsSoonAsOnAnEmptyBroker() {
    try (Dashboard onFull = open(full);
        Dashboard onEmpty = open(empty)) {
      onFull.open("");
      onEmpty.open("");
      for (String page : PAGES) {
        double alone = middle(() -> go(onEmpty, page));
        compare(page, "gone to", middle(() -> go(onFull, page)), alone);
      }
      onFull.assertWell();
      onEmpty.assertWell();
    }
    assertThat(slow).isEmpty();
  }
}
