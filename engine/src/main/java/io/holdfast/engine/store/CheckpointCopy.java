package io.holdfast.engine.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.rocksdb.Checkpoint;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Makes checkpoints: copies of a store that is in use.
 *
 * <p>Invariant: a directory with the name of a checkpoint is complete and would survive a power
 * cut; before that its name ends with {@code .part}.
 */
final class CheckpointCopy {
  private CheckpointCopy() {}

  /**
   * Copies the rows that are stored now.
   *
   * @param source the directory of the store, for error messages
   * @param target the directory to make
   * @throws StoreException if there is something with its name, or the copy cannot be made
   */
  static void make(RocksDB db, Path source, Path target) {
    if (Files.exists(target)) {
      throw new StoreException(target + " exists already: name a new directory.", null);
    }
    Path part = target.resolveSibling(target.getFileName() + ".part");
    if (Files.exists(part)) {
      throw new StoreException(
          part + " exists: a checkpoint is being made, or one failed; then remove it.", null);
    }
    boolean complete = false;
    try (Checkpoint checkpoint = Checkpoint.create(db)) {
      checkpoint.createCheckpoint(part.toString());
      removeLogs(part);
      StoreDirectory copy = new StoreDirectory(part);
      copy.keepFromOthers();
      copy.mark();
      copy.force();
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
      complete = true;
      StoreDirectory.forceDirectory(target.toAbsolutePath().getParent());
    } catch (RocksDBException e) {
      throw failed(source, target, RocksFailure.text(e), e);
    } catch (IOException e) {
      throw failed(source, target, e.toString(), e);
    } finally {
      if (!complete) {
        StoreDirectory.remove(part);
      }
    }
  }

  /**
   * RocksDB flushes first, so that the copy needs no log. A log that was written meanwhile is
   * copied all the same, and may end within a batch.
   */
  private static void removeLogs(Path part) throws IOException {
    for (long log : LogFiles.in(part)) {
      Files.delete(LogFiles.path(part, log));
    }
  }

  private static StoreException failed(Path source, Path target, String why, Exception cause) {
    return new StoreException(
        "The store " + source + " could not be copied into " + target + " (" + why + ").", cause);
  }
}
