package io.holdfast.engine;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.logic.AppliedRow;
import io.holdfast.engine.store.ClosedStore;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.StoreException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes checkpoints of a store, one at a time.
 *
 * <p>Thread: any calls it; the work is done on a thread for checkpoints.
 */
final class CheckpointWork {
  private final Store store;
  private final StoreThreads threads;

  CheckpointWork(Store store, StoreThreads threads) {
    this.store = store;
    this.threads = threads;
  }

  /**
   * Copies the stored rows into a new directory.
   *
   * @return the position that the copy contains
   */
  LogPosition make(Path directory) {
    return call(
        () -> {
          store.checkpoint(directory);
          return position(directory);
        });
  }

  /** Reads the position from the copy: batches are written while it is made. */
  private static LogPosition position(Path checkpoint) {
    try (ClosedStore closed = ClosedStore.at(checkpoint)) {
      String damage = closed.open();
      if (damage != null) {
        throw new StoreException(damage, null);
      }
      try (Snapshot rows = closed.rows()) {
        return AppliedRow.of(rows).position();
      }
    }
  }

  /** Does the work on the thread for it, and throws what it throws. */
  private LogPosition call(Supplier<LogPosition> work) {
    AtomicReference<@Nullable StoreException> failure = new AtomicReference<>();
    Result<LogPosition> result =
        threads.call(
            () -> {
              try {
                return Result.ok(work.get());
              } catch (StoreException failed) {
                failure.set(failed);
                return Result.refused(ErrorCode.READ_FAILED, String.valueOf(failed.getMessage()));
              }
            });
    StoreException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    return result.orThrow();
  }
}
