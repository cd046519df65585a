package io.holdfast.engine.store;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of the write-ahead log of an open store. RocksDB reports neither which file it appends to
 * nor where, and a recycled file does not grow. But one thread writes, each batch is one record,
 * and the length of a record is known; so after each write its header has to be where the log
 * ended, or else at the start of a new file.
 *
 * <p>Thread: the one that writes.
 */
final class LogTail implements AutoCloseable {
  private final Path directory;
  private final byte[] header = new byte[LogRecords.LOG_HEADER];
  private SyncedPosition.Log log;
  private RandomAccessFile file;
  private List<SyncedPosition.Log> earlier = List.of();

  LogTail(Path directory) throws IOException {
    this.directory = directory;
    List<Long> numbers = LogFiles.in(directory);
    if (numbers.isEmpty()) {
      throw new IOException("RocksDB has no log in " + directory);
    }
    long number = numbers.getLast();
    Path path = LogFiles.path(directory, number);
    this.log = new SyncedPosition.Log(number, LogRecords.scanLog(path, number, head -> null).end());
    this.file = new RandomAccessFile(path.toFile(), "r");
  }

  /** Finds the end again; to be called after every write, whether it was synced or not. */
  void follow(long batchBytes) throws IOException {
    if (!holds(batchBytes)) {
      moveToNewest();
      if (!holds(batchBytes)) {
        throw new IOException(
            "the batch that was written is not in "
                + LogFiles.name(log.number())
                + " at byte "
                + log.bytes());
      }
    }
    log = new SyncedPosition.Log(log.number(), LogRecords.endAfter(log.bytes(), batchBytes));
  }

  private boolean holds(long batchBytes) throws IOException {
    try {
      file.seek(LogRecords.start(log.bytes()));
      file.readFully(header);
    } catch (EOFException shorter) {
      return false;
    }
    return LogRecords.begins(header, log.number(), log.bytes(), batchBytes);
  }

  /** Goes on with the newest file, if there is one after this. */
  void moveToNewest() throws IOException {
    List<Long> newer =
        LogFiles.in(directory).stream().filter(found -> found > log.number()).toList();
    if (newer.isEmpty()) {
      return;
    }
    List<SyncedPosition.Log> before = new ArrayList<>(earlier);
    before.add(log);
    newer.forEach(number -> before.add(new SyncedPosition.Log(number, 0)));
    log = before.removeLast();
    int surplus = Math.max(0, before.size() - SyncedPosition.EARLIER_MAX);
    earlier = List.copyOf(before.subList(surplus, before.size()));
    file.close();
    file = new RandomAccessFile(LogFiles.path(directory, log.number()).toFile(), "r");
  }

  /** The file that is appended to, and where it ends. */
  SyncedPosition.Log log() {
    return log;
  }

  /** The last files before it. */
  List<SyncedPosition.Log> earlier() {
    return earlier;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
