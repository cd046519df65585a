package io.holdfast.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.cli.CliFixture;
import io.holdfast.cli.CliFixture.Ran;
import io.holdfast.cli.FakeTerminal;
import io.holdfast.cli.queues.QueueSort;
import io.holdfast.cli.terminal.Screen;
import io.holdfast.testkit.WaitLimits;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The {@code top} command, and {@code --watch}. */
@Tag("slow")
class TopCommandTest {
  private final CliFixture cli = CliFixture.start();

  @AfterEach
  void stop() {
    cli.close();
  }

  @Test
  void shouldShowOnePicture() {
    // given
    cli.ok("push", "few", "1", "--count", "20");
    cli.ok("push", "many", "1", "--count", "1234");
    FakeTerminal terminal =
        new FakeTerminal()
            .pauses(
                () -> {
                  cli.ok("push", "few", "1", "--count", "30");
                  cli.ok("pop", "few", "--batch", "5", "--auto-ack");
                  cli.advance(Duration.ofSeconds(2));
                  return true;
                });
    // when
    Ran ran = cli.run(terminal, "top", "--once");
    // then
    assertThat(ran.exit()).as(ran.err()).isZero();
    assertThat(ran.out().lines().limit(TopFrame.HEAD_ROWS - 1))
        .satisfiesExactly(
            head -> assertThat(head).startsWith("Holdfast  " + cli.url() + "  up 2s  durability "),
            rates -> assertThat(rates).matches("push 15/s +pop 2\\.5/s +ack 2\\.5/s +nack 0/s .*"),
            more -> assertThat(more).contains("fsync"),
            counts -> assertThat(counts).matches("queues 2 +groups 1 +leases 0 +polls 0 +dead 0"),
            sizes -> assertThat(sizes).startsWith("partitions 2"),
            blank -> assertThat(blank).isEmpty());
    assertThat(ran.out())
        .containsSubsequence("QUEUE", "many", "1,234", "few", "45")
        .doesNotContain("\u001b");
  }

  @Test
  void shouldShowOnePictureAsJson() {
    cli.ok("push", "q", "1", "--count", "3");
    JsonNode top = cli.json("top", "--once", "--sort", "bytes");
    assertThat(top.get("stats").get("totals").get("pushed").asInt()).isEqualTo(3);
    assertThat(top.get("perSecond").get("pushed").asDouble()).isZero();
    assertThat(top.get("queues").get(0).get("messages").get("pending").asInt()).isEqualTo(3);
    assertThat(top.get("sort").asString()).isEqualTo("bytes");
  }

  @Test
  void shouldObeyKeysAndLeaveTheScreen() {
    // given
    cli.ok("push", "aaa", "1");
    cli.ok("push", "zzz", "1", "--count", "9");
    FakeTerminal terminal = new FakeTerminal().screen(100).keyboard("n?q");
    // when
    Ran ran = cli.run(terminal, "top", "--every", "60s");
    // then
    assertThat(ran.exit()).isZero();
    assertThat(ran.out()).startsWith(Screen.OPEN).endsWith(Screen.CLOSE);
    String[] frames = ran.out().split("\u001b\\[H", -1);
    assertThat(frames).hasSize(4);
    assertThat(frames[1]).containsSubsequence("zzz", "aaa", "by depth", "q quit");
    assertThat(frames[2]).containsSubsequence("aaa", "zzz", "by name");
  }

  @Test
  void shouldNotEndWhileTheServerIsAway() {
    // given
    cli.ok("push", "q", "1");
    FakeTerminal terminal =
        new FakeTerminal()
            .screen(100)
            .keyboard("ddq")
            .onRead(
                count -> {
                  if (count == 1) {
                    cli.stop();
                  }
                });
    // when
    Ran ran = cli.run(terminal, "top", "--every", "60s");
    // then
    assertThat(ran.exit()).isZero();
    assertThat(ran.out()).contains("No server answers at").endsWith(Screen.CLOSE);
  }

