package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Command.Tick.SweepFrom;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.store.Tables;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Commands over very many things do a bounded part of it, and say where to go on. */
final class BulkStepsTest {
  private final ShardRun shard = new ShardRun();

  private void pushToPartitions(int count) {
    shard.pop(PopRequest.queue("q"));
    shard.push(
        IntStream.range(0, count)
            .mapToObj(i -> message("m").partition("p" + i))
            .toArray(NewMessage[]::new));
  }

  private Reply.PurgedPart purge(String partition, String from) {
    return (Reply.PurgedPart)
        shard.apply(
            new Command.PurgeQueue(
                "q", partition.isEmpty() ? null : partition, from.isEmpty() ? null : from));
  }

  @Test
  void shouldSeekOnABoundedNumberOfPartitions() {
    // given
    int count = ShardLimits.COMMAND_ROWS_MAX + 3;
    pushToPartitions(count);
    SeekRequest request =
        new SeekRequest("q", PopRequest.QUEUE_MODE, null, new SeekRequest.To.End());

    // when
    var first = (Reply.SoughtGroup) shard.apply(new Command.SeekGroup(request, null));
    long left = count - first.sought().partitions();
    var second = (Reply.SoughtGroup) shard.apply(new Command.SeekGroup(request, first.next()));

    // then
    assertThat(left).isPositive();
    assertThat(first.sought().lag()).isEqualTo(left);
    assertThat(second.sought().partitions()).isEqualTo(left);
    assertThat(second.sought().lag()).isZero();
    assertThat(second.next()).isNull();
  }

  @Test
  void shouldPurgeABoundedNumberOfPartitions() {
    // given
    int count = ShardLimits.COMMAND_ROWS_MAX;
    pushToPartitions(count);

    // when
    Reply.PurgedPart first = purge("", "");
    Reply.PurgedPart second = purge("", String.valueOf(first.next()));

    // then
    assertThat(first.count()).isBetween(1L, count - 1L);
    assertThat(second).isEqualTo(new Reply.PurgedPart(count - first.count(), null));
  }

  @Test
  void shouldPurgeABoundedNumberOfDelayedMessages() {
    // given
    shard.push(
        IntStream.range(0, ShardLimits.COMMAND_ROWS_MAX)
            .mapToObj(i -> message("m").partition("p").delayMs(60_000))
            .toArray(NewMessage[]::new));
    shard.push(message("m").partition("z").delayMs(60_000));

    // when
    Reply.PurgedPart first = purge("", "");
    Reply.PurgedPart second = purge("", "p");
    Reply.PurgedPart third = purge("", "z");

    // then
    assertThat(first.next()).isEqualTo("p");
    assertThat(first.count()).isBetween(1L, ShardLimits.COMMAND_ROWS_MAX - 1L);
    assertThat(first.count() + second.count()).isEqualTo(ShardLimits.COMMAND_ROWS_MAX);
    assertThat(third).isEqualTo(new Reply.PurgedPart(1, null));
    assertThat(shard.queue("q").delayed).isZero();
  }

  @Test
  void shouldForgetTheNameOfAPurgedDelayedMessageAfterItsDedupWindow() {
    // given
    shard.apply(
        new Command.ConfigureQueue(ConfigureRequest.queue("q").set(QueueOption.DEDUP_WINDOW, 100)));
    shard.push(message("a"), message("b").delayMs(1_000_000).transactionId("n"));
    byte[] name =
        Tables.name(
            shard.queue("q").number,
            shard.queue("q").partitions.firstEntry().getValue().number,
            Tables.utf8("n"));

    // when
    purge("", "");

    // then
    shard.reopen();
    var again = (Reply.PushedMessages) shard.push(message("b").transactionId("n"));
    assertThat(again.duplicates()).hasSize(1);
    shard.push(message("c"));
    shard.pass(100_000);
    assertThat(shard.row(name)).isEmpty();
  }

  @Test
  void shouldDeleteAGroupOnlyWhenItsDeadLettersAreGone() {
    // given more dead letters than one command looks at
    int count = ShardLimits.COMMAND_ROWS_MAX / 2;
    shard.push(IntStream.range(0, count).mapToObj(i -> message("m")).toArray(NewMessage[]::new));
    Reply.PoppedMessages popped = shard.pop(PopRequest.queue("q").group("g").batch(count));
    shard.settle(
        new Settle(
            new Settle.Target.WholeLease(LeaseId.text(popped.lease())),
            Settle.Outcome.KILL,
            "no",
            Settle.QUEUE_DELAY,
            false));

    // when
    var first = (Reply.ChangedPart) shard.apply(new Command.DeleteGroup("q", "g", 0));

    // then
    assertThat(first.next()).isPositive();
    assertThat(shard.queue("q").groups)
        .allSatisfy(group -> assertThat(group.dead).isBetween(1L, count - 1L));

    // when
    var second = (Reply.ChangedPart) shard.apply(new Command.DeleteGroup("q", "g", first.next()));

    // then
    assertThat(second.next()).isNegative();
    assertThat(shard.queue("q").groups).isEmpty();
    assertThat(shard.queue("q").partitions.firstEntry().getValue().kept).isZero();
  }

  @Test
  void shouldTellABoundedNumberOfTasksOfADeletedGroupAndGoOnAfterARestart() {
    // given more tasks than one command tells, done by one of two groups
    int count = ShardLimits.COMMAND_ROWS_MAX;
    shard.apply(
        new Command.ConfigureQueue(ConfigureRequest.queue("q").set(QueueOption.TRACK, true)));
    shard.pop(PopRequest.queue("q").group("a"));
    shard.pop(PopRequest.queue("q").group("b"));
    shard.push(IntStream.range(0, count).mapToObj(i -> message("m")).toArray(NewMessage[]::new));
    shard.pop(PopRequest.queue("q").group("a").batch(count).autoAck(true));

    // when
    shard.nowMs += 5;
    long deletedMs = shard.nowMs;
    shard.apply(new Command.DeleteGroup("q", "b", 0));

    // then
    assertThat(stored(1).endedMs).isEqualTo(deletedMs);
    assertThat(stored(count).isOver()).isFalse();
    assertThat(TaskRow.read(taskRow(count), shard.queue("q")).isOver()).isTrue();

    // when
    shard.reopen();
    shard.nowMs += 1;
    drain();

    // then
    assertThat(stored(count).isOver()).isTrue();
    assertThat(stored(count).endedMs).isEqualTo(deletedMs + 1);
    for (int i = 0; i < 3; i++) {
      shard.nowMs += 4_000_000;
      drain();
    }
    assertThat(shard.queue("q").partitions).isEmpty();
  }

  private void drain() {
    while (shard.apply(new Command.Tick(SweepFrom.START)) instanceof Reply.Ticked ticked
        && ticked.again()) {
      // The same again until nothing is left.
    }
  }

  private byte[] taskRow(long seq) {
    Queue queue = shard.queue("q");
    return shard.row(
        Tables.task(queue.number, queue.partitions.firstEntry().getValue().number, seq));
  }

  private TaskRow stored(long seq) {
    return TaskRow.read(taskRow(seq));
  }
}
