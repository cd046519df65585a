package io.holdfast.engine.store;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the files of a store by those of a checkpoint on the same file system.
 *
 * <p>The files are moved, not copied, and the directory of the store stays: it may be a mount
 * point. A file in it, the marker, records the state:
 *
 * <pre>
 *   no marker    the old rows
 *   DELETING     the old files are being deleted
 *   MOVING       they are deleted, and the files of the checkpoint are being moved here
 *   no marker    the rows of the checkpoint
 * </pre>
 *
 * <p>Invariant: while there is a marker, all rows of the checkpoint are in the two directories, and
 * {@link #finish} can be repeated. Each state is synced before files are changed because of it, and
 * the changes are synced before the next state.
 *
 * <p>Thread: one.
 */
final class StoreReplacement {
  private static final Logger LOG = LoggerFactory.getLogger(StoreReplacement.class);

  static final String MARKER = "REPLACING";

  /** A marker that is not synced yet; in the directory of the checkpoint. */
  private static final String MARKER_PART = MARKER + ".part";

  /** Files that are not deleted: the directory stays a store, locked and marked, all the time. */
  private static final Set<String> KEPT = Set.of(DirectoryLock.LOCK, StoreDirectory.MARK, MARKER);

  /** Files of a checkpoint that are not rows. */
  private static final Set<String> NOT_MOVED = Set.of(DirectoryLock.LOCK, MARKER_PART);

  private enum State {
    DELETING,
    MOVING
  }

  private final Path directory;
  private final Path checkpoint;
  private final Runnable beforeChange;

  private StoreReplacement(Path directory, Path checkpoint, Runnable beforeChange) {
    this.directory = directory;
    this.checkpoint = checkpoint;
    this.beforeChange = beforeChange;
  }

  /**
   * Decides that the store will be replaced. From here on it is to be closed, and opened again with
   * {@link #finish}.
   *
   * @throws StoreException if that is not possible; then nothing has changed
   */
  static void begin(Path directory, Path checkpoint) {
    begin(directory, checkpoint, () -> {});
  }

  /**
   * @param beforeChange called before each change of a file; tests stop it there
   */
  static void begin(Path directory, Path checkpoint, Runnable beforeChange) {
    if (OpenStores.has(checkpoint)) {
      throw RocksFailure.isOpen(checkpoint, null);
    }
    try {
      // Otherwise a power cut could take both.
      new StoreDirectory(checkpoint).force();
      new StoreReplacement(directory.toRealPath(), checkpoint.toRealPath(), beforeChange)
          .mark(State.DELETING);
    } catch (AtomicMoveNotSupportedException e) {
      throw refused(directory, checkpoint, "they are on different file systems", e);
    } catch (IOException e) {
      throw refused(directory, checkpoint, e.toString(), e);
    }
  }

  private static StoreException refused(
      Path directory, Path checkpoint, String why, Exception cause) {
    return new StoreException(
        "The store "
            + directory
            + " could not be replaced by the checkpoint "
            + checkpoint
            + " ("
            + why
            + "). The store is unchanged.",
        cause);
  }

  /** Why a store that nobody has open cannot be read yet; null if no replacement has begun. */
  static @Nullable String interruption(Path directory) {
    return Files.exists(directory.resolve(MARKER))
        ? "The replacement of the store "
            + directory
            + " by a checkpoint was interrupted. Start the broker: it finishes the replacement."
        : null;
  }

  /**
   * Finishes a replacement that has begun; does nothing if none has.
   *
   * @throws StoreException if it cannot be finished; it can be tried again
   */
  static void finish(Path directory) {
    finish(directory, () -> {});
  }

  /**
   * @param beforeChange called before each change of a file; tests stop it there
   */
  static void finish(Path directory, Runnable beforeChange) {
    if (!Files.exists(directory.resolve(MARKER))) {
      return;
    }
    try {
      String marker = Files.readString(directory.resolve(MARKER));
      int line = marker.indexOf('\n');
      Path real = directory.toRealPath();
      Path checkpoint = real.resolve(marker.substring(line + 1)).normalize();
      StoreReplacement replacement = new StoreReplacement(real, checkpoint, beforeChange);
      if (marker.startsWith(text(State.DELETING))) {
        replacement.delete();
        replacement.mark(State.MOVING);
      }
      replacement.move();
      replacement.end();
      LOG.info("The data in {} were replaced by the checkpoint {}.", directory, checkpoint);
    } catch (IOException e) {
      throw new StoreException(
          "The replacement of the store "
              + directory
              + " by a checkpoint could not be finished ("
              + e
              + "). Remove the cause and start again: it continues.",
          e);
    }
  }

  private static String text(State state) {
    return state.name().toLowerCase(Locale.ROOT) + "\n";
  }

  /**
   * Records a state. The file is made in the checkpoint and moved from there, so a checkpoint that
   * cannot be moved is refused before anything has changed.
   */
  private void mark(State state) throws IOException {
    requireCurrent(checkpoint);
    Path part = checkpoint.resolve(MARKER_PART);
    beforeChange.run();
    // The path is relative, so that both may be mounted elsewhere.
    Files.writeString(part, text(state) + directory.relativize(checkpoint));
    StoreDirectory.forceFile(part);
    beforeChange.run();
    try {
      Files.move(part, directory.resolve(MARKER), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(part);
      throw e;
    }
    StoreDirectory.forceDirectory(directory);
  }

  private static void requireCurrent(Path store) throws IOException {
    Path current = store.resolve(Manifest.CURRENT);
    if (!Files.exists(current)) {
      throw new IOException("the file " + current + " is missing");
    }
  }

  private void delete() throws IOException {
    requireCurrent(checkpoint);
    for (Path file : new StoreDirectory(directory).files()) {
      if (!KEPT.contains(String.valueOf(file.getFileName()))) {
        beforeChange.run();
        Files.delete(file);
      }
    }
    StoreDirectory.forceDirectory(directory);
  }

  /** Moves the files; CURRENT is the last one, so where it is here, all are. */
  private void move() throws IOException {
    if (Files.exists(checkpoint.resolve(Manifest.CURRENT))) {
      for (Path file : new StoreDirectory(checkpoint).files()) {
        String name = String.valueOf(file.getFileName());
        if (!NOT_MOVED.contains(name) && !name.equals(Manifest.CURRENT)) {
          move(name);
        }
      }
      forceDirectories();
      move(Manifest.CURRENT);
      forceDirectories();
    }
    requireCurrent(directory);
  }

  private void move(String name) throws IOException {
    beforeChange.run();
    Files.move(checkpoint.resolve(name), directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private void forceDirectories() {
    StoreDirectory.forceDirectory(directory);
    StoreDirectory.forceDirectory(checkpoint);
  }

  private void end() throws IOException {
    beforeChange.run();
    Files.delete(directory.resolve(MARKER));
    StoreDirectory.forceDirectory(directory);
    beforeChange.run();
    StoreDirectory.remove(checkpoint);
  }
}
