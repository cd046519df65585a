package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliFixture.Ran;
import io.holdfast.cli.output.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The commands that push, take, settle, look at and move messages. */
class MessageCommandsTest {
  private final CliFixture cli = CliFixture.start();

  @TempDir private Path temp;

  @AfterEach
  void stop() {
    cli.close();
  }

  private String push(String queue, String payload) {
    return cli.json("push", queue, payload).get("message_id").asString();
  }

  private String lease(String... arguments) {
    return cli.json(arguments).get("leaseId").asString();
  }

  @Test
  void shouldPushPopAndAck() {
    // when
    String pushed =
        cli.ok("push", "orders", " {\"sum\": 12} ", "--header", "source=shop", "--priority", "2");
    String popped = cli.ok("pop", "orders", "--lease", "1m");
    // then
    String id = pushed.replaceAll("(?s)pushed (\\S+) to orders/Default\\R", "$1");
    assertThat(popped)
        .startsWith(id + "  orders/Default  priority 2, attempt 1, pushed 0ms ago")
        .contains("  source: shop", "  {\"sum\":12}", "until 2026-01-01T00:01:00Z, for 1m");
    String lease = popped.replaceAll("(?s).*holdfast ack (\\S+)\\R", "$1");
    assertThat(cli.ok("ack", lease)).isEqualTo("acked 1 message; the lease has ended\n");
    assertThat(cli.fails(1, "ack", lease)).contains("was already settled; nothing changed");
    assertThat(cli.fails(1, "pop", "orders")).isEqualTo("No message is waiting in orders.");
  }

