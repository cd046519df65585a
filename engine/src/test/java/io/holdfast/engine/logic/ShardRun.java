package io.holdfast.engine.logic;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Command.Tick.SweepFrom;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.query.ShardView;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A shard without threads: each command is a batch of its own, at a time that the test says. */
final class ShardRun {
  static final ShardLimits LIMITS = ShardLimits.of(1_000, 10_000, 10, 1L << 30);

  private static final long CACHE_BYTES = 1 << 20;

  private final FormatLevels known;
  private MemoryStore store;
  private ShardLogic logic;
  long nowMs = 1_000_000_000;
  final List<Effect> effects = new ArrayList<>();

  /** What the last command wrote, without the index rows that end a batch. */
  int rowsWritten;

  long bytesWritten;

  /** What the last batch wrote: the rows of its command and the index rows. */
  int rowsOfBatch;

  ShardRun() {
    this(LIMITS);
  }

  ShardRun(ShardLimits limits) {
    this(limits, FormatLevels.KNOWN, new MemoryStore());
  }

  /** A shard of a version that knows these format levels, with the rows of a store. */
  ShardRun(ShardLimits limits, FormatLevels known, MemoryStore store) {
    this.known = known;
    this.store = store;
    logic = new ShardLogic(StateReader.read(store.snapshot(), CACHE_BYTES, known));
    state().limits(limits);
  }

  ShardState state() {
    return logic.state();
  }

  Queue queue(String name) {
    Queue queue = state().queue(name);
    if (queue == null) {
      throw new AssertionError("there is no queue " + name);
    }
    return queue;
  }

  Reply apply(Command command) {
    Tx tx = store.begin();
    long index = state().appliedIndex() + 1;
    effects.clear();
    Reply reply =
        logic.apply(new Stamp(index, nowMs, index * 0x9e3779b97f4a7c15L), command, tx, effects);
    rowsWritten = tx.writes();
    bytesWritten = tx.bytes();
    state().flush(tx);
    rowsOfBatch = tx.writes();
    store.write(tx, true);
    return reply;
  }

  void reopen() {
    store = store.reopen();
    logic = new ShardLogic(StateReader.read(store.snapshot(), CACHE_BYTES, known));
  }

  MemoryStore store() {
    return store;
  }

  /** A look at the state and the rows, between two commands. */
  ShardView view() {
    return new ShardView(state(), store.snapshot(), nowMs);
  }

  byte[] row(byte[] key) {
    byte[] row = store.snapshot().get(key);
    return row == null ? new byte[0] : row;
  }

  /** How many rows a table has. */
  int rows(byte table) {
    int count = 0;
    try (Rows rows = store.snapshot().scan(Tables.start(table), Tables.end(table))) {
      while (rows.next()) {
        count++;
      }
    }
    return count;
  }

  /** Lets a second pass as the ticker does: with a sweep where one is needed. */
  void tick() {
    nowMs += 1_000;
    Tx tx = store.begin();
    ShardLogic.Screened screened =
        logic.screen(new Command.Tick(SweepFrom.START), tx, () -> nowMs, Set.of());
    store.write(tx, true);
    if (screened instanceof ShardLogic.Screened.Replaced replaced) {
      apply(replaced.by());
    }
  }

  void sweep() {
    apply(new Command.Tick(SweepFrom.START));
  }

  void pass(long ms) {
    nowMs += ms;
    sweep();
  }

  Reply push(NewMessage... messages) {
    List<NewMessage> list = List.of(messages);
    return apply(new Command.PushMessages(Packed.of(list), list.size(), null));
  }

  static NewMessage message(String payload) {
    return NewMessage.to("q", payload.getBytes(StandardCharsets.UTF_8));
  }

  Reply.PoppedMessages pop(PopRequest request) {
    return (Reply.PoppedMessages) apply(new Command.PopMessages(request));
  }

  Reply.SettledMessages settle(Settle... settles) {
    return (Reply.SettledMessages)
        apply(new Command.SettleMessages(SettleRequest.of(Arrays.asList(settles))));
  }

  static List<String> payloads(Reply.PoppedMessages popped) {
    return popped.messages().stream()
        .map(taken -> new String(taken.chunk().payload(taken.offset()), StandardCharsets.UTF_8))
        .toList();
  }
}
