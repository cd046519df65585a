package io.holdfast.engine;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.Orderer.OrderedTasks;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.Entry;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.command.UnknownFormatException;
import io.holdfast.engine.logic.ShardLogic;
import io.holdfast.engine.logic.ShardLogic.Screened;
import io.holdfast.engine.logic.ShardState;
import io.holdfast.engine.logic.StateReader;
import io.holdfast.engine.query.ShardView;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.StoreException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of a shard, and how entries change it: the rules put rows, answers and effects into a
 * batch.
 *
 * <p>A command that fails with an unexpected error is undone: its caller is refused, and state and
 * rows are as if it had never come. To undo it, the state is read again from the stored rows, and
 * the commands before it in the batch are applied once more; they have the same stamps, so they
 * have the same results. An error that is not the command's fault, such as a failed read of the
 * disk or a format that only a newer version knows, is thrown.
 *
 * <p>Thread: one.
 */
final class Applier {
  private static final Logger LOG = LoggerFactory.getLogger(Applier.class);

  private final Store store;
  private final long tailCacheBytes;
  private final boolean syncs;
  private final boolean replica;
  private final Consumer<List<Effect>> effects;
  private final Runnable awaitStored;
  private final FormatLevels known;
  private ShardLogic logic;

  /** The format level that the shard has, or had before its first batch. */
  private int firstLevel;

  /**
   * @param tailCacheBytes recently used chunks kept in memory
   * @param effects runs effects, once they are durable
   * @param awaitStored waits until all batches that were finished are stored
   * @param known the format levels that this version knows
   * @param replica whether other nodes apply the same entries
   */
  Applier(
      Store store,
      long tailCacheBytes,
      Durability durability,
      Consumer<List<Effect>> effects,
      Runnable awaitStored,
      FormatLevels known,
      boolean replica) {
    this.store = store;
    this.tailCacheBytes = tailCacheBytes;
    this.syncs = durability == Durability.FSYNC;
    this.effects = effects;
    this.awaitStored = awaitStored;
    this.known = known;
    this.replica = replica;
    this.logic = read();
  }

  private ShardLogic read() {
    try (Snapshot snapshot = store.snapshot()) {
      ShardState state = StateReader.read(snapshot, tailCacheBytes, known);
      if (replica) {
        state.beginReplica();
      }
      return new ShardLogic(state);
    }
  }

  ShardState state() {
    return logic.state();
  }

  /**
   * Continues with the rows of a checkpoint. All batches must be stored.
   *
   * @param position the position that the checkpoint contains
   * @return why that was refused and nothing has changed; null if the rows were replaced
   */
  @Nullable StoreException replaceWith(Path checkpoint, LogPosition position) {
    LogPosition applied = state().position();
    if (position.index() < applied.index()) {
      return new StoreException(
          "The checkpoint "
              + checkpoint
              + " contains the log up to index "
              + position.index()
              + ", and the broker has applied it up to index "
              + applied.index()
              + ": a checkpoint that is older would lose data. The broker continues unchanged.",
          null);
    }
    try {
      store.replaceWith(checkpoint);
    } catch (StoreException e) {
      if (store.failure() == null) {
        return e;
      }
      throw e;
    }
    logic = read();
    return null;
  }

  Batch begin() {
    return new Batch(store.begin());
  }

  /**
   * Decides whether a task needs an entry, by the state and the rows of a batch.
   *
   * @return the task, or the answer to a command that needs no entry
   */
  Task screen(Task task, Set<String> encrypting, Batch batch, LongSupplier clock) {
    if (!(task instanceof Task.Apply apply)) {
      return task;
    }
    try {
      return switch (logic.screen(apply.command(), batch.tx, clock, encrypting)) {
        case Screened.Needed needed -> task;
        case Screened.Replaced replaced ->
            new Task.Apply(replaced.by(), apply.bytes(), apply.answer());
        case Screened.Answered answered -> new Task.Answered(apply, answered.reply());
      };
    } catch (StoreException notItsFault) {
      throw notItsFault;
    } catch (RuntimeException bug) {
      String what = "the command " + apply.command().getClass().getSimpleName() + " failed";
      return new Task.Answered(apply, internalError(what, bug));
    }
  }

  /**
   * Applies an entry that the log has at a position. An entry that the state contains already is
   * skipped: a log is read again from before the last stored batch.
   */
  void apply(LogPosition position, Entry entry, Batch batch) {
    apply(position, entry, List.of(), batch, 0);
  }

  /**
   * The same for an entry that may be this node's own, and answers its tasks.
   *
   * @param tasks the tasks that the entry was made of; none if it is of another node
   */
  void apply(LogPosition position, Entry entry, List<Task> tasks, Batch batch, long nowMs) {
    if (position.index() <= state().position().index()) {
      return;
    }
    if (tasks.isEmpty()) {
      enter(entry);
      entry.commands().forEach(command -> apply(command, null, batch));
    } else {
      apply(entry, tasks, batch, nowMs);
    }
    applied(position, batch);
  }

