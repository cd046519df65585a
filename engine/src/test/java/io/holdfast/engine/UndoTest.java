package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.Orderer.OrderedTasks;
import io.holdfast.engine.command.Entry;
import io.holdfast.engine.command.EntryCodec;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.logic.AppliedRow;
import io.holdfast.engine.logic.LoggedCommand;
import io.holdfast.engine.logic.RandomLog;
import io.holdfast.engine.logic.Replies;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Tables;
import io.holdfast.testkit.TestScale;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Commands that fail in the middle: state and rows are as if they had never come, on a running and
 * on a reopened shard.
 */
@Tag("slow")
class UndoTest {
  private static final int COMMANDS = 200;
  private static final int SEEDS =
      Integer.getInteger("holdfast.seeds", TestScale.rounds(100, 10_000));

  /** A command, and where its answer is. */
  private record Applied(byte[] logged, Task.Apply task) {}

  /** A shard without threads, whose rules fail when the test says so. */
  private static final class Run {
    private final MemoryStore rows;
    private final TroubledStore store;
    private final Applier applier;
    private @Nullable Batch open;

    Run(MemoryStore rows) {
      this.rows = rows;
      this.store = new TroubledStore(rows);
      this.applier =
          new Applier(
              store, 1 << 20, Durability.FSYNC, effects -> {}, () -> {}, FormatLevels.KNOWN, true);
    }

    /** Applies a command, which fails at a call of the store; never, if that is negative. */
    Task.Apply apply(byte[] logged, int failAt) {
      // Decoded anew, because pushes give their bytes away.
      Entry entry = EntryCodec.read(logged);
      Entry.Ordered ordered = entry.commands().getFirst();
      Task.Apply task = Task.Apply.of(ordered.command());
      Batch batch = open == null ? applier.begin() : open;
      open = batch;
      store.failAfterCalls(failAt);
      applier.apply(new OrderedTasks(entry, List.of(task)), batch, ordered.nowMs());
      store.failAfterCalls(-1);
      return task;
    }

    void flush() {
      Batch batch = open;
      if (batch != null) {
        applier.finish(batch);
        store.write(batch.tx, batch.sync);
        batch.release();
        open = null;
      }
    }

    Run reopen() {
      flush();
      return new Run(rows.reopen());
    }

    /** All rows, but without the position in the log, which also counts entries that failed. */
    Map<String, String> all() {
      Map<String, String> all = new TreeMap<>();
      HexFormat hex = HexFormat.of();
      try (Snapshot view = rows.snapshot();
          Rows found = view.scan(Tables.start((byte) 1), Tables.start(Tables.END))) {
        while (found.next()) {
          all.put(hex.formatHex(found.key()), hex.formatHex(found.value()));
        }
        AppliedRow applied = AppliedRow.of(view);
        all.put(hex.formatHex(AppliedRow.KEY), applied.index() + " at " + applied.lastMs());
      }
      return all;
    }
  }

  @Test
  void shouldLeaveStateAndRowsAsIfTheCommandHadNeverCome() {
    int undone = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      undone += check(seed);
    }
    assertThat(undone).isGreaterThan(SEEDS);
  }

  /** Answers how many commands failed. */
  private static int check(long seed) {
    // given: a log in which some commands fail, in batches, now and then reopened
    Random random = new Random(seed);
    RandomLog source = new RandomLog(seed, seed % 4 == 3);
    Run run = new Run(new MemoryStore());
    List<byte[]> kept = new ArrayList<>();
    List<String> replies = new ArrayList<>();
    int undone = 0;
    for (int step = 0; step < COMMANDS; ) {
      List<Applied> batch = new ArrayList<>();
      for (int size = random.nextInt(1, 7); size > 0; size--, step++) {
        byte[] logged = LoggedCommand.bytes(source.stamp(), source.next());
        int failAt = random.nextInt(4) == 0 ? random.nextInt(40) : -1;
        batch.add(new Applied(logged, run.apply(logged, failAt)));
      }
      run.flush();
      for (Applied each : batch) {
        Reply reply = each.task.answer().await();
        source.learn(reply);
        if (isInternal(reply)) {
          undone++;
        } else {
          kept.add(each.logged);
          replies.add(Replies.text(reply));
        }
      }
      if (random.nextInt(10) == 0) {
        run = run.reopen();
      }
    }
    // when: the same without those commands
    Run clean = new Run(new MemoryStore());
    for (int i = 0; i < kept.size(); i++) {
      // then
      assertThat(Replies.text(applied(clean, kept.get(i))))
          .as("seed %s, reply %s", seed, i)
          .isEqualTo(replies.get(i));
    }
    assertThat(run.all()).as("seed %s", seed).isEqualTo(clean.all());
    return undone;
  }

  private static Reply applied(Run run, byte[] logged) {
    Task.Apply task = run.apply(logged, -1);
    run.flush();
    return task.answer().await();
  }

  private static boolean isInternal(Reply reply) {
    return reply instanceof Reply.Refused refused && refused.refusal().code() == ErrorCode.INTERNAL;
  }
}