  @Test
  void shouldGoThroughVeryManyQueuesPageByPage() {
    // given
    for (int i = 0; i < 2_100; i++) {
      cli.broker().configure(ConfigureRequest.queue(name(i))).orThrow();
    }
    cli.ok("push", name(2_050), "1", "--count", "7");
    cli.ok("push", name(5), "1", "--count", "3");
    TopQueues queues = new TopQueues();
    // when
    assertThat(queues.look(cli.broker())).isTrue();
    assertThat(queues.first(QueueSort.DEPTH, 1).getFirst().name()).isEqualTo(name(5));
    assertThat(queues.look(cli.broker())).isTrue();
    assertThat(queues.look(cli.broker())).isFalse();
    // then
    assertThat(queues.first(QueueSort.DEPTH, 2))
        .extracting(QueueInfo::name)
        .containsExactly(name(2_050), name(5));
    assertThat(queues.first(QueueSort.NAME, 10_000)).hasSize(2_100);
    // and: what is gone is forgotten when its page is asked for again
    cli.ok("queue", "delete", name(5), "--yes");
    queues.look(cli.broker());
    assertThat(queues.first(QueueSort.NAME, 10_000)).hasSize(2_099);
    assertThat(cli.ok("top", "--once", "--limit", "1")).contains(name(2_050), "queues 2,099");
  }

  private static String name(int i) {
    return "q" + (10_000 + i);
  }

  @Test
  void shouldRefuseWrongTopOptions() {
    assertThat(cli.fails(2, "top", "--every", "1ms")).contains("--every: expected 100ms or more");
    assertThat(cli.fails(2, "top", "--limit", "0")).contains("--limit: expected 1 or more");
    assertThat(cli.fails(2, "top", "--sort", "odd")).contains("expected one of name, depth");
  }

  @Test
  void shouldPrintPicturesWithoutAScreen() {
    Ran ran = cli.run(new FakeTerminal().pauses(2), "top");
    assertThat(ran.out().lines().filter(line -> line.startsWith("Holdfast"))).hasSize(3);
  }

  @Test
  void shouldWatch() {
    // given
    FakeTerminal terminal =
        new FakeTerminal()
            .pauses(
                () -> {
                  boolean first = cli.json("queues").get("queues").isEmpty();
                  cli.ok("push", "q", "1");
                  return first;
                });
    // when
    Ran ran = cli.run(terminal, "queues", "--json", "--watch", "1s");
    // then
    assertThat(ran.out().lines())
        .satisfiesExactly(
            before -> assertThat(before).isEqualTo("{\"queues\":[],\"more\":false}"),
            after -> assertThat(after).contains("\"name\":\"q\""));
  }

  @Test
  void shouldWatchOnAScreenInPlace() {
    cli.ok("queue", "create", "q");
    Ran ran = cli.run(new FakeTerminal().screen(80).pauses(1), "queue", "show", "--watch", "q");
    assertThat(ran.exit()).as(ran.err()).isZero();
    String[] frames = ran.out().split("\u001b\\[H", -1);
    assertThat(frames).hasSize(3);
    assertThat(frames[2]).contains("queue        q", "every 2s; Ctrl-C to stop");
    assertThat(cli.fails(2, "queues", "--watch", "1ms"))
        .contains("--watch: expected 100ms or more");
  }

  @Test
  @Timeout(WaitLimits.TEST_SECONDS)
  void shouldGoOnWatchingWhenTheServerIsAway() {
    // given: it goes after the first look, and comes back after the second
    FakeTerminal terminal = new FakeTerminal();
    int[] looks = {0};
    terminal.pauses(
        () -> {
          looks[0]++;
          if (looks[0] == 1) {
            cli.stop();
          } else if (looks[0] == 2) {
            cli.startAgain();
          } else {
            // A server that was away is asked again a little later.
            LockSupport.parkNanos(20_000_000);
          }
          return terminal.printed().lines().count() < 2;
        });
    // when
    Ran ran = cli.run(terminal, "groups", "--watch");
    // then
    assertThat(ran.exit()).isZero();
    assertThat(ran.out()).isEqualTo("no consumer groups\nno consumer groups\n");
    assertThat(ran.err()).contains("No server answers").contains("holdfast serve");
  }
}
