package io.holdfast.cluster.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Syncs the directory of the log before anything depends on a name in it. Ratis syncs the files of
 * the log, but never their directory: after a power cut a new segment or a vote could be gone.
 *
 * <p>It is called before each sync of the log, so it must be cheap while nothing has changed: the
 * directory's time of change tells.
 *
 * <p>Thread: any.
 */
final class DirectorySync {
  /** The times of changes within a directory are no more exact than this on some file systems. */
  private static final Duration TICK = Duration.ofMillis(50);

  private final Path directory;
  private final AtomicLong syncs = new AtomicLong();
  private volatile FileTime synced = FileTime.fromMillis(Long.MIN_VALUE);

  DirectorySync(Path directory) {
    this.directory = directory;
  }

  /** Syncs the directory if a name in it may have changed since the last time. */
  void sync() throws IOException {
    FileTime changed = Files.getLastModifiedTime(directory);
    if (changed.equals(synced)) {
      return;
    }
    long nowMs = System.currentTimeMillis();
    DurableFiles.syncDirectory(directory);
    syncs.incrementAndGet();
    // A change in the same tick as the last would have the same time.
    if (nowMs - changed.toMillis() > TICK.toMillis()) {
      synced = changed;
    }
  }

  /** How often the directory was synced. */
  long syncs() {
    return syncs.get();
  }
}
