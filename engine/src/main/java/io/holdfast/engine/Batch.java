package io.holdfast.engine;

import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.logic.ShardLogic;
import io.holdfast.engine.store.Tx;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commands applied together: their rows, and their answers and effects, which are held back until
 * the rows are durable.
 */
final class Batch {
  /** Most commands of a batch. */
  private static final int TASKS_MAX = 4_096;

  /** A batch is closed once its rows take this many bytes. */
  private static final long BYTES_MAX = 4L << 20;

  /** A command of the batch. */
  private record Applied(Stamp stamp, Command command) {}

  final Tx tx;
  final List<Effect> effects = new ArrayList<>();
  private final List<Applied> applied = new ArrayList<>();
  private final List<Runnable> heldBack = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();
  boolean sync;
  boolean hasEntries;

  /** The position of the last entry that was applied when the batch was finished. */
  LogPosition end = LogPosition.START;

  /** The time of the last command up to there. */
  long endMs;

  Batch(Tx tx) {
    this.tx = tx;
  }

  /** Takes a task in, before it is applied. */
  void add(Task task) {
    tasks.add(task);
  }

  /** Keeps an answer or an effect of a task that was applied. */
  void holdBack(Runnable step) {
    heldBack.add(step);
  }

  List<Task> tasks() {
    return tasks;
  }

  /** Keeps a command that was applied, in case the one after it has to be undone. */
  void applied(Stamp stamp, Command command) {
    applied.add(new Applied(stamp, command));
  }

  /** Applies its commands again, to the state before it; answers and effects stay as they are. */
  void replay(ShardLogic before) {
    tx.clear();
    List<Effect> again = new ArrayList<>();
    applied.forEach(each -> before.apply(each.stamp, each.command, tx, again));
  }

  boolean isFull() {
    return tasks.size() >= TASKS_MAX || tx.bytes() >= BYTES_MAX;
  }

  /**
   * Gives the answers and runs the effects, in their order, now that the batch is durable. A step
   * that fails does not keep the others from being run: each caller learns what happened.
   *
   * @return the first error, or null
   */
  @Nullable Throwable release() {
    Throwable first = null;
    for (Runnable step : heldBack) {
      try {
        step.run();
      } catch (Throwable error) {
        first = first == null ? error : first;
      }
    }
    return first;
  }
}
