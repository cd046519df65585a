package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.cli.CliFixture.Ran;
import io.holdfast.testkit.WaitLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The {@code tail} command. */
class TailCommandTest {
  private static final long WAIT_NANOS = 20_000_000;

  private CliFixture cli = CliFixture.start();
  private final Deque<Runnable> steps = new ArrayDeque<>();

  @TempDir private Path directory;

  @AfterEach
  void stop() {
    cli.close();
  }

  /** A terminal that does the next step at each pause, and ends one pause after the last. */
  private FakeTerminal stepping() {
    return new FakeTerminal()
        .pauses(
            () -> {
              Runnable step = steps.poll();
              if (step != null) {
                step.run();
              }
              return step != null;
            });
  }

  private void push(String queue, String partition, int lane, String payload) {
    cli.broker()
        .push(
            PushRequest.of(
                NewMessage.to(queue, payload.getBytes(UTF_8)).partition(partition).lane(lane)))
        .orThrow();
    cli.advance(Duration.ofMillis(1));
  }

  private Ran tail(String... arguments) {
    String[] all = new String[arguments.length + 2];
    all[0] = "tail";
    all[1] = "--payload";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return cli.run(stepping(), all);
  }

  @Test
  void shouldFollowWhatComes() {
    // given
    push("q", "Default", 0, "\"old\"");
    steps.add(() -> push("q", "Default", 0, "1"));
    steps.add(() -> push("q", "eu", 2, "2"));
    steps.add(
        () -> {
          push("q", "Default", 5, "3");
          push("q", "eu", 2, "4");
          push("q", "Default", 0, "5");
          push("q", "eu", 1, "6");
        });
    steps.add(() -> {});
    steps.add(() -> push("q", "Default", 5, "7"));
    // when
    Ran ran = tail("q");
    // then
    assertThat(ran.exit()).isZero();
    assertThat(ran.out()).isEqualTo("1\n2\n3\n4\n5\n6\n7\n");
    assertThat(cli.ok("groups", "q")).isEqualTo("no consumer groups\n");
    assertThat(cli.json("queue", "show", "q").get("totals").get("pending").asInt()).isEqualTo(8);
  }

  @Test
  void shouldShowLinesAndJson() {
    push("q", "Default", 3, "{\"a\": 1}");
    Ran text = cli.run(stepping(), "tail", "q", "--from", "beginning");
    assertThat(text.out())
        .matches("2026-01-01T00:00:00.000Z  \\S{36}  Default priority 3  \\{\"a\":1}\\R");
    Ran json = cli.run(stepping(), "tail", "q", "--from", "beginning", "--json");
    assertThat(json.json().get("data").get("a").asInt()).isEqualTo(1);
  }

  @Test
  void shouldBeginWhereItIsTold() {
    // given: a long lane with cancelled messages in it
    for (int i = 0; i < 60; i++) {
      push("q", "Default", i % 2, Integer.toString(i));
      cli.advance(Duration.ofSeconds(1));
    }
    String id = cli.json("messages", "q").get("messages").get(27).get("id").asString();
    cli.ok("cancel", id);
    // then
    assertThat(tail("q", "--from", "-3s").out()).isEqualTo("58\n59\n");
    assertThat(tail("q", "--from", "2026-01-01T00:00:55Z").out().lines()).startsWith("55");
    assertThat(tail("q", "--from", "beginning").out().lines()).hasSize(59).startsWith("0", "1");
    assertThat(tail("q", "--from", "beginning", "--count", "2").out()).isEqualTo("0\n1\n");
    assertThat(tail("q", "--from", "now").out()).isEmpty();
    assertThat(cli.fails(2, "tail", "q", "--from", "there")).contains("--from: expected now");
    assertThat(cli.fails(2, "tail", "q", "--every", "1ms")).contains("--every: expected 10ms");
    assertThat(cli.fails(1, "tail", "none")).contains("no queue none");
  }

  @Test
  void shouldFollowOnePartition() {
    push("q", "a", 0, "\"a\"");
    push("q", "ab", 0, "\"ab\"");
    push("q", "b", 0, "\"b\"");
    steps.add(() -> push("q", "ab", 0, "1"));
    steps.add(() -> push("q", "a", 0, "2"));
    steps.add(() -> push("q", "ab", 0, "3"));
    assertThat(tail("q", "--partition", "ab").out()).isEqualTo("1\n3\n");
    assertThat(tail("q", "--partition", "none", "--from", "beginning").out()).isEmpty();
  }

  @Test
  void shouldShowADelayedMessageWhenItIsDue() {
    cli.ok("push", "q", "1", "--delay", "10s");
    steps.add(() -> {});
    steps.add(
        () -> {
          cli.advance(Duration.ofSeconds(11));
          // The pop waits until the message has entered its lane.
          cli.ok("pop", "q", "--wait", "10s");
        });
    assertThat(tail("q").out()).isEqualTo("1\n");
  }

  @Test
  void shouldReadALongBacklogInPieces() {
    // given
    for (int batch = 0; batch < 3; batch++) {
      List<NewMessage> messages =
          IntStream.range(0, 5_000)
              .mapToObj(i -> NewMessage.to("q", Integer.toString(i).getBytes(UTF_8)))
              .toList();
      cli.broker().push(PushRequest.of(messages)).orThrow();
    }
    // when
    Ran ran = tail("q", "--from", "beginning");
    // then
    assertThat(ran.out().lines()).hasSize(15_000).endsWith("4998", "4999");
  }

  private boolean stepOrWait() {
    Runnable step = steps.poll();
    if (step == null) {
      LockSupport.parkNanos(WAIT_NANOS);
    } else {
      step.run();
    }
    return true;
  }

  @Test
  @Timeout(WaitLimits.TEST_SECONDS)
  void shouldGoOnWhenTheServerComesBack() {
    // given
    cli.close();
    cli = CliFixture.start(directory.resolve("data"));
    push("q", "Default", 0, "\"old\"");
    steps.add(() -> push("q", "Default", 0, "1"));
    steps.add(cli::stop);
    steps.add(
        () -> {
          cli.startAgain();
          push("q", "Default", 0, "2");
        });
    steps.add(() -> push("q", "eu", 0, "3"));
    // when: a server that was away is asked again a little later, so that it takes a few looks
    FakeTerminal patient = new FakeTerminal().pauses(this::stepOrWait);
    Ran ran = cli.run(patient, "tail", "--payload", "q", "--count", "3");
    // then
    assertThat(ran.exit()).isZero();
    assertThat(ran.out()).isEqualTo("1\n2\n3\n");
    assertThat(ran.err().lines())
        .satisfiesExactly(
            away -> assertThat(away).contains("retrying"),
            back -> assertThat(back).isEqualTo("Connected again."));
  }
}
