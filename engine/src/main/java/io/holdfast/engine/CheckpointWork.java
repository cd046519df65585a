package io.holdfast.engine;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.logic.AppliedRow;
import io.holdfast.engine.logic.StateReader;
import io.holdfast.engine.store.ClosedStore;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tables;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes checkpoints of a store and replaces its rows by a checkpoint, one after the other.
 *
 * <p>Thread: any calls it; the work is done on a thread for checkpoints.
 */
final class CheckpointWork {
  private final Store store;
  private final StoreThreads threads;
  private final Shard shard;

  CheckpointWork(Store store, StoreThreads threads, Shard shard) {
    this.store = store;
    this.threads = threads;
    this.shard = shard;
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
          // From the copy: batches are written while it is made.
          return Result.ok(read(directory, CheckpointWork::position));
        });
  }

  /**
   * Replaces the stored rows by those of a checkpoint, after all files of it were checked. Commands
   * are applied during the check, and wait only while the store is replaced.
   *
   * @return the position that the checkpoint contains
   */
  LogPosition replaceWith(Path checkpoint) {
    return call(
        () -> {
          LogPosition position = read(checkpoint, closed -> checked(checkpoint, closed));
          return switch (shard.replaceWith(checkpoint, position)) {
            case Task.Answer.Yes<Optional<StoreException>> yes -> {
              if (yes.value().isPresent()) {
                throw yes.value().get();
              }
              yield Result.ok(position);
            }
            case Task.Answer.No<Optional<StoreException>> no ->
                Result.refused(no.refusal().refusal());
          };
        });
  }

  private static LogPosition read(Path checkpoint, Function<ClosedStore, LogPosition> question) {
    try (ClosedStore closed = ClosedStore.at(checkpoint)) {
      String damage = closed.open();
      if (damage != null) {
        throw new StoreException(damage, null);
      }
      return question.apply(closed);
    }
  }

  private static LogPosition position(ClosedStore closed) {
    try (Snapshot rows = closed.rows()) {
      return AppliedRow.of(rows).position();
    }
  }

  /**
   * Reads all files, all rows and the state, because the data of the broker are going to be
   * deleted.
   */
  private static LogPosition checked(Path checkpoint, ClosedStore closed) {
    List<String> damaged = closed.checkFiles((done, all) -> {});
    if (!damaged.isEmpty()) {
      throw new StoreException(
          "The checkpoint " + checkpoint + " is damaged: " + damaged.getFirst() + ".", null);
    }
    try (Snapshot rows = closed.rows();
        Rows all = rows.scan(Tables.start((byte) 0), Tables.start(Tables.END))) {
      while (all.next()) {
        // Large values are in files of their own, which have checksums by value.
        all.value();
      }
      StateReader.read(rows, 0, FormatLevels.KNOWN);
      return AppliedRow.of(rows).position();
    } catch (RuntimeException unreadable) {
      throw new StoreException(
          "The checkpoint " + checkpoint + " cannot be used: " + unreadable.getMessage(),
          unreadable);
    }
  }

  /** Does the work on the thread for it, and throws what it throws. */
  private LogPosition call(Supplier<Result<LogPosition>> work) {
    AtomicReference<@Nullable StoreException> failure = new AtomicReference<>();
    Result<LogPosition> result =
        threads.call(
            () -> {
              try {
                return work.get();
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
