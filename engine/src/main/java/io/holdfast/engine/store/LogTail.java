package io.holdfast.engine.store;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of the write-ahead log of an open store. RocksDB reports neither which file it appends to
 * nor how long that is, and listing the directory after every write would be slow. But one thread
 * writes, and a batch makes the file longer; if it did not, RocksDB began a new file.
 *
 * <p>Thread: the one that writes.
 */
final class LogTail {
  private final Path directory;
  private long number;
  private File file;
  private long length;
  private List<Long> earlier = List.of();

  LogTail(Path directory) throws IOException {
    this.directory = directory;
    List<Long> numbers = LogFiles.in(directory);
    this.number = numbers.isEmpty() ? 0 : numbers.getLast();
    this.file = LogFiles.path(directory, number).toFile();
    this.length = file.length();
  }

  /** Finds the end again; to be called after every write, whether it was synced or not. */
  void follow() throws IOException {
    long now = file.length();
    if (now <= length) {
      moveToNewest();
      now = file.length();
    }
    length = now;
  }

  private void moveToNewest() throws IOException {
    List<Long> newer = LogFiles.in(directory).stream().filter(found -> found > number).toList();
    if (newer.isEmpty()) {
      return;
    }
    List<Long> before = new ArrayList<>(earlier);
    before.add(number);
    before.addAll(newer.subList(0, newer.size() - 1));
    int surplus = Math.max(0, before.size() - SyncedPosition.EARLIER_MAX);
    earlier = List.copyOf(before.subList(surplus, before.size()));
    number = newer.getLast();
    file = LogFiles.path(directory, number).toFile();
  }

  /** The number of the file. */
  long number() {
    return number;
  }

  /** Where it ends. */
  long length() {
    return length;
  }

  /** The numbers of the last files before it. */
  List<Long> earlier() {
    return earlier;
  }
}
