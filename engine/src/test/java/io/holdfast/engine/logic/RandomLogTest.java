package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.Popped;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.verify.Invariants;
import io.holdfast.testkit.TestScale;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What holds of every log of commands, tried on random ones.
 *
 * <p>A failure names its seed; {@code -Dholdfast.seed=n} runs that one alone, {@code
 * -Dholdfast.seeds=n} so many of them, and {@code -Dholdfast.seedFrom=n} begins with that one;
 * {@code -Dholdfast.commands=n} makes logs of so many commands.
 */
@Tag("slow")
class RandomLogTest {
  private static final int COMMANDS = Integer.getInteger("holdfast.commands", 300);
  private static final int SEEDS =
      Integer.getInteger("holdfast.seeds", TestScale.rounds(100, 2_000));
  private static final int SEEDS_ON_DISK = Math.max(1, SEEDS / 20);

  /** A check reads all rows; the seed decides which steps are checked. */
  private static final int CHECK_EVERY = Integer.getInteger("holdfast.checkEvery", 8);

  /** Few enough that sessions are dropped. */
  static final int SESSIONS_MAX = 3;

  @TempDir Path directory;

  /** Limits under which each command does all there is to do, as the model does. */
  private static ShardLimits limits(long seed) {
    return limits(seed, Integer.MAX_VALUE);
  }

  /** The same, but for some seeds a command does very little, and later ones have to continue. */
  private static ShardLimits smallSteps(long seed) {
    ShardLimits all =
        limits(seed, seed % 5 > 1 ? ShardLimits.COMMAND_ROWS_MAX : 1 + (int) (seed / 5 % 5));
    return seed % 3 == 1 ? all.remembered(200, SESSIONS_MAX, 120) : all;
  }

  private static ShardLimits limits(long seed, int commandRowsMax) {
    boolean crowded = seed % 3 == 0;
    ShardLimits all =
        ShardLimits.of(100, 1_000, 10, crowded ? 400 : 1 << 30)
            .commandRowsMax(commandRowsMax)
            .remembered(1 << 30, SESSIONS_MAX, 1 << 30);
    return seed % 5 < 3 ? all.slotEnd(RandomLog.PARTITIONS_MAX + 2) : all;
  }

  /** The size of the cache must not matter. */
  private static long cacheBytes(long seed) {
    return seed % 2 == 0 ? 1 << 20 : 0;
  }

  /** A log, and what each command of it was answered when each was a batch of its own. */
  private record Log(long seed, List<byte[]> commands, List<String> replies, Replay shard) {}

  private interface Watch {
    void after(int step, LoggedCommand entry, Reply reply, Replay shard);
  }

  /** A log in small steps; for some seeds queues change what kind they are. */
  private static Log log(long seed, Watch watch) {
    return log(new RandomLog(seed, seed % 4 == 3), seed, smallSteps(seed), watch);
  }

  private static Log log(RandomLog source, long seed, ShardLimits limits, Watch watch) {
    Replay shard = new Replay(new MemoryStore(), limits, cacheBytes(seed));
    List<byte[]> commands = new ArrayList<>();
    List<String> replies = new ArrayList<>();
    for (int step = 0; step < COMMANDS; step++) {
      Stamp stamp = source.stamp();
      byte[] logged = LoggedCommand.bytes(stamp, source.next());
      commands.add(logged);
      Reply reply = shard.apply(logged);
      shard.flush();
      source.learn(reply);
      replies.add(Replies.text(reply));
      watch.after(step, LoggedCommand.read(logged, stamp.index()), reply, shard);
    }
    return new Log(seed, commands, replies, shard);
  }

  private static void forEachSeed(int seeds, LongConsumer property) {
    Long only = Long.getLong("holdfast.seed");
    long from = only == null ? Long.getLong("holdfast.seedFrom", 1) : only;
    long to = only == null ? from + seeds - 1 : only;
    for (long seed = from; seed <= to; seed++) {
      try {
        property.accept(seed);
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError("with -Dholdfast.seed=" + seed + ": " + failure, failure);
      }
    }
  }

  @Test
  void shouldKeepTheInvariants() {
    forEachSeed(
        SEEDS,
        seed ->
            log(
                seed,
                (step, entry, reply, shard) -> {
                  if ((step + seed) % CHECK_EVERY != 0 && step != COMMANDS - 1) {
                    return;
                  }
                  try (Snapshot rows = shard.snapshot()) {
                    assertThat(Invariants.check(rows).violations())
                        .as("step %s, %s, answered %s", step, entry, reply)
                        .isEmpty();
                  }
                }));
  }

