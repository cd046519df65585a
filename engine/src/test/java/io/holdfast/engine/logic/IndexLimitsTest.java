package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Reply;
import org.junit.jupiter.api.Test;

/** What memory holds of partitions, groups and leases has an end, and is counted rightly. */
class IndexLimitsTest {
  private static final int GROUPS = ShardRun.LIMITS.groupsMax();
  private static final int PARTITIONS = (int) ShardRun.LIMITS.partitionsMax() / GROUPS;

  private final ShardRun shard = new ShardRun();

  private static NewMessage to(int partition) {
    return message("x").partition("p" + partition);
  }

  private void push(int partitions) {
    NewMessage[] messages = new NewMessage[partitions];
    for (int i = 0; i < partitions; i++) {
      messages[i] = to(i);
    }
    shard.push(messages);
  }

  private Reply popAs(String group) {
    return shard.apply(new Command.PopMessages(PopRequest.queue("q").group(group)));
  }

  private static void assertRefused(Reply reply) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> {
              assertThat(refused.refusal().code()).isEqualTo(ErrorCode.LIMIT);
              assertThat(refused.refusal().detail()).contains("10000 partitions");
            });
  }

  private void assertCounted(long subscriptions) {
    assertThat(shard.state().subscriptionCount).isEqualTo(subscriptions);
    shard.reopen();
    assertThat(shard.state().subscriptionCount).as("reopened").isEqualTo(subscriptions);
  }

  @Test
  void shouldCountAPartitionForEveryGroupThatReadsIt() {
    // given
    push(PARTITIONS);
    for (int i = 0; i < GROUPS; i++) {
      assertThat(popAs("g" + i)).isInstanceOf(Reply.PoppedMessages.class);
    }
    assertCounted(ShardRun.LIMITS.partitionsMax());
    // then
    assertRefused(shard.push(to(PARTITIONS)));
    assertThat(shard.push(to(0))).isInstanceOf(Reply.PushedMessages.class);
    // when
    shard.apply(new Command.DeleteGroup("q", "g3", 0));
    // then
    assertCounted((long) PARTITIONS * (GROUPS - 1));
    assertThat(shard.push(to(PARTITIONS))).isInstanceOf(Reply.PushedMessages.class);
    assertRefused(popAs("another"));
    // when
    shard.apply(new Command.DeleteQueue("q"));
    // then
    assertCounted(0);
  }

  @Test
  void shouldForgetThePartitionsThatAreDropped() {
    // given
    shard.apply(
        new Command.ConfigureQueue(
            ConfigureRequest.queue("q")
                .set(QueueOption.COMPLETED_RETENTION, 0L)
                .set(QueueOption.DEDUP_WINDOW, 0L)));
    push(3);
    // when
    shard.pop(PopRequest.queue("q").batch(10).partitions(10).autoAck(true));
    assertCounted(3);
    for (int i = 0; i < 5; i++) {
      shard.pass(3_600_000);
    }
    // then
    assertThat(shard.state().partitionCount).isZero();
    assertCounted(0);
  }

  @Test
  void shouldGrantNoMoreLeasesThanMemoryHolds() {
    // given
    shard.apply(
        new Command.ConfigureQueue(
            ConfigureRequest.queue("q").set(QueueOption.DELIVERY, "shared")));
    int most = (int) ShardRun.LIMITS.leasesMax();
    for (int i = 0; i < most + 5; i++) {
      shard.push(message("x"));
    }
    PopRequest pop = PopRequest.queue("q").leaseMs(1_000);
    Reply.PoppedMessages last = shard.pop(pop);
    for (int i = 1; i < most; i++) {
      last = shard.pop(pop);
      assertThat(last.messages()).hasSize(1);
    }
    // when
    Reply.PoppedMessages none = shard.pop(pop);
    // then
    assertThat(none.messages()).isEmpty();
    assertThat(none.reason()).isEqualTo(Popped.Reason.IN_FLIGHT_LIMIT);
    assertThat(none.retryAtMs()).isEqualTo(last.leaseUntilMs());
    assertThat(shard.pop(pop.autoAck(true)).messages()).as("needs no lease").hasSize(1);
  }
}
