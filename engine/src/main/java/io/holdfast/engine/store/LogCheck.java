package io.holdfast.engine.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check of the write-ahead log and the manifest of a store that is not open, which decides where
 * the log ends.
 *
 * <p>A power cut may leave anything of what was appended and not synced: some of its pages, or
 * zeros or an older log in place of it. So the log ends at the first thing behind the {@link
 * SyncedPosition} that is not whole: nothing of it was acknowledged, and it is cut off. What is not
 * whole before it is damage: then the store is refused. If no position is recorded, the log has to
 * be whole to its last byte.
 *
 * <p>A log is whole if each record is, and if each batch begins with the sequence number at which
 * the one before ended, also from file to file; so a file that is missing or older than it should
 * be is noticed too.
 *
 * <p>Thread: one, while nobody has the store open.
 */
final class LogCheck {
  private static final Logger LOG = LoggerFactory.getLogger(LogCheck.class);
  private static final int BATCH_HEADER = 12;
  private static final int COUNT_AT = 8;

  /** The first batch may have any sequence number. */
  private static final long ANY = -1;

  /** No batch may follow. */
  private static final long NONE = -2;

  /** A file that is to end earlier. */
  private record Cut(Path file, long end, long size) {}

  private final Path directory;
  private final @Nullable SyncedPosition synced;
  private final List<Cut> cuts = new ArrayList<>();

  /** The sequence number that the next batch must have. */
  private long nextSequence = ANY;

  private LogCheck(Path directory, @Nullable SyncedPosition synced) {
    this.directory = directory;
    this.synced = synced;
  }

  /**
   * Reads the logs of a directory and changes nothing.
   *
   * @throws StoreException if something is damaged that was synced
   */
  static LogCheck of(Path directory) {
    try {
      LogCheck check = new LogCheck(directory, SyncedPositionFile.read(directory));
      Manifest manifest = Manifest.read(directory);
      if (manifest != null) {
        check.manifest(manifest);
        check.logs(manifest.firstLog());
      }
      return check;
    } catch (IOException e) {
      throw new StoreException("The store " + directory + " cannot be read (" + e + ").", e);
    }
  }

  /**
   * RocksDB syncs each change of the manifest before it acts on it, so one that is torn at the end
   * does not count. If it did count once and was damaged later, then files are missing that were
   * needed before it: logs, which are checked here, or sorted files, which RocksDB checks.
   */
  private void manifest(Manifest manifest) throws IOException {
    String name = String.valueOf(manifest.file().getFileName());
    if (synced != null && manifest.number() < synced.manifest()) {
      throw StoreDamage.ofFile(
          directory,
          Manifest.CURRENT,
          "it names " + name + ", and a later manifest was in use: number " + synced.manifest());
    }
    LogRecords.Scan scan = manifest.scan();
    long needed =
        synced != null && manifest.number() == synced.manifest()
            ? synced.manifestBytes()
            : scan.size();
    if (scan.size() < needed) {
      throw StoreDamage.ofFile(directory, name, shorter(scan.size(), needed));
    }
    if (scan.isWhole()) {
      return;
    }
    if (scan.end() < needed || LogRecords.anyAfter(manifest.file(), scan.damagedAt())) {
      throw StoreDamage.ofLog(directory, name, scan, "before the end of what was synced");
    }
    cuts.add(new Cut(manifest.file(), scan.end(), scan.size()));
  }

  private static String shorter(long size, long needed) {
    return "it has " + size + " bytes, and " + needed + " were synced";
  }

  private void logs(long first) throws IOException {
    List<Long> logs = LogFiles.in(directory).stream().filter(log -> log >= first).toList();
    if (synced != null) {
      synced
          .logs()
          .map(SyncedPosition.Log::number)
          .filter(log -> log >= first && log > 0 && !logs.contains(log))
          .forEach(this::refuseMissing);
    }
    for (long log : logs) {
      check(log, LogFiles.path(directory, log));
    }
  }

  private void refuseMissing(long log) {
    throw StoreDamage.ofFile(directory, LogFiles.name(log), "it is missing");
  }

  /** Finds the end of a log; the log after it is read only if it continues where this one ends. */
  private void check(long log, Path file) throws IOException {
    LogRecords.Scan scan = LogRecords.scanLog(file, log, this::batch);
    long needed = syncedBytes(log, scan.size());
    if (scan.size() < needed) {
      throw StoreDamage.ofFile(directory, LogFiles.name(log), shorter(scan.size(), needed));
    }
    if (scan.end() < needed) {
      throw StoreDamage.ofLog(
          directory,
          LogFiles.name(log),
          scan,
          synced == null
              ? "and the file " + SyncedPositionFile.NAME + " does not tell how far it was synced"
              : "and it was synced up to byte " + needed);
    }
    if (!scan.isWhole()) {
      cuts.add(new Cut(file, scan.end(), scan.size()));
      // Later batches would follow a gap.
      nextSequence = nextSequence == ANY ? NONE : nextSequence;
    }
  }

  private long syncedBytes(long log, long size) {
    if (synced == null) {
      return size;
    }
    return synced
        .logs()
        .filter(recorded -> recorded.number() == log)
        .mapToLong(SyncedPosition.Log::bytes)
        .findFirst()
        .orElse(0);
  }

  private @Nullable String batch(ByteBuffer head) {
    if (head.remaining() < BATCH_HEADER) {
      return "a batch without a header";
    }
    long sequence = head.getLong(0);
    if (nextSequence != ANY && sequence != nextSequence) {
      return "a batch with sequence number " + sequence + " that does not follow the one before";
    }
    nextSequence = sequence + head.getInt(COUNT_AT);
    return null;
  }

  /**
   * Checks that RocksDB has read all batches up to the end of the log.
   *
   * @throws StoreException if it has not
   */
  void checkRecovered(long lastSequence) {
    if (lastSequence < nextSequence - 1) {
      throw new StoreException(
          "The log of the store "
              + directory
              + " was not read to its end: RocksDB stopped at sequence number "
              + lastSequence
              + " of "
              + (nextSequence - 1)
              + ". "
              + StoreDamage.RESTORE,
          null);
    }
  }

  /** Whether something is to be cut off. */
  boolean isTorn() {
    return !cuts.isEmpty();
  }

  /**
   * Makes a directory in which nothing is torn: links to the files of this one, and copies of those
   * that are to be cut, without what is to be cut off.
   */
  void copyTo(Path target) throws IOException {
    Map<Path, Cut> torn = cuts.stream().collect(Collectors.toMap(Cut::file, cut -> cut));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Path copy = target.resolve(String.valueOf(file.getFileName()));
        Cut cut = torn.get(file);
        if (cut == null) {
          Files.createSymbolicLink(copy, file.toAbsolutePath());
        } else {
          Files.copy(file, copy);
          cut(copy, cut.end());
        }
      }
    }
  }

  /** Cuts off what is torn. If that is interrupted, the next check finds the rest. */
  void cut() {
    for (Cut cut : cuts) {
      LOG.info(
          "Cut {} at byte {} of {}: what follows is left from an earlier use of the file, or was"
              + " not synced, so nothing of it was acknowledged.",
          cut.file().getFileName(),
          cut.end(),
          cut.size());
      try {
        cut(cut.file(), cut.end());
      } catch (IOException e) {
        throw new StoreException(
            "The torn end of " + cut.file() + " could not be cut off (" + e + ").", e);
      }
    }
  }

  private static void cut(Path path, long end) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(end);
      file.getFD().sync();
    }
  }
}
