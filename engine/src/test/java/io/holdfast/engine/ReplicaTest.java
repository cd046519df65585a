package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.Page;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.lease.LeasesRequest;
import io.holdfast.api.queue.LoadsRequest;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.Orderer.OrderedTasks;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Entry;
import io.holdfast.engine.command.EntryCodec;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.logic.RandomLog;
import io.holdfast.engine.query.Looks;
import io.holdfast.engine.query.ShardView;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.Tables;
import io.holdfast.testkit.TestScale;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replicas apply the same entries and have the same rows after each, whatever else they do: other
 * batches, restarts, checkpoints of one another, other caches, reads, entries that come again.
 */
@Tag("slow")
class ReplicaTest {
  private static final int ENTRIES = 120;
  private static final int SEEDS =
      Integer.getInteger("holdfast.seeds", TestScale.rounds(100, 20_000));
  private static final int SEEDS_ON_DISK = Math.max(1, SEEDS / 50);

  @TempDir Path directory;

  /**
   * An entry as the log keeps it, and the rows of the leader after it. Each replica decodes it
   * anew, because pushes give their bytes away.
   */
  private record Logged(LogPosition position, byte[] entry, long rowsHash, MemoryStore rows) {}

  private static Entry entry(List<Entry.Ordered> commands) {
    return new Entry(FormatLevels.KNOWN.newest(), commands);
  }

  /** A shard without threads over a store. */
  private static final class Replica {
    private final long cacheBytes;
    private Store store;
    private Applier applier;
    private @Nullable Batch open;

    Replica(Store store, long cacheBytes) {
      this.cacheBytes = cacheBytes;
      this.store = store;
      this.applier = applier();
    }

    private Applier applier() {
      return new Applier(
          store, cacheBytes, Durability.FSYNC, effects -> {}, () -> {}, FormatLevels.KNOWN, true);
    }

    private Batch batch() {
      Batch batch = open == null ? applier.begin() : open;
      open = batch;
      return batch;
    }

    void apply(Logged logged, Fault fault) {
      Entry entry = EntryCodec.read(logged.entry);
      applier.apply(
          logged.position, entry(entry.commands().stream().map(fault::change).toList()), batch());
    }

    /** Orders and applies commands as a leader does, and answers them. */
    List<Reply> lead(Entry entry) {
      List<Task.Apply> tasks =
          entry.commands().stream().map(ordered -> Task.Apply.of(ordered.command())).toList();
      applier.apply(new OrderedTasks(entry, List.copyOf(tasks)), batch(), 0);
      flush();
      return tasks.stream().map(task -> task.answer().await()).toList();
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

    /** Continues with the rows of a store, as after a restart. */
    void openOn(Store rows) {
      store = rows;
      open = null;
      applier = applier();
    }

    LogPosition position() {
      return applier.state().position();
    }

    /** Reads, and asks for commands without having them ordered: nothing of that is in the log. */
    void read(Command command, long nowMs) {
      Batch batch = batch();
      Task.Look<Integer> look = new Task.Look<>(view -> readAll(view, nowMs), new Pending<>());
      applier.apply(new OrderedTasks(entry(List.of()), List.of(look)), batch, nowMs);
      applier.screen(Task.Apply.of(command), Set.of(), batch, () -> nowMs);
    }

    private static int readAll(ShardView view, long nowMs) {
      int read = Looks.dueMs(view) > nowMs ? 1 : 0;
      for (QueueInfo queue : Looks.queues(view, QueuesRequest.all()).items()) {
        String name = queue.name();
        Page<?> partitions = Looks.partitions(view, new PartitionsRequest(name, null, null, 100));
        Looks.Groups groups = Looks.groups(view, GroupsRequest.ofQueue(name));
        Page<?> leases = Looks.leases(view, LeasesRequest.ofQueue(name));
        read += partitions == null || groups == null || leases == null ? 0 : 1;
      }
      return read + Looks.loads(view, LoadsRequest.first()).loads().size();
    }

    long rowsHash() {
      long hash = 0;
      try (Snapshot view = store.snapshot();
          Rows rows = view.scan(Tables.start((byte) 1), Tables.start(Tables.END))) {
        while (rows.next()) {
          if (!Arrays.equals(rows.key(), Tables.meta("format"))) {
            hash = 31 * hash + Arrays.hashCode(rows.key());
            hash = 31 * hash + Arrays.hashCode(rows.value());
          }
        }
      }
      return hash;
    }
  }

