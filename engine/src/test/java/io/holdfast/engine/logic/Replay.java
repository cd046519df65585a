package io.holdfast.engine.logic;

import io.holdfast.engine.ClockRepair;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.Entry;
import io.holdfast.engine.command.EntryCodec;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A shard without threads: commands applied one after the other to a store, in batches. */
final class Replay {
  private final long cacheBytes;
  private Store store;
  private ShardLogic logic;
  private @Nullable Tx open;

  Replay(Store store, ShardLimits limits, long cacheBytes) {
    this.cacheBytes = cacheBytes;
    this.store = store;
    this.logic = new ShardLogic(new ShardState(cacheBytes, FormatLevels.KNOWN));
    state().limits(limits);
  }

  /** Applies an entry of one command, decoded anew, because pushes give their bytes away. */
  Reply apply(byte[] logged) {
    return apply(EntryCodec.read(logged)).getFirst();
  }

  List<Reply> apply(Entry entry) {
    Tx tx = open;
    if (tx == null) {
      tx = store.begin();
      open = tx;
    }
    state().enter(entry.level());
    List<Reply> replies = new ArrayList<>();
    for (Entry.Ordered ordered : entry.commands()) {
      Stamp stamp = new Stamp(state().appliedIndex() + 1, ordered.nowMs(), ordered.random());
      replies.add(logic.apply(stamp, ordered.command(), tx, new ArrayList<Effect>()));
    }
    return replies;
  }

  /** Whether a command needs an entry at a time. */
  ShardLogic.Screened screen(Command command, long nowMs) {
    flush();
    Tx tx = store.begin();
    ShardLogic.Screened screened = logic.screen(command, tx, () -> nowMs, Set.of());
    store.write(tx, false);
    return screened;
  }

  /** Ends the batch. */
  void flush() {
    Tx tx = open;
    if (tx != null) {
      logic.state().flush(tx);
      store.write(tx, false);
      open = null;
    }
  }

  /** Goes on as after a restart: with nothing but the rows. */
  void reopen() {
    flush();
    if (store instanceof MemoryStore memory) {
      store = memory.reopen();
    }
    try (Snapshot rows = store.snapshot()) {
      logic = new ShardLogic(StateReader.read(rows, cacheBytes, FormatLevels.KNOWN));
    }
  }

  /** Sets the time of the stopped shard back. */
  void repairClock(long wallMs) {
    flush();
    ClockRepair.run(store, wallMs);
    reopen();
  }

  ShardState state() {
    return logic.state();
  }

  Snapshot snapshot() {
    return store.snapshot();
  }

  /** All rows but the store's own format row, readable. */
  Map<String, String> rows() {
    Map<String, String> all = new TreeMap<>();
    HexFormat hex = HexFormat.of();
    try (Snapshot view = store.snapshot();
        Rows rows = view.scan(Tables.start((byte) 1), Tables.start(Tables.END))) {
      while (rows.next()) {
        all.put(
            rows.key()[0] + ":" + hex.formatHex(rows.key(), 1, rows.key().length),
            hex.formatHex(rows.value()));
      }
    }
    all.remove(Tables.META + ":" + hex.formatHex("format".getBytes(StandardCharsets.US_ASCII)));
    return all;
  }

  /** The rows in which another shard differs, for people to read. */
  List<String> differences(Replay other) {
    Map<String, String> mine = rows();
    Map<String, String> others = other.rows();
    TreeSet<String> keys = new TreeSet<>(mine.keySet());
    keys.addAll(others.keySet());
    return keys.stream()
        .filter(key -> !Objects.equals(mine.get(key), others.get(key)))
        .map(key -> key + ": " + mine.get(key) + " here, " + others.get(key) + " there")
        .toList();
  }
}
