package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.cli.CliFixture.Ran;
import io.holdfast.cli.output.ExitCodes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The {@code dlq} and task commands. */
class DlqCommandsTest {
  private final CliFixture cli = CliFixture.start();

  @AfterEach
  void stop() {
    cli.close();
  }

  /** Lets messages die; answers their ids. */
  private List<String> die(String queue, int count, String error) {
    cli.broker()
        .push(
            PushRequest.of(
                IntStream.range(0, count)
                    .mapToObj(
                        i ->
                            NewMessage.to(
                                queue, Integer.toString(i).getBytes(StandardCharsets.UTF_8)))
                    .toList()))
        .orThrow();
    List<Delivery> held =
        cli.broker().pop(PopRequest.queue(queue).batch(count)).orThrow().messages();
    cli.broker()
        .settle(
            SettleRequest.of(held.stream().map(one -> Settle.kill(one.handle(), error)).toList()))
        .orThrow();
    return held.stream().map(one -> one.message().id().toString()).toList();
  }

  @Test
  void shouldListDeadLetters() {
    assertThat(cli.ok("dlq", "list")).isEqualTo("no dead letters\n");
    die("few", 1, "odd");
    List<String> ids = die("many", 3, "timeout of the bank");
    cli.advance(Duration.ofMinutes(5));
    assertThat(cli.ok("dlq", "list")).isEqualTo("QUEUE  DEAD\nmany      3\nfew       1\n");
    assertThat(cli.json("dlq", "list").get("queues").get(0).get("dead").asInt()).isEqualTo(3);
    assertThat(cli.ok("dlq", "list", "many", "--limit", "2"))
        .containsPattern("ID +GROUP +PARTITION +DIED +FAILURES +ERROR +PAYLOAD")
        .containsPattern(
            ids.get(0) + " +__QUEUE_MODE__ +Default +5m ago +. +timeout of the bank +0")
        .contains("3 dead letters", "more: --after");
    assertThat(cli.ok("dlq", "list", "many", "--error", "odd"))
        .isEqualTo("no matching dead letters in many\n");
    JsonNode page = cli.json("dlq", "list", "many", "--since", "-10m", "--group", "__QUEUE_MODE__");
    assertThat(page.get("total").asInt()).isEqualTo(3);
    assertThat(page.get("messages").get(2).get("data").asInt()).isEqualTo(2);
    assertThat(cli.fails(2, "dlq", "list", "--error", "x")).contains("<queue>: expected a queue");
    assertThat(cli.fails(1, "dlq", "list", "none")).contains("no queue none");
  }

  @Test
  void shouldRequeue() {
    List<String> ids = die("q", 3, "timeout");
    cli.advance(Duration.ofMinutes(1));
    die("q", 2, "broken");
    assertThat(cli.ok("dlq", "requeue", "q", "--error", "timeout", "--dry-run"))
        .isEqualTo("3 dead letters would be requeued\n");
    assertThat(cli.ok("dlq", "requeue", "q", ids.get(1))).isEqualTo("1 dead letter requeued\n");
    assertThat(cli.json("dlq", "requeue", "q", "--until", "-30s").get("requeued").asInt())
        .isEqualTo(2);
    assertThat(cli.ok("dlq", "requeue", "q")).isEqualTo("2 dead letters requeued\n");
    assertThat(cli.ok("dlq", "list")).isEqualTo("no dead letters\n");
    Ran none = cli.run(new FakeTerminal(), "dlq", "requeue", "q", ids.get(1));
    assertThat(none.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(none.out()).isEqualTo("0 dead letters requeued\n");
    assertThat(cli.fails(2, "dlq", "requeue", "q", "x")).contains("<message>: expected an id");
  }

  @Test
  void shouldRequeueManyInSteps() {
    // given: more than a page, of several moments
    for (int i = 0; i < 5; i++) {
      die("q", 500, "timeout");
      cli.advance(Duration.ofSeconds(1));
    }
    // when
    assertThat(cli.json("dlq", "requeue", "q").get("requeued").asInt()).isEqualTo(2_500);
    // then
    assertThat(cli.json("queue", "show", "q").get("totals").get("returned").asInt())
        .isEqualTo(2_500);
  }

  @Test
  void shouldRemoveAndClear() {
    List<String> ids = die("q", 4, "timeout");
    assertThat(cli.fails(2, "dlq", "remove", "q")).contains("to remove all, use 'dlq clear'");
    assertThat(cli.fails(2, "dlq", "remove", "q", ids.get(0)))
        .contains("this permanently removes 1 dead letter of the queue q");
    assertThat(cli.ok("dlq", "remove", "q", ids.get(0), ids.get(1), "--yes"))
        .isEqualTo("2 dead letters removed\n");
    assertThat(cli.ok("dlq", "remove", "q", "--error", "timeout", "--dry-run"))
        .isEqualTo("2 dead letters would be removed\n");
    assertThat(cli.json("dlq", "clear", "q", "--dry-run").get("removed").asInt()).isEqualTo(2);
    assertThat(cli.fails(2, "dlq", "clear", "q"))
        .contains("this permanently removes 2 dead letters");
    Ran asked = cli.run(new FakeTerminal().keyboard("y\n"), "dlq", "clear", "q");
    assertThat(asked.out()).isEqualTo("2 dead letters removed\n");
    assertThat(cli.ok("dlq", "clear", "q")).isEqualTo("0 dead letters removed\n");
  }

  @Test
  void shouldListAndShowTasks() {
    // given
    assertThat(cli.ok("tasks")).contains("no matching tasks");
    cli.ok("queue", "create", "mails", "track=true", "retryLimit=0");
    cli.ok("push", "mails", "1", "--transaction-id", "m-1");
    cli.ok("push", "mails", "2");
    String lease = cli.json("pop", "mails", "--worker", "w-7").get("leaseId").asString();
    cli.ok("nack", lease, "--error", "no such address");
    // then
    assertThat(cli.ok("tasks"))
        .containsPattern("ID +QUEUE +STATUS +AGE +ATTEMPTS +WORKER +ERROR")
        .containsPattern("mails +dead +0ms +1 +w-7 +no such address")
        .containsPattern("mails +queued +0ms +0 +- +-");
    assertThat(cli.json("tasks", "mails", "--status", "queued").get("tasks")).hasSize(1);
    assertThat(cli.ok("tasks", "mails", "--limit", "1")).contains("more: --after");
    assertThat(cli.ok("task", "m-1", "--queue", "mails"))
        .contains("in           mails/Default", "transaction  m-1", "status       dead")
        .contains("worker       w-7", "error        no such address");
    assertThat(cli.json("task", "m-1", "--queue", "mails").get("status").asString())
        .isEqualTo("Dead");
    assertThat(cli.fails(2, "tasks", "--status", "odd")).contains("expected one of queued");
    assertThat(cli.fails(2, "tasks", "--after", "x")).contains("--after: expected <queue> as well");
    assertThat(cli.fails(1, "task", "m-2", "--queue", "mails")).contains("NOT_FOUND");
    assertThat(cli.fails(1, "tasks", "none")).contains("no queue none");
  }
}