  /** Or the others would try nothing with partitions that use the slots of dropped ones. */
  @Test
  void shouldUseSlotsAgain() {
    int again = 0;
    for (long seed = 1; seed <= 25; seed++) {
      Log log = log(new RandomLog(seed), seed, limits(seed), (step, entry, reply, shard) -> {});
      again += log.shard.state().partitions.next > MessageId.SLOT_END ? 1 : 0;
    }
    assertThat(again).isGreaterThanOrEqualTo(8);
  }

  /** Or the others would try nothing with repeated requests and pops. */
  @Test
  void shouldRepeatRequestsAndPops() {
    int[] counts = new int[3];
    for (long seed = 1; seed <= 20; seed++) {
      Set<String> numbers = new HashSet<>();
      Set<String> granted = new HashSet<>();
      log(
          new RandomLog(seed),
          seed,
          limits(seed),
          (step, entry, reply, shard) -> {
            if (reply instanceof Reply.Refused refused) {
              counts[0] += refused.refusal().code() == ErrorCode.REQUEST_FORGOTTEN ? 1 : 0;
            } else if (entry.command() instanceof Command.PushMessages push
                && push.number() != null) {
              counts[1] += numbers.add(push.number().toString()) ? 0 : 1;
            } else if (entry.command() instanceof Command.PopMessages pop
                && pop.request().attemptId() != null
                && !((Reply.PoppedMessages) reply).messages().isEmpty()) {
              Reply.Taken first = ((Reply.PoppedMessages) reply).messages().getFirst();
              String taken =
                  pop.request().attemptId() + "/" + first.partitionId() + "/" + first.seq();
              counts[2] += granted.add(taken) ? 0 : 1;
            }
          });
    }
    assertThat(counts)
        .as("forgotten, repeated, popped again")
        .satisfies(all -> assertThat(Arrays.stream(all).min().orElseThrow()).isGreaterThan(20));
  }

  /** Or the others would try nothing with partitions that are left to other workers. */
  @Test
  void shouldLeavePartitionsToOtherWorkers() {
    int[] counts = new int[2];
    for (long seed = 1; seed <= 40; seed++) {
      Map<String, String> workers = new HashMap<>();
      log(
          new RandomLog(seed),
          seed,
          limits(seed),
          (step, entry, reply, shard) -> {
            if (entry.command() instanceof Command.PopMessages pop
                && reply instanceof Reply.PoppedMessages popped) {
              counts[0] += popped.reason() == Popped.Reason.RESERVED ? 1 : 0;
              for (Reply.Taken taken : popped.messages()) {
                String worker = pop.request().stickyMs() > 0 ? pop.request().worker() : null;
                String place = pop.request().group() + "/" + taken.partitionId();
                String before = workers.put(place, Objects.requireNonNullElse(worker, ""));
                counts[1] += worker != null && worker.equals(before) ? 1 : 0;
              }
            }
          });
    }
    assertThat(counts)
        .as("left to others, taken by the same worker again")
        .satisfies(all -> assertThat(Arrays.stream(all).min().orElseThrow()).isGreaterThan(20));
  }

  @Test
  void shouldAnswerAsTheModelDoes() {
    forEachSeed(
        SEEDS,
        seed -> {
          ModelJudge judge = new ModelJudge();
          log(
              new RandomLog(seed),
              seed,
              limits(seed),
              (step, entry, reply, shard) -> {
                try {
                  judge.judge(entry, reply, shard);
                } catch (RuntimeException | AssertionError unlike) {
                  String at = "step " + step + ", " + entry + ", answered " + Replies.text(reply);
                  throw new AssertionError(at + ": " + unlike.getMessage(), unlike);
                }
              });
        });
  }

  @Test
  void shouldReachTheSameRowsWhateverTheBatches() {
    forEachSeed(
        SEEDS,
        seed -> {
          // given
          Log log = log(seed, (step, entry, reply, shard) -> {});
          Random random = new Random(seed);
          Replay again = new Replay(new MemoryStore(), smallSteps(seed), cacheBytes(seed + 1));

          // when
          for (int step = 0; step < COMMANDS; step++) {
            String reply = Replies.text(again.apply(log.commands.get(step)));
            assertThat(reply).as("the reply at step %s", step).isEqualTo(log.replies.get(step));
            if (random.nextInt(10) == 0) {
              again.flush();
            }
          }
          again.flush();

          // then
          assertThat(again.differences(log.shard)).isEmpty();
        });
  }

