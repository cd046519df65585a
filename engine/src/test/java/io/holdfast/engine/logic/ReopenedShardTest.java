package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static io.holdfast.engine.logic.ShardRun.payloads;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.Position;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A shard that continued answers as one that was opened again: what it keeps in memory beyond the
 * tables only saves looking again.
 */
class ReopenedShardTest {
  private static void configure(ShardRun shard, QueueOption option, Object value) {
    shard.apply(new Command.ConfigureQueue(ConfigureRequest.queue("q").set(option, value)));
  }

  private static Handle first(Reply.PoppedMessages popped) {
    Reply.Taken taken = popped.messages().getFirst();
    return new Handle(
        LeaseId.text(popped.lease()), new Position(taken.partitionId(), taken.lane(), taken.seq()));
  }

  private static Settle release(Reply.PoppedMessages popped, long delayMs) {
    return new Settle(
        new Settle.Target.Held(first(popped)), Settle.Outcome.RELEASE, null, delayMs, false);
  }

  @Test
  void shouldDeliverBehindAMessageThatGetsTooOldWhileItWaits() {
    // given a message that waits longer than it may get old, and one behind it
    ShardRun shard = new ShardRun();
    configure(shard, QueueOption.TTL, 20);
    shard.push(message("old"));
    shard.nowMs += 10_000;
    shard.push(message("next"));
    shard.settle(release(shard.pop(PopRequest.queue("q")), 60_000));

    // when a pop finds that nothing can be taken
    Reply.PoppedMessages none = shard.pop(PopRequest.queue("q"));

    // then it says when that changes, and at that time the next message is delivered
    assertThat(none.reason()).isEqualTo(Reason.BACKOFF);
    assertThat(none.retryAtMs()).isEqualTo(shard.nowMs + 10_000);
    shard.nowMs = none.retryAtMs();
    assertThat(payloads(shard.pop(PopRequest.queue("q")))).containsExactly("next");
  }

  @Test
  void shouldLookAgainAtAPartitionOfWhichAPopHasSeenAPart() {
    // given a message that waits for its retry, behind it some too old and one that is not
    ShardRun shard = new ShardRun(ShardRun.LIMITS.commandRowsMax(2));
    configure(shard, QueueOption.DELIVERY, "shared");
    configure(shard, QueueOption.MAX_WAIT_TIME, 15);
    shard.push(message("back"));
    shard.settle(release(shard.pop(PopRequest.queue("q")), 60_000));
    for (int i = 0; i < 10; i++) {
      shard.push(message("old"));
    }
    shard.nowMs += 14_000;
    shard.push(message("new"));
    shard.nowMs += 5_000;

    // when pops step over what is too old, a few at a time
    Reply.PoppedMessages popped = shard.pop(PopRequest.queue("q"));
    assertThat(popped.more()).isTrue();
    for (int i = 0; i < 20 && popped.messages().isEmpty() && popped.more(); i++) {
      popped = shard.pop(PopRequest.queue("q"));
    }

    // then they come to the other
    assertThat(payloads(popped)).containsExactly("new");
  }

  @Test
  void shouldRememberALeaseThatEndedTogetherWithAShorterOne() {
    for (boolean reopened : List.of(false, true)) {
      // given a short and a long lease that end with one request, in either order
      for (boolean shortFirst : List.of(false, true)) {
        ShardRun shard = new ShardRun();
        shard.push(message("a").partition("a"), message("b").partition("b"));
        Settle one = Settle.ack(first(shard.pop(PopRequest.queue("q").leaseMs(1_000))));
        Settle other = Settle.ack(first(shard.pop(PopRequest.queue("q").leaseMs(3_600_000))));
        shard.settle(shortFirst ? one : other, shortFirst ? other : one);
        if (reopened) {
          shard.reopen();
        }

        // when the short one is no longer remembered
        shard.pass(LogicLimits.ENDED_MS_MIN + 1_000);

        // then the long one is
        assertThat(shard.settle(one, other).verdicts())
            .extracting(SettleVerdict::status)
            .containsExactly(
                SettleVerdict.Status.STALE_LEASE, SettleVerdict.Status.ALREADY_SETTLED);
      }
    }
  }

  @Test
  void shouldSayUntilWhenSeveralLeasesLockAPartition() {
    // given leases of one partition, granted while several could be
    ShardRun shard = new ShardRun();
    configure(shard, QueueOption.DELIVERY, "shared");
    for (long seconds : List.of(40, 60, 10, 50, 30, 20)) {
      shard.push(message("m").partition("a"));
      shard.pop(PopRequest.queue("q").leaseMs(seconds * 1_000));
    }

    // when only one may be from now on
    configure(shard, QueueOption.DELIVERY, "ordered");

    // then it is locked until the last of them ends
    PopRequest one = PopRequest.partition("q", "a");
    assertThat(shard.pop(one).reason()).isEqualTo(Reason.LOCKED);
    assertThat(shard.pop(one).retryAtMs()).isEqualTo(shard.nowMs + 60_000);
    shard.reopen();
    assertThat(shard.pop(one).retryAtMs()).isEqualTo(shard.nowMs + 60_000);
  }
}
