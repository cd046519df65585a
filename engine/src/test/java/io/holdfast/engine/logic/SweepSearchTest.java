package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.store.Tables;
import org.junit.jupiter.api.Test;

/** Which partitions sweeps come to. */
class SweepSearchTest {
  private final ShardRun shard = new ShardRun();

  private static NewMessage message(String partition) {
    return NewMessage.to("q", new byte[] {1}).partition(partition);
  }

  private void ackOne(String partition) {
    shard.pop(PopRequest.partition("q", partition).autoAck(true));
  }

  @Test
  void shouldComeToPartitionsBehindOneThatASweepCannotChange() {
    // given a chunk of which a part is acked, then many partitions without anything to do
    shard.apply(
        new Command.ConfigureQueue(
            ConfigureRequest.queue("q").set(QueueOption.COMPLETED_RETENTION, 0)));
    shard.push(message("a"), message("a"));
    ackOne("a");
    NewMessage[] waiting = new NewMessage[LogicLimits.SWEEP_PARTITIONS_MAX];
    for (int i = 0; i < waiting.length; i++) {
      waiting[i] = message("b" + i);
    }
    shard.push(waiting);

    // when the message of the last partition is acked
    shard.push(message("c"));
    ackOne("c");
    int before = shard.rows(Tables.MESSAGES);
    for (int ticks = 0; ticks < 5; ticks++) {
      shard.tick();
    }

    // then it is trimmed
    assertThat(shard.rows(Tables.MESSAGES)).isEqualTo(before - 1);
  }
}