  /** All rows but the one that says how far the log is applied. */
  private static Map<String, String> rowsOf(Replay shard) {
    Map<String, String> rows = shard.rows();
    rows.keySet().removeIf(key -> key.endsWith(HexFormat.of().formatHex(AppliedRow.KEY, 1, 8)));
    return rows;
  }

  @Test
  void shouldAnswerWithoutAnEntryOnlyWhereOneWouldChangeNothing() {
    int[] answered = new int[2];
    forEachSeed(
        SEEDS,
        seed -> {
          RandomLog source = new RandomLog(seed, seed % 4 == 3, seed % 3 == 2);
          Replay shard = new Replay(new MemoryStore(), smallSteps(seed), cacheBytes(seed));
          for (int step = 0; step < COMMANDS; step++) {
            // given
            Stamp stamp = source.stamp();
            byte[] logged = LoggedCommand.bytes(stamp, source.next());
            Command command = LoggedCommand.read(logged, stamp.index()).command();
            boolean idle = command instanceof Command.Tick && isIdle(shard, command, stamp.nowMs());
            boolean pops = command instanceof Command.PopMessages;
            Reply known = pops ? answer(shard.screen(command, stamp.nowMs())) : null;
            Map<String, String> before = rowsOf(shard);

            // when it is applied all the same
            Reply reply = shard.apply(logged);
            shard.flush();
            source.learn(reply);

            // then
            if (idle || known != null) {
              answered[idle ? 1 : 0]++;
              assertThat(rowsOf(shard)).as("step %s, %s", step, command).isEqualTo(before);
            }
            if (known != null) {
              assertThat(Replies.text(known))
                  .as("step %s, %s", step, command)
                  .isEqualTo(Replies.text(reply));
            }
          }
        });
    assertThat(answered[0]).as("pops").isGreaterThan(SEEDS / 2);
    assertThat(answered[1]).as("ticks").isGreaterThan(SEEDS / 2);
  }

  private static @Nullable Reply answer(ShardLogic.Screened screened) {
    return screened instanceof ShardLogic.Screened.Answered known ? known.reply() : null;
  }

  /** Whether the search for something to sweep has gone round and found nothing. */
  private static boolean isIdle(Replay shard, Command tick, long nowMs) {
    Reply first = answer(shard.screen(tick, nowMs));
    Reply second = answer(shard.screen(tick, nowMs));
    return first != null && second != null;
  }

  @Test
  void shouldAnswerTheSameAfterReopening() {
    forEachSeed(
        SEEDS,
        seed -> {
          // given
          Log log = log(seed, (step, entry, reply, shard) -> {});
          Random random = new Random(seed);
          Replay again = new Replay(new MemoryStore(), smallSteps(seed), cacheBytes(seed + 1));

          // when
          for (int step = 0; step < COMMANDS; step++) {
            String reply = Replies.text(again.apply(log.commands.get(step)));
            assertThat(reply)
                .as("step %s, %s", step, LoggedCommand.read(log.commands.get(step), step + 1))
                .isEqualTo(log.replies.get(step));
            // Of a shard that is opened anew after every command, nothing in memory stays.
            if (seed % 2 == 0 || random.nextInt(15) == 0) {
              again.reopen();
            }
          }
          again.flush();

          // then
          assertThat(again.differences(log.shard)).isEmpty();
        });
  }

  @Test
  void shouldStoreTheSameRowsOnADiskAndInMemory() {
    forEachSeed(
        SEEDS_ON_DISK,
        seed -> {
          // given
          Log log = log(seed, (step, entry, reply, shard) -> {});
          Path at = directory.resolve("seed" + seed);

          // when
          try (RocksStore store = RocksStore.open(at, RocksTuning.MODEST)) {
            Replay onDisk = new Replay(store, smallSteps(seed), cacheBytes(seed));
            Random random = new Random(seed);
            for (byte[] command : log.commands) {
              onDisk.apply(command);
              if (random.nextInt(5) == 0) {
                onDisk.flush();
              }
            }
            onDisk.flush();

            // then
            assertThat(onDisk.differences(log.shard)).isEmpty();
          }
        });
  }
}
