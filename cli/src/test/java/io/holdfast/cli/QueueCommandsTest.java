package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliFixture.Ran;
import io.holdfast.cli.output.ExitCodes;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The commands about queues and groups. */
@Tag("slow")
class QueueCommandsTest {
  private final CliFixture cli = CliFixture.start();

  @AfterEach
  void stop() {
    cli.close();
  }

  @Test
  void shouldListQueues() {
    assertThat(cli.ok("queues")).isEqualTo("no queues\n");
    cli.ok("push", "shop-a", "1", "--count", "1200");
    cli.ok("push", "shop-b", "1");
    cli.ok("queue", "create", "other");
    cli.ok("queue", "pause", "other");
    assertThat(cli.ok("queues").lines())
        .satisfiesExactly(
            heading ->
                assertThat(heading)
                    .isEqualTo(
                        "QUEUE           WAITING  RETURNED  IN FLIGHT  DELAYED  DEAD  GROUPS     SIZE"),
            other -> assertThat(other).startsWith("other (paused)        0 "),
            a -> assertThat(a).startsWith("shop-a            1,200 "),
            b -> assertThat(b).startsWith("shop-b                1 "));
    assertThat(cli.ok("queues", "--sort", "depth", "--limit", "1"))
        .contains("shop-a", "more queues exist")
        .doesNotContain("shop-b");
    JsonNode filtered = cli.json("queues", "--filter", "shop-*", "--sort", "dead");
    assertThat(filtered.get("queues")).hasSize(2);
    assertThat(filtered.get("queues").get(0).get("messages").get("pending").asInt())
        .isEqualTo(1200);
    assertThat(cli.json("queues", "--filter", "the").get("queues")).hasSize(1);
    assertThat(cli.ok("queues", "--filter", "shop")).contains("shop-a", "shop-b");
    assertThat(cli.ok("queues", "--filter", "*-c")).isEqualTo("no queues match *-c\n");
    assertThat(cli.fails(2, "queues", "--sort", "colour")).contains("expected one of name, depth");
    assertThat(cli.fails(2, "queues", "--limit", "0")).contains("--limit: expected 1 or more");
  }

  @Test
  void shouldMakeShowAndChangeAQueue() {
    assertThat(cli.ok("queue", "create", "q", "delivery=shared", "leaseTime=90s", "track=yes"))
        .isEqualTo("queue q created\n");
    cli.ok("push", "q", "1", "--partition", "eu");
    cli.ok("pop", "q", "--group", "billing");
    cli.advance(Duration.ofSeconds(10));
    assertThat(cli.ok("queue", "show", "q"))
        .contains("queue        q", "created      10s ago", "in flight    1")
        .contains("options      delivery=shared (default: ordered)")
        .contains("             leaseTime=1m30s (default: 5m)", "track=true (default: false)")
        .containsPattern("GROUP +LAG +OLDEST +WAITING")
        .containsPattern("billing +1 +10s +0 +0 +1 +0 +1")
        .containsPattern("PARTITION +WAITING")
        .containsPattern("eu +0 +0 +1 +0 +1 +10s ago");
    assertThat(cli.ok("queue", "show", "q", "--options")).contains("retryDelay=1s", "ttl=0");
    JsonNode shown = cli.json("queue", "show", "q");
    assertThat(shown.get("options").get("leaseTime").asInt()).isEqualTo(90);
    assertThat(shown.get("consumerGroups").get(0).get("maxTimeLag").asLong()).isEqualTo(10);
    assertThat(shown.get("partitions").get(0).get("name").asString()).isEqualTo("eu");
    cli.ok("queue", "configure", "q", "leaseTime=default", "retryDelay=1500ms");
    assertThat(cli.ok("queue", "show", "q"))
        .contains("retryDelay=1s500ms (default: 1s)", "delivery=shared")
        .doesNotContain("leaseTime");
    assertThat(
            cli.json("queue", "configure", "q", "--reset").get("options").get("track").asBoolean())
        .isFalse();
    assertThat(cli.ok("queue", "show", "q")).contains("all at their defaults");
  }

  @Test
  void shouldRefuseWrongOptions() {
    cli.ok("queue", "create", "q");
    assertThat(cli.fails(1, "queue", "create", "q")).contains("The queue q exists");
    assertThat(cli.fails(1, "queue", "configure", "none", "ttl=1m"))
        .contains("No such queue: none");
    assertThat(cli.fails(2, "queue", "configure", "q"))
        .contains("expected one such as leaseTime=60s");
    assertThat(cli.fails(2, "queue", "configure", "q", "ttl")).contains("but got ttl");
    assertThat(cli.fails(2, "queue", "configure", "q", "colour=red"))
        .contains("colour: expected one of");
    assertThat(cli.fails(2, "queue", "configure", "q", "track=perhaps")).contains("true or false");
    assertThat(cli.fails(2, "queue", "configure", "q", "ttl=soon"))
        .contains("ttl: expected a duration");
    assertThat(cli.fails(2, "queue", "configure", "q", "ttl=1500ms")).contains("whole seconds");
    assertThat(cli.fails(2, "queue", "configure", "q", "maxSize=5m")).contains("a whole number");
    assertThat(cli.fails(2, "queue", "configure", "q", "delivery=odd"))
        .contains("delivery: expected");
    assertThat(cli.fails(1, "queue", "show", "none"))
        .isEqualTo("There is no queue none (NOT_FOUND).");
  }