  /** Something that makes a replica apply another entry than the others; there to be found. */
  private interface Fault {
    Entry.Ordered change(Entry.Ordered ordered);
  }

  private static final Fault NONE = ordered -> ordered;

  private static List<Logged> log(long seed) {
    Random random = new Random(seed);
    RandomLog source = new RandomLog(seed, seed % 4 == 3, seed % 3 > 0);
    Replica leader = new Replica(new MemoryStore(), 1 << 20);
    leader.applier.state().position(new LogPosition(seed % 5, 0));
    List<Logged> log = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      List<Entry.Ordered> commands = new ArrayList<>();
      for (int left = random.nextInt(5); left > 0; left--) {
        Stamp stamp = source.stamp();
        // Another leader's clock may be behind.
        long nowMs = stamp.nowMs() - (random.nextInt(10) == 0 ? random.nextInt(2_000) : 0);
        commands.add(new Entry.Ordered(nowMs, stamp.random(), source.next()));
      }
      LogPosition position = leader.position().next();
      byte[] entry = EntryCodec.bytes(entry(commands));
      if (commands.isEmpty()) {
        leader.applier.apply(position, entry(List.of()), leader.batch());
        leader.flush();
      } else {
        leader.lead(EntryCodec.read(entry)).forEach(source::learn);
      }
      MemoryStore rows = ((MemoryStore) leader.store).reopen();
      log.add(new Logged(position, entry, leader.rowsHash(), rows));
    }
    return log;
  }

  /** Applies a log in a way that the seed decides, and compares the rows after each batch. */
  private static void follow(List<Logged> log, Replica replica, long seed, Fault fault) {
    Random random = new Random(seed);
    RandomLog asked = new RandomLog(seed, false, true);
    boolean reads = random.nextBoolean();
    int most = 1 + random.nextInt(6);
    int next = (int) replica.position().index();
    while (next < log.size()) {
      for (int left = 1 + random.nextInt(most); left > 0 && next < log.size(); left--, next++) {
        replica.apply(log.get(next), fault);
        if (reads && random.nextInt(3) == 0) {
          replica.read(asked.next(), asked.stamp().nowMs() + random.nextInt(1_000_000));
        }
      }
      int chance = random.nextInt(20);
      if (chance == 0 && replica.store instanceof MemoryStore rows) {
        // It is killed: what was not written comes again, and something before it too.
        replica.openOn(rows.reopen());
        next = Math.max(0, (int) replica.position().index() - random.nextInt(3));
        continue;
      }
      replica.flush();
      assertSameRows(replica, log.get((int) replica.position().index() - 1));
      if (chance == 1 && replica.store instanceof MemoryStore rows) {
        replica.openOn(rows.reopen());
      } else if (chance == 2 && replica.store instanceof MemoryStore) {
        // It was left behind, and gets a checkpoint of another one.
        next = Math.min(log.size(), next + random.nextInt(8));
        replica.openOn(log.get(next - 1).rows.reopen());
      }
    }
  }

  private static void assertSameRows(Replica replica, Logged logged) {
    if (replica.rowsHash() != logged.rowsHash) {
      assertThat(rows(replica.store))
          .as("rows after entry %s", logged.position)
          .isEqualTo(rows(logged.rows));
    }
  }

