package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.query.Explain;
import io.holdfast.engine.query.ShardView;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.verify.Invariants;
import io.holdfast.testkit.TestScale;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random logs whose clock is wrong by years for a while, and is then repaired. */
@Tag("slow")
class ClockShiftTest {
  private static final long YEARS_MS = 5L * 365 * 24 * 3_600_000;
  private static final ShardLimits LIMITS = ShardLimits.of(100, 1_000, 10, 1 << 30);

  @Test
  void shouldKeepTheOrderOfTimesAndWhatIsLeft() {
    ClockShift shift = new ClockShift(1_000, 400);
    long[] before = {0, 1, 399, 400, 401, 999, 1_000, 1_001, 5_000};
    long[] after = {0, 1, 399, 400, 400, 400, 400, 401, 4_400};

    for (int i = 0; i < before.length; i++) {
      assertThat(shift.time(before[i])).isEqualTo(after[i]);
    }
  }

  private static void apply(RandomLog source, Replay shard, int commands, Random random) {
    for (int step = 0; step < commands; step++) {
      Reply reply = shard.apply(LoggedCommand.bytes(source.stamp(), source.next()));
      if (random.nextInt(4) == 0) {
        shard.flush();
      }
      source.learn(reply);
    }
    shard.flush();
  }

  private static void assertSound(Replay shard, String when) {
    try (Snapshot rows = shard.snapshot()) {
      assertThat(Invariants.check(rows).violations()).as(when).isEmpty();
    }
  }

  /** What is due of delayed messages: their times, by key. */
  private static Map<String, Delayed> delayed(Replay shard) {
    Map<String, Delayed> all = new TreeMap<>();
    try (Snapshot view = shard.snapshot();
        Rows rows = view.scan(Tables.start(Tables.DELAYED), Tables.end(Tables.DELAYED))) {
      while (rows.next()) {
        all.put(HexFormat.of().formatHex(rows.key()), Delayed.read(rows.value()));
      }
    }
    return all;
  }

  private static List<UUID> found(RandomLog source, Replay shard) {
    try (Snapshot rows = shard.snapshot()) {
      ShardView view = new ShardView(shard.state(), rows, source.nowMs());
      return source.ids().stream()
          .filter(id -> Explain.message(view, MessageRef.id(id)) != null)
          .toList();
    }
  }

  private static void tryOut(long seed) {
    // given a log whose clock is right, then wrong by years, then right again
    Random random = new Random(seed);
    RandomLog source = new RandomLog(seed);
    Replay shard = new Replay(new MemoryStore(), LIMITS, 1 << 20);
    apply(source, shard, 100, random);
    source.jump(YEARS_MS);
    apply(source, shard, 100, random);
    long lastMs = shard.state().lastMs();
    long wallMs = lastMs - YEARS_MS + random.nextInt(100_000);
    Map<String, Delayed> before = delayed(shard);
    List<UUID> ids = found(source, shard);
    assertSound(shard, "before");

    // when
    shard.repairClock(wallMs);
    source.jump(wallMs - source.nowMs());

    // then ids stay, and nothing is due earlier than it was
    assertSound(shard, "after the repair");
    assertThat(shard.state().lastMs()).isEqualTo(wallMs);
    assertThat(found(source, shard)).isEqualTo(ids);
    delayed(shard)
        .forEach(
            (key, now) -> {
              Delayed then = Objects.requireNonNull(before.get(key));
              assertThat(now.createdMs()).isEqualTo(then.createdMs());
              long leftMs = now.visibleAtMs() - wallMs;
              assertThat(leftMs).isGreaterThanOrEqualTo(Math.min(0, then.visibleAtMs() - lastMs));
              if (then.atTime()) {
                assertThat(now.visibleAtMs()).isEqualTo(then.visibleAtMs());
              } else if (then.visibleAtMs() > lastMs) {
                assertThat(leftMs).isEqualTo(then.visibleAtMs() - lastMs);
              }
            });

    // and the shard goes on as any other
    apply(source, shard, 100, random);
    assertSound(shard, "later");
    shard.reopen();
    apply(source, shard, 50, random);
    assertSound(shard, "after a restart");
  }

  @Test
  void shouldNotLeaveAPartitionToAWorkerForLonger() {
    // given a partition that got a message while the clock was wrong
    Replay shard = new Replay(new MemoryStore(), LIMITS, 0);
    List<NewMessage> messages = List.of(NewMessage.to("q", new byte[1]));
    PopRequest pop = PopRequest.queue("q").worker("a").stickyMs(100);
    long wallMs = 1_000_000_000;
    long wrongMs = wallMs + YEARS_MS;
    apply(shard, 1, wrongMs, new Command.PushMessages(Packed.of(messages), 1, null));
    apply(shard, 2, wrongMs, new Command.PopMessages(pop.autoAck(true)));
    apply(shard, 3, wrongMs, new Command.PushMessages(Packed.of(messages), 1, null));

    // when
    shard.repairClock(wallMs);

    // then
    Command other = new Command.PopMessages(pop.worker("b"));
    Reply.PoppedMessages none = (Reply.PoppedMessages) apply(shard, 4, wallMs, other);
    assertThat(none.reason()).isEqualTo(Popped.Reason.RESERVED);
    assertThat(none.retryAtMs()).isEqualTo(wallMs + 100);
  }

  private static Reply apply(Replay shard, long index, long nowMs, Command command) {
    return shard.apply(LoggedCommand.bytes(new Stamp(index, nowMs, index), command));
  }

  @Test
  void shouldLeaveASoundStoreThatGoesOn() {
    for (long seed = 1; seed <= TestScale.rounds(40, 1_000); seed++) {
      try {
        tryOut(seed);
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError("with seed " + seed + ": " + failure, failure);
      }
    }
  }
}