  private void enter(Entry entry) {
    firstLevel = state().appliedIndex() == 0 ? entry.level() : firstLevel;
    state().enter(entry.level());
  }

  /**
   * Applies the next entry, which this node has ordered, and answers its tasks; a look sees the
   * state after the commands before it.
   */
  void apply(OrderedTasks ordered, Batch batch, long nowMs) {
    LogPosition position = state().position().next();
    apply(ordered.entry(), ordered.tasks(), batch, nowMs);
    if (!ordered.entry().commands().isEmpty()) {
      applied(position, batch);
    }
  }

  private void apply(Entry entry, List<Task> tasks, Batch batch, long nowMs) {
    Iterator<Entry.Ordered> commands = entry.commands().iterator();
    enter(entry);
    for (Task task : tasks) {
      switch (task) {
        case Task.Apply apply -> apply(commands.next(), apply, batch);
        case Task.Answered known ->
            batch.holdBack(() -> known.asked().answer().complete(known.reply()));
        case Task.Look<?> look -> look(look, batch, nowMs);
        case Task.Replace replace ->
            throw new IllegalStateException("a replacement of the store cannot be in a batch");
      }
    }
  }

  private void applied(LogPosition position, Batch batch) {
    state().position(position);
    batch.hasEntries = true;
  }

  private void apply(Entry.Ordered ordered, Task.@Nullable Apply task, Batch batch) {
    Command command = ordered.command();
    Stamp stamp =
        new Stamp(
            state().appliedIndex() + 1,
            Math.max(ordered.nowMs(), state().lastMs()),
            ordered.random());
    int writes = batch.tx.writes();
    int before = batch.effects.size();
    Reply reply;
    try {
      reply = logic.apply(stamp, command, batch.tx, batch.effects);
    } catch (StoreException | UnknownFormatException | VirtualMachineError notItsFault) {
      throw notItsFault;
    } catch (RuntimeException | Error bug) {
      batch.effects.subList(before, batch.effects.size()).clear();
      undo(command, batch, task, bug);
      return;
    }
    batch.applied(stamp, command);
    // A tick that found nothing to do must not make the leases beside it wait for an fsync.
    boolean idleTick = command instanceof Command.Tick && batch.tx.writes() == writes;
    batch.sync |= syncs && !mayBeLost(command) && !idleTick;
    if (task == null) {
      return;
    }
    if (command instanceof Command.ConfigureQueue || command instanceof Command.DeleteQueue) {
      // The caller must find the change in effect when it is answered, so effects come first.
      List<Effect> own = batch.effects.subList(before, batch.effects.size());
      List<Effect> early = List.copyOf(own);
      own.clear();
      batch.holdBack(() -> effects.accept(early));
    }
    batch.holdBack(() -> task.answer().complete(reply));
  }

  /** Whether a power cut may undo it: a lost lease is only a redelivery. */
  private static boolean mayBeLost(Command command) {
    return switch (command) {
      case Command.PopMessages pop -> !pop.request().autoAck() && pop.request().settles().isEmpty();
      case Command.ExtendLease extend -> true;
      default -> false;
    };
  }

  private void undo(Command command, Batch batch, Task.@Nullable Apply task, Throwable bug) {
    String what = "the command " + command.getClass().getSimpleName() + " failed and was undone";
    Reply.Refused refusal = internalError(what, bug);
    awaitStored.run();
    logic = read();
    if (state().appliedIndex() == 0) {
      state().enter(firstLevel);
    }
    batch.replay(logic);
    if (task != null) {
      batch.holdBack(() -> task.stop(refusal));
    }
  }

  <T> void look(Task.Look<T> look, Batch batch, long nowMs) {
    T value;
    try {
      value = look.question().apply(new ShardView(state(), batch.tx, nowMs));
    } catch (StoreException | VirtualMachineError notItsFault) {
      throw notItsFault;
    } catch (RuntimeException | Error bug) {
      Reply.Refused refusal = internalError("a read failed", bug);
      batch.holdBack(() -> look.stop(refusal));
      return;
    }
    batch.holdBack(() -> look.answer().complete(new Task.Answer.Yes<>(value)));
  }

  private static Reply.Refused internalError(String what, Throwable bug) {
    UUID id = UUID.randomUUID();
    LOG.error("Internal error {}: {}. Please report this.", id, what, bug);
    return new Reply.Refused(
        Refusal.of(
            ErrorCode.INTERNAL,
            "internal error " + id + ": nothing was changed; the log of the broker has the cause"));
  }

  /** Adds the rows that changed since the batch was begun; then it can be written. */
  void finish(Batch batch) {
    boolean changed = batch.tx.writes() > 0 || state().isDirty();
    batch.end = state().position();
    batch.endMs = state().lastMs();
    batch.sync &= changed;
    if (changed || batch.hasEntries) {
      // Also if only the position has changed: all replicas must have the same rows after an entry.
      state().flush(batch.tx);
    }
    batch.holdBack(() -> effects.accept(batch.effects));
  }
}
