package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Position;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.store.MemoryStore;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Retries are spread, and say nothing of the random bits that ids of leases are made of. */
class JitterTest {
  private static final Rules RULES =
      new Rules(
          QueueOptions.of(
              Map.of(QueueOption.RETRY_JITTER, true, QueueOption.RETRY_DELAY, 10_000L)));

  @Test
  void shouldSpreadRetriesOverHalfToAllOfTheirDelay() {
    Set<Long> delays = new HashSet<>();
    for (long index = 1; index <= 100; index++) {
      for (long seq = 1; seq <= 100; seq++) {
        long delay = RULES.backoffMs(1, index, seq);
        assertThat(delay).isBetween(5_000L, 10_000L);
        delays.add(delay);
      }
    }
    // Of 5,001 delays 10,000 draws hit about 86 %.
    assertThat(delays).hasSizeGreaterThan(4_000);
  }

  @Test
  void shouldNotShowTheRandomBitsOfAStamp() {
    assertThat(retryAtMs(0x0123456789abcdefL)).isEqualTo(retryAtMs(0xfedcba9876543210L));
  }

  /** When a message is retried that is nacked with these random bits. */
  private static long retryAtMs(long random) {
    Replay shard = new Replay(new MemoryStore(), ShardRun.LIMITS, 0);
    apply(
        shard,
        new Stamp(1, 1, 1),
        new Command.ConfigureQueue(
            new ConfigureRequest("q", Map.of(QueueOption.RETRY_JITTER, true), false)));
    apply(
        shard,
        new Stamp(2, 1, 1),
        new Command.PushMessages(Packed.of(List.of(NewMessage.to("q", new byte[1]))), 1, null));
    Reply.PoppedMessages popped =
        (Reply.PoppedMessages)
            apply(
                shard, new Stamp(3, 1, 77L << 50), new Command.PopMessages(PopRequest.queue("q")));
    Handle handle = new Handle(LeaseId.text(popped.lease()), new Position(1, 0, 1));
    Reply.SettledMessages settled =
        (Reply.SettledMessages)
            apply(
                shard,
                new Stamp(4, 1, random),
                new Command.SettleMessages(SettleRequest.of(List.of(Settle.nack(handle, "e")))));
    return settled.verdicts().getFirst().visibleAtMs();
  }

  private static Reply apply(Replay shard, Stamp stamp, Command command) {
    return shard.apply(LoggedCommand.bytes(stamp, command));
  }
}
