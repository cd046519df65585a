package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static io.holdfast.engine.logic.ShardRun.payloads;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.Settle;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.WorkerNumber;
import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How sticky pops choose partitions, and what of it is stored. */
class StickyPopTest {
  private static final long STICKY_MS = 100;

  private final ShardRun shard = new ShardRun();

  private static PopRequest by(String worker) {
    return PopRequest.queue("q").worker(worker).stickyMs(STICKY_MS);
  }

  private void ack(Reply.PoppedMessages popped) {
    shard.settle(Settle.ackAll(LeaseId.text(popped.lease())));
  }

  private void serve(String worker, String partition) {
    shard.push(message("served").partition(partition));
    ack(shard.pop(by(worker)));
  }

  private int cursorBytes() {
    Partition partition = shard.queue("q").partitions.firstEntry().getValue();
    int group = shard.queue("q").groups.getFirst().number;
    return shard.row(Tables.cursor(partition.queue.number, group, partition.number, 0)).length;
  }

  @Test
  void shouldStoreNothingForQueuesWithoutStickyPops() {
    // given
    shard.push(message("a"));
    ack(shard.pop(PopRequest.queue("q").worker("w")));
    int plain = cursorBytes();
    // when
    shard.push(message("b"));
    ack(shard.pop(by("w")));
    // then
    assertThat(cursorBytes()).isGreaterThan(plain);
    // when
    shard.push(message("c"));
    ack(shard.pop(PopRequest.queue("q").worker("w")));
    // then
    assertThat(cursorBytes()).isEqualTo(plain);
  }

  @Test
  void shouldWakeTheWorkerThatHadThePartitionLast() {
    // given
    serve("a", "p");
    // when
    shard.push(message("next").partition("p"));
    // then
    int worker = WorkerNumber.of(by("a"));
    assertThat(shard.effects)
        .filteredOn(Effect.WakePops.class::isInstance)
        .singleElement()
        .extracting(wake -> ((Effect.WakePops) wake).preferred())
        .isEqualTo(List.of(new Effect.Preferred(PopRequest.QUEUE_MODE, worker)));
  }

  @Test
  void shouldReserveWhatCameDuringALease() {
    // given a message that comes while the worker has the partition
    serve("a", "p");
    shard.push(message("one").partition("p"));
    Reply.PoppedMessages held = shard.pop(by("a"));
    shard.nowMs += 10 * STICKY_MS;
    shard.push(message("two").partition("p"));
    // when
    ack(held);
    // then
    assertThat(shard.pop(by("b")).reason()).isEqualTo(Reason.RESERVED);
    assertThat(payloads(shard.pop(by("a")))).containsExactly("two");
  }

  @Test
  void shouldTakeOwnPartitionsBeforeThoseThatOthersDidNotComeFor() {
    // given partitions of two workers that all waited longer than they are left to their workers
    for (int i = 0; i < 16; i++) {
      serve(i % 2 == 0 ? "a" : "b", "p" + i);
    }
    for (int i = 0; i < 16; i++) {
      shard.push(message(i % 2 == 0 ? "of a" : "of b").partition("p" + i));
    }
    shard.nowMs += STICKY_MS;
    // when
    List<String> taken = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      taken.addAll(payloads(shard.pop(by("b"))));
    }
    // then one of eight pops is for the partition that has waited longest
    assertThat(taken).hasSize(8).containsOnlyOnce("of a");
    assertThat(payloads(shard.pop(by("b").batch(100).partitions(100)))).hasSize(8);
  }

  @Test
  void shouldAnswerTheSameAfterReopening() {
    // given
    serve("a", "p");
    shard.push(message("next").partition("p"));
    Reply.PoppedMessages before = shard.pop(by("b"));
    // when
    shard.reopen();
    // then
    assertThat(shard.pop(by("b"))).isEqualTo(before);
    shard.nowMs = before.retryAtMs();
    assertThat(payloads(shard.pop(by("b")))).containsExactly("next");
  }
}