  @Test
  void shouldPauseAndResume() {
    cli.ok("push", "q", "1");
    assertThat(cli.ok("queue", "pause", "q")).contains("queue q paused");
    assertThat(cli.fails(1, "pop", "q")).contains("is paused");
    assertThat(cli.json("queue", "resume", "q").get("paused").asBoolean()).isFalse();
    cli.ok("pop", "q");
    assertThat(cli.fails(1, "queue", "pause", "none")).contains("no queue none");
  }

  @Test
  void shouldAskBeforeItDestroys() {
    // given
    cli.ok("push", "q", "1", "--count", "3");
    // then: nobody to ask
    assertThat(cli.fails(2, "queue", "purge", "q"))
        .isEqualTo(
            "Expected --yes, as the input is no terminal: this deletes all messages of the queue q:"
                + " 3 messages stored (0 messages in flight), 0 delayed; 0 dead letters are kept.");
    // and: somebody says no
    Ran refused = cli.run(new FakeTerminal().keyboard("n\n"), "queue", "delete", "q");
    assertThat(refused.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(refused.err())
        .contains(
            "This deletes the queue q with 3 messages, 0 dead letters and 0 groups. Continue? [y/N] ")
        .contains("Nothing was changed.");
    assertThat(cli.run(new FakeTerminal().keyboard(""), "queue", "delete", "q").exit())
        .isEqualTo(1);
    assertThat(cli.ok("queues")).contains("q ");
    // and: somebody says yes
    Ran purged = cli.run(new FakeTerminal().keyboard("Yes\n"), "queue", "purge", "q");
    assertThat(purged.out()).isEqualTo("queue q purged: 3 messages\n");
    // and: nobody is asked
    assertThat(cli.json("queue", "delete", "q", "--yes").get("name").asString()).isEqualTo("q");
    assertThat(cli.ok("queues")).isEqualTo("no queues\n");
    assertThat(cli.fails(1, "queue", "delete", "q", "-y")).contains("no queue q");
  }

  @Test
  void shouldPurgeAPartition() {
    cli.ok("push", "q", "1", "--partition", "eu");
    cli.ok("push", "q", "1", "--partition", "us");
    assertThat(cli.fails(2, "queue", "purge", "q", "--partition", "eu"))
        .contains("the partition eu");
    cli.ok("queue", "purge", "q", "--partition", "eu", "--yes");
    assertThat(cli.json("messages", "q").get("messages")).hasSize(1);
  }

  @Test
  void shouldListMoveAndForgetGroups() {
    // given
    cli.ok("push", "q", "1", "--count", "3");
    cli.ok("pop", "q", "--group", "billing", "--batch", "2", "--auto-ack");
    cli.ok("push", "p", "1");
    cli.ok("pop", "p", "--auto-ack");
    cli.advance(Duration.ofMinutes(2));
    // then
    assertThat(cli.ok("groups"))
        .containsPattern("p +__QUEUE_MODE__ +0 +- +0 +0 +0 +0 +0")
        .containsPattern("q +billing +1 +2m +1 +0 +0 +0 +0");
    assertThat(cli.json("groups", "q").get("groups").get(0).get("maxTimeLag").asLong())
        .isEqualTo(120);
    assertThat(cli.json("groups", "--group", "billing").get("groups")).hasSize(1);
    assertThat(cli.ok("groups", "--limit", "1")).contains("more: --after");
    assertThat(cli.ok("groups", "--group", "none")).isEqualTo("no consumer groups\n");
    assertThat(cli.fails(2, "seek", "q", "billing", "--to", "beginning"))
        .contains(
            "has 1 message to process; it is moved to the oldest retained message, and its 0 leases");
    assertThat(cli.ok("seek", "q", "billing", "--to", "beginning", "--yes"))
        .isEqualTo("moved billing on 1 partition of q; lag 3 messages\n");
    assertThat(cli.json("seek", "q", "billing", "--to", "end", "--yes").get("lag").asInt())
        .isZero();
    assertThat(cli.json("seek", "q", "billing", "--to", "-5m", "-y").get("lag").asInt())
        .isEqualTo(3);
    assertThat(cli.fails(2, "seek", "q", "billing", "--to", "there")).contains("--to: expected");
    assertThat(cli.fails(1, "seek", "q", "none", "--to", "end")).contains("has no group none");
    assertThat(cli.fails(2, "group", "delete", "q", "billing"))
        .contains("this deletes the group billing of the queue q, which has 3 messages");
    assertThat(cli.ok("group", "delete", "q", "billing", "--yes"))
        .isEqualTo("group billing of queue q deleted\n");
    assertThat(cli.fails(1, "group", "delete", "q", "billing", "--yes"))
        .contains("no group billing");
  }
}