  @Test
  void shouldTellPopsAsJson() {
    // given
    cli.ok("push", "q", "{\n  \"a\": [1,\n 2]\n}", "--transaction-id", "t-1");
    // when
    JsonNode popped = cli.json("pop", "q", "--group", "g", "--batch", "5");
    Ran nothing = cli.run(new FakeTerminal(), "pop", "q", "--group", "g", "--json");
    // then
    assertThat(popped.get("leaseExpiresAt").asString()).isEqualTo("2026-01-01T00:05:00.000Z");
    JsonNode message = popped.get("messages").get(0);
    assertThat(message.get("transactionId").asString()).isEqualTo("t-1");
    assertThat(message.get("data").get("a").get(1).asInt()).isEqualTo(2);
    assertThat(message.get("deliveryAttempt").asInt()).isEqualTo(1);
    assertThat(nothing.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(nothing.json().get("reason").asString()).isEqualTo("LOCKED");
    assertThat(nothing.json().get("messages")).isEmpty();
  }

  @Test
  void shouldSayWhyThereIsNothingToPop() {
    cli.ok("push", "q", "1");
    cli.ok("pop", "q");
    assertThat(cli.fails(1, "pop", "q"))
        .isEqualTo("Queue q is leased by another consumer (ordered delivery); try again in 5m.");
    cli.ok("queue", "pause", "q");
    assertThat(cli.fails(1, "pop", "q"))
        .isEqualTo("Queue q is paused; resume it with 'holdfast queue resume q'.");
  }

  @Test
  void shouldCheckJsonUnlessToldOtherwise() {
    assertThat(cli.fails(2, "push", "q", "hello"))
        .isEqualTo(
            "<payload>: expected JSON, but got hello; use --text to push a JSON string, --raw to push"
                + " the bytes unchanged.");
    cli.ok("push", "q", "say \"hi\"", "--text");
    cli.ok("push", "q", "hello", "--raw");
    JsonNode messages = cli.json("messages", "q").get("messages");
    assertThat(messages.get(0).get("data").asString()).isEqualTo("say \"hi\"");
    assertThat(messages.get(1).get("data").isNull()).isTrue();
    assertThat(messages.get(1).get("dataBase64").asString()).isEqualTo("aGVsbG8=");
  }

  @Test
  void shouldPushFilesPipesAndLines() throws IOException {
    // given
    Path file = Files.writeString(temp.resolve("order.json"), "{\"from\":\"file\"}\n");
    // when
    cli.ok("push", "q", "@" + file);
    cli.run(new FakeTerminal().in("{\"from\":\"pipe\"}\n"), "push", "q");
    cli.run(new FakeTerminal().in("\"typed\"\n").keyboard("\"typed\"\n"), "push", "q", "-");
    Ran lines = cli.run(new FakeTerminal().in("1\r\n\n 2 \n3"), "push", "q", "--lines");
    // then
    assertThat(lines.out()).isEqualTo("pushed 3 messages to q/Default\n");
    assertThat(cli.ok("pop", "q", "--batch", "10", "--auto-ack", "--payload"))
        .isEqualTo("{\"from\":\"file\"}\n{\"from\":\"pipe\"}\n\"typed\"\n1\n2\n3\n");
    assertThat(cli.fails(2, "push", "q", "@no-such-file")).contains("no such file: no-such-file");
  }

  @Test
  void shouldSayHowManyLinesWerePushedBeforeOneWasWrong() {
    // given
    String lines = "1\n".repeat(1_500) + "oops\n";
    // when
    Ran ran = cli.run(new FakeTerminal().in(lines), "push", "q", "--lines");
    // then
    assertThat(ran.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(ran.err().lines())
        .first()
        .asString()
        .startsWith("1,000 messages pushed; the next one failed");
    assertThat(ran.err()).contains("Standard input, line 1501: expected JSON, but got oops");
  }

  @Test
  void shouldPushManyTimesAndNotTwice() {
    assertThat(cli.ok("push", "many", "1", "--count", "2500")).contains("2,500 messages");
    assertThat(cli.json("queue", "show", "many").get("totals").get("pending").asInt())
        .isEqualTo(2500);
    String first = push("once", "1");
    assertThat(first).isNotEmpty();
    cli.ok("push", "once", "2", "--transaction-id", "t");
    assertThat(cli.ok("push", "once", "3", "--transaction-id", "t"))
        .startsWith("duplicate: once/Default already has t, as ");
    assertThat(cli.json("push", "once", "3", "--transaction-id", "t").get("status").asString())
        .isEqualTo("duplicate");
    assertThat(cli.fails(2, "push", "q", "1", "--transaction-id", "t", "--count", "2"))
        .contains("--transaction-id: expected one message");
    assertThat(cli.fails(2, "push", "q", "1", "--count", "0")).contains("--count: expected 1");
    assertThat(cli.fails(2, "push", "q", "1", "--raw", "--text")).contains("but got both");
    assertThat(cli.run(new FakeTerminal().keyboard(""), "push", "q").err())
        .contains("<payload>: expected JSON, @file, or - for the standard input");
  }

  @Test
  void shouldDelay() {
    // given
    cli.ok("push", "q", "1", "--delay", "30s");
    cli.ok("push", "q", "2", "--at", "2026-01-01T01:00:00Z");
    cli.ok("push", "q", "3", "--at", "+2h");
    // then
    cli.fails(1, "pop", "q");
    cli.advance(Duration.ofSeconds(31));
    assertThat(cli.ok("pop", "q", "--auto-ack", "--payload", "--wait", "10s")).isEqualTo("1\n");
    assertThat(cli.ok("messages", "q", "--state", "delayed"))
        .contains("delayed, in 59m 29s", "delayed, in 1h 59m");
    assertThat(cli.fails(2, "push", "q", "1", "--delay", "30"))
        .contains("--delay", "expected a duration such as 500ms, 30s, 5m, 2h or 1d, but got 30");
    assertThat(cli.fails(2, "push", "q", "1", "--at", "soon")).contains("expected a time such as");
  }

  @Test
  void shouldNackReleaseAndExtend() {
    // given
    String id = push("q", "1");
    String lease = lease("pop", "q");
    // then
    assertThat(cli.ok("extend", lease, "--lease", "10m"))
        .contains("extended until 2026-01-01T00:10:00Z, open: 1 message");
    assertThat(cli.ok("nack", lease, id, "--error", "no stock", "--delay", "5m"))
        .isEqualTo("nacked 1 message, 1 failure so far; redelivered in 5m; the lease has ended\n");
    assertThat(cli.fails(1, "pop", "q")).contains("waits for its retry; try again in 5m");
    cli.advance(Duration.ofMinutes(6));
    String again = lease("pop", "q", "--wait", "10s");
    assertThat(cli.ok("release", again)).isEqualTo("released 1 message; the lease has ended\n");
    String third = lease("pop", "q");
    assertThat(cli.ok("nack", third, "--dead", "--error", "never"))
        .startsWith("dead-lettered 1 message, see 'holdfast dlq list'");
    assertThat(cli.fails(1, "extend", third)).contains("STALE_LEASE", "pop them again");
    assertThat(cli.fails(1, "ack", "no-such")).contains("expired, was released or never existed");
  }

  @Test
  void shouldSettleSomeOfALease() {
    // given
    String first = push("q", "1");
    cli.ok("push", "q", "2", "--transaction-id", "second");
    push("q", "3");
    String lease = lease("pop", "q", "--batch", "3");
    // when
    JsonNode acked = cli.json("ack", lease, first, "second");
    // then
    assertThat(acked.get("settled")).hasSize(2);
    assertThat(acked.get("settled").get(1).get("message").asString()).isEqualTo("second");
    assertThat(acked.get("settled").get(1).get("leaseOver").asBoolean()).isFalse();
    assertThat(cli.ok("messages", "q", "--state", "in-flight")).contains("  3");
    Ran mixed = cli.run(new FakeTerminal(), "ack", lease, first, "--json");
    assertThat(mixed.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(mixed.json().get("settled").get(0).get("status").asString())
        .isEqualTo("already_settled");
    assertThat(cli.fails(1, "ack", lease, "no-such-name")).contains("NOT_FOUND");
  }

  @Test
  void shouldShowMessages() {
    // given
    push("q", "{\"n\":1}");
    cli.advance(Duration.ofMinutes(20));
    cli.ok("push", "q", "{\"n\":2}", "--partition", "eu", "--priority", "3");
    cli.ok("pop", "q", "--partition", "eu");
    // then
    assertThat(cli.ok("messages", "q").lines())
        .satisfiesExactly(
            heading ->
                assertThat(heading)
                    .matches("ID +STATE +PARTITION +PRIORITY +FAILURES +AGE +PAYLOAD"),
            one -> assertThat(one).matches(".* waiting +Default +0 +0 +20m +\\{\"n\":1}"),
            two -> assertThat(two).matches(".* in flight +eu +3 +0 +0ms +\\{\"n\":2}"));
    assertThat(cli.json("messages", "q", "--since", "-15m").get("messages")).hasSize(1);
    assertThat(cli.json("messages", "q", "--until", "-15m").get("messages")).hasSize(1);
    assertThat(cli.ok("messages", "q", "--state", "dead")).isEqualTo("no matching messages in q\n");
    String more = cli.ok("messages", "q", "--limit", "1");
    String next = more.replaceAll("(?s).*more: --after '(.*)'\\R", "$1");
    assertThat(cli.ok("messages", "q", "--limit", "1", "--after", next)).contains("{\"n\":2}");
    assertThat(cli.fails(1, "messages", "no-such"))
        .isEqualTo("There is no queue no-such (NOT_FOUND).");
    assertThat(cli.fails(2, "messages", "q", "--state", "odd")).contains("expected one of delayed");
    assertThat(cli.fails(2, "messages", "q", "--limit", "0"))
        .contains("--limit: expected 1 to 1000");
    assertThat(cli.fails(2, "messages", "q", "--after", "x")).contains("after: expected the next");
  }

  @Test
  void shouldExplain() {
    // given
    cli.ok("push", "q", "1", "--transaction-id", "t-1", "--header", "a=b");
    String lease = lease("pop", "q", "--worker", "me");
    cli.ok("nack", lease, "--error", "no luck");
    // then
    assertThat(cli.ok("explain", "t-1", "--queue", "q"))
        .contains("in           q/Default", "transaction  t-1", "header       a: b")
        .contains("payload      1", "failures     1 failure, 0 leases expired")
        .containsPattern("ATTEMPT +ENDED +CAUSE +AFTER +WORKER +ERROR")
        .containsPattern("1 +2026-01-01T00:00:00Z +nacked +0ms +me +no luck");
    JsonNode json = cli.json("explain", "t-1", "--queue", "q");
    assertThat(json.get("consumerGroups").get(0).get("state").asString()).isEqualTo("returned");
    assertThat(json.get("consumerGroups").get(0).get("attempts").get(0).get("error").asString())
        .isEqualTo("no luck");
    assertThat(cli.fails(2, "explain", "t-1")).contains("<message>: expected an id such as");
    assertThat(cli.fails(1, "explain", "019b76da-a800-7000-8000-010000000009"))
        .contains("NOT_FOUND");
  }

  @Test
  void shouldCancelAndReschedule() {
    // given
    String id = push("q", "1");
    // then
    assertThat(cli.ok("reschedule", id, "--delay", "2h"))
        .isEqualTo("rescheduled " + id + ", which was waiting; visible at 2026-01-01T02:00:00Z\n");
    assertThat(cli.json("reschedule", id, "--at", "2026-01-02").get("visibleAt").asString())
        .isEqualTo("2026-01-02T00:00:00.000Z");
    assertThat(cli.ok("cancel", id)).isEqualTo("cancelled " + id + ", which was delayed\n");
    assertThat(cli.fails(1, "cancel", id)).contains("NOT_FOUND");
    assertThat(cli.fails(2, "reschedule", id)).contains("xpected --delay or --at, but got neither");
    cli.ok("push", "q", "2", "--transaction-id", "t");
    assertThat(cli.json("cancel", "t", "--queue", "q").get("state").asString())
        .isEqualTo("waiting");
  }

  @Test
  void shouldStartANewGroupWhereItIsTold() {
    push("q", "1");
    cli.fails(1, "pop", "q", "--group", "late", "--from", "end");
    cli.advance(Duration.ofMinutes(10));
    push("q", "2");
    assertThat(cli.ok("pop", "q", "--group", "late", "--payload", "--auto-ack")).isEqualTo("2\n");
    assertThat(cli.ok("pop", "q", "--group", "since", "--from", "-5m", "--payload", "--auto-ack"))
        .isEqualTo("2\n");
    assertThat(cli.fails(2, "pop", "q", "--from", "nowhere"))
        .contains("--from: expected beginning");
  }
}
