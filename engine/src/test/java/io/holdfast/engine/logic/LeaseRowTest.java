package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.store.Tables;
import org.junit.jupiter.api.Test;

final class LeaseRowTest {
  private final ShardRun shard = new ShardRun();

  @Test
  void shouldTellWhatALeaseHoldsByNumber() {
    // given
    shard.push(message("a").partition("a"), message("b").partition("b"));

    // when
    Reply.PoppedMessages popped =
        shard.pop(PopRequest.queue("q").batch(2).partitions(2).leaseMs(5_000).worker("w"));
    LeaseRow row = LeaseRow.read(shard.row(Tables.lease(popped.lease())));

    // then
    Queue queue = shard.queue("q");
    assertThat(row.queue()).isEqualTo(queue.number);
    assertThat(row.group()).isEqualTo(queue.groups.getFirst().number);
    assertThat(row.worker()).isEqualTo("w");
    assertThat(row.leasedMs()).isEqualTo(shard.nowMs);
    assertThat(row.lengthMs()).isEqualTo(5_000);
    assertThat(row.untilMs()).isEqualTo(popped.leaseUntilMs());
    assertThat(row.alone()).isFalse();
    assertThat(row.told()).isZero();
    assertThat(row.parts())
        .extracting(LeaseRow.Part::partition)
        .containsExactlyElementsOf(
            popped.messages().stream().map(Reply.Taken::partitionId).toList());
    assertThat(row.parts()).extracting(part -> part.items().open()).containsExactly(1, 1);
  }
}
