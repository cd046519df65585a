package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import org.junit.jupiter.api.Test;

/** A group that has taken nothing from a partition has no cursors there, and still counts right. */
final class UnmovedSubscriptionTest {
  private final ShardRun shard = new ShardRun();

  /** A group that took the one message of partition a, and nothing of the three of b. */
  private void given() {
    shard.push(message("a1").partition("a"));
    shard.push(message("b1").partition("b").transactionId("b1"));
    shard.push(message("b2").partition("b").transactionId("b2"));
    shard.push(message("b3").partition("b").transactionId("b3"));
    assertThat(ShardRun.payloads(shard.pop(PopRequest.queue("q").group("g")))).hasSize(1);
    assertThat(b().firstCursor).isNull();
  }

  private Subscription b() {
    return shard.queue("q").partitions.lastEntry().getValue().subscriptions.getFirst();
  }

  /** What the index counts, before and after it is read from the rows again. */
  private void assertWaiting(long count) {
    for (int round = 0; round < 2; round++) {
      assertThat(b().waiting()).isEqualTo(count);
      assertThat(b().group.waiting).isEqualTo(count);
      shard.reopen();
    }
  }

  private void assertPops(String... payloads) {
    assertThat(ShardRun.payloads(shard.pop(PopRequest.queue("q").group("g").batch(10))))
        .containsExactly(payloads);
  }

  @Test
  void shouldNeedNoCursorToCount() {
    given();

    assertWaiting(3);
    assertThat(b().firstCursor).isNull();
    assertPops("b1", "b2", "b3");
  }

  @Test
  void shouldStepOverACancelledMessage() {
    given();

    shard.apply(new Command.CancelMessage(MessageRef.named("q", "b", "b2")));

    assertWaiting(2);
    assertPops("b1", "b3");
  }

  @Test
  void shouldNotCountWhatIsTrimmedForItsAge() {
    given();
    shard.apply(
        new Command.ConfigureQueue(ConfigureRequest.queue("q").set(QueueOption.RETENTION, 100L)));
    shard.pass(90_000);
    shard.push(message("b4").partition("b"));
    shard.pass(11_000);

    shard.sweep();

    assertThat(b().partition.lanes.getFirst().stored()).isEqualTo(1);
    assertWaiting(1);
    assertPops("b4");
  }

  @Test
  void shouldBeginAtTheOldestMessageOfALaneThatComesLater() {
    given();

    shard.push(message("low").partition("b").lane(1));

    assertWaiting(4);
    assertThat(b().firstCursor).isNull();
    assertPops("b1", "b2", "b3", "low");
  }
}