  private static Map<String, String> rows(Store store) {
    Map<String, String> all = new TreeMap<>();
    HexFormat hex = HexFormat.of();
    try (Snapshot view = store.snapshot();
        Rows rows = view.scan(Tables.start((byte) 1), Tables.start(Tables.END))) {
      while (rows.next()) {
        all.put(
            Tables.title(rows.key()[0]) + ":" + hex.formatHex(rows.key()),
            hex.formatHex(rows.value()));
      }
    }
    return all;
  }

  private static void check(long seed, Fault fault) {
    List<Logged> log = log(seed);
    for (int replica = 0; replica < 3; replica++) {
      long cacheBytes = replica == 0 ? 0 : 1L << (10 * replica);
      follow(log, new Replica(new MemoryStore(), cacheBytes), seed * 3 + replica, fault);
    }
  }

  @Test
  void shouldHaveTheSameRowsAfterEachEntry() {
    Long only = Long.getLong("holdfast.seed");
    long from = only == null ? Long.getLong("holdfast.seedFrom", 1) : only;
    long to = only == null ? from + SEEDS - 1 : only;
    for (long seed = from; seed <= to; seed++) {
      try {
        check(seed, NONE);
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError("with -Dholdfast.seed=" + seed + ": " + failure, failure);
      }
    }
  }

  @Test
  void shouldHaveTheSameRowsOnADiskAndFromACheckpoint() {
    for (long seed = 1; seed <= SEEDS_ON_DISK; seed++) {
      // given a replica on a disk that has applied the first half of a log
      List<Logged> log = log(seed);
      List<Logged> half = log.subList(0, ENTRIES / 2);
      Path checkpoint = directory.resolve("checkpoint" + seed);
      try (Store store = RocksStore.open(directory.resolve("data" + seed), RocksTuning.MODEST)) {
        follow(half, new Replica(store, 0), seed, NONE);
        store.checkpoint(checkpoint);
      }

      // when another one continues from its checkpoint
      try (Store store = RocksStore.open(checkpoint, RocksTuning.MODEST)) {
        Replica replica = new Replica(store, 1 << 20);

        // then it contains that half, and reaches the same rows
        assertThat(replica.position()).isEqualTo(half.getLast().position);
        follow(log, replica, seed + 1, NONE);
      }
    }
  }

  private static void assertFound(Fault fault) {
    assertThatThrownBy(
            () -> {
              for (long seed = 1; seed <= 20; seed++) {
                check(seed, fault);
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("rows after entry");
  }

  @Test
  void shouldFindAReplicaWithOtherLimits() {
    assertFound(
        ordered ->
            ordered.command() instanceof Command.SetLimits
                ? with(ordered, new Command.SetLimits(ShardLimits.DEFAULTS))
                : ordered);
  }

  @Test
  void shouldFindAReplicaThatUsesItsOwnKeys() {
    assertFound(
        ordered ->
            ordered.command() instanceof Command.PopMessages pop
                ? with(ordered, new Command.PopMessages(pop.request(), Set.of(1)))
                : ordered);
  }

  @Test
  void shouldFindAReplicaThatUsesItsOwnClock() {
    assertFound(
        ordered -> new Entry.Ordered(ordered.nowMs() + 1, ordered.random(), ordered.command()));
  }

  @Test
  void shouldFindAReplicaThatUsesItsOwnRandomBits() {
    assertFound(
        ordered -> new Entry.Ordered(ordered.nowMs(), ordered.random() + 1, ordered.command()));
  }

  @Test
  void shouldFindAReplicaThatLostACommand() {
    assertFound(
        ordered ->
            ordered.command() instanceof Command.ExtendLease
                ? with(ordered, new Command.Tick(null))
                : ordered);
  }

  private static Entry.Ordered with(Entry.Ordered ordered, Command command) {
    return new Entry.Ordered(ordered.nowMs(), ordered.random(), command);
  }
}
