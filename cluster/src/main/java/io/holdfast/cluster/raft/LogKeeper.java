package io.holdfast.cluster.raft;

import io.holdfast.cluster.raft.LogFiles.Segment;
import io.holdfast.engine.Replica;
import io.holdfast.engine.command.LogPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.server.raftlog.RaftLog;

/**
 * Stores applied rows from time to time, and deletes log that is not needed any more.
 *
 * <p>Rows are stored by bytes and by age, so that a start replays little, and log is deleted by
 * bytes, entries and age: by entries alone, as Ratis does it, a quiet cluster would never delete.
 *
 * <p>Thread: any, one at a time.
 */
final class LogKeeper {
  private final Replica replica;
  private final EntryStateMachine machine;
  private final RaftLog log;
  private final Path directory;
  private final LogLimits limits;
  private final Duration flushEvery;

  private long flushedBytes;
  private long flushedNanos;

  LogKeeper(
      Replica replica, EntryStateMachine machine, RaftLog log, Path directory, RaftConfig config) {
    this.replica = replica;
    this.machine = machine;
    this.log = log;
    this.directory = directory;
    this.limits = config.limits();
    this.flushEvery = config.times().flushEvery();
    this.flushedNanos = System.nanoTime();
  }

  /** Stores rows and deletes log if it is time. */
  synchronized void look() throws IOException {
    long waiting = machine.bytesHandedOver() - flushedBytes;
    boolean isDue = System.nanoTime() - flushedNanos >= flushEvery.toNanos();
    if (waiting >= limits.flushBytes() || (isDue && waiting > 0)) {
      flush();
    }
    if (isDue) {
      flushedNanos = System.nanoTime();
      purge();
    }
  }

  /** Stores what was applied, and deletes log; answers the index up to which rows are stored. */
  synchronized long flush() throws IOException {
    long handedOver = machine.bytesHandedOver();
    LogPosition position = replica.flush();
    machine.noteStored(position);
    flushedBytes = handedOver;
    flushedNanos = System.nanoTime();
    purge();
    return position.index();
  }

  /** The size of the log on disk; 0 if it cannot be read just now. */
  long logBytes() {
    try {
      return LogFiles.segments(directory).stream().mapToLong(Segment::bytes).sum();
    } catch (IOException unreadable) {
      return 0;
    }
  }

  /** Deletes the oldest files of the log, as far as the limits are exceeded and rows are stored. */
  private void purge() throws IOException {
    long last = last(LogFiles.segments(directory), System.currentTimeMillis());
    if (last >= 0) {
      // The members are in a file beside the log, which must survive it.
      machine.syncDirectory();
      CompletableFuture<?> _ = log.purge(last);
    }
  }

  /** The last entry that may be deleted; -1 for none. */
  long last(List<Segment> segments, long nowMs) {
    long bytes = segments.stream().mapToLong(Segment::bytes).sum();
    long end = log.getNextIndex();
    long last = -1;
    for (Segment segment : segments) {
      boolean isNeeded =
          segment.isOpen()
              || segment.end() > machine.storedIndex()
              || end - segment.end() <= limits.neededEntries();
      boolean isKept =
          bytes <= limits.keptBytes()
              && end - segment.start() <= limits.keptEntries()
              && nowMs - segment.modifiedMs() <= limits.keptFor().toMillis();
      if (isNeeded || isKept) {
        break;
      }
      bytes -= segment.bytes();
      last = segment.end();
    }
    return last;
  }
}
