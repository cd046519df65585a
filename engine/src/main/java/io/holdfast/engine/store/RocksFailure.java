package io.holdfast.engine.store;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** What a failure of RocksDB means to the one who runs the broker, in sentences. */
final class RocksFailure {
  /** The lock file, which is named in the error of RocksDB when it cannot lock a directory. */
  private static final String LOCK = "/LOCK";

  private RocksFailure() {}

  static StoreException ofOpen(Path directory, RocksDBException e) {
    String text = text(e);
    if (text.contains(directory + LOCK)) {
      return isOpen(directory, e);
    }
    if (isNoSpace(e)) {
      return new StoreException(
          "The store "
              + directory
              + " cannot be opened: the disk is full. Free space and start"
              + " again.",
          e);
    }
    if (is(e, Status.Code.Corruption)) {
      return new StoreException(
          "A file of the store "
              + directory
              + " is damaged ("
              + text
              + "). The store was not opened, because acknowledged messages could be missing. "
              + StoreDamage.RESTORE,
          e);
    }
    return new StoreException("The store " + directory + " cannot be opened (" + text + ").", e);
  }

  static StoreException isOpen(Path directory, @Nullable RocksDBException cause) {
    return new StoreException(
        "The store "
            + directory
            + " is open already, in this process or another: stop that one first, or name"
            + " another directory.",
        cause);
  }

  static StoreException ofWrite(RocksDBException e) {
    if (isNoSpace(e)) {
      return new StoreException(
          "The disk is full: free space and start again; nothing after the last stored batch was"
              + " acknowledged.",
          e);
    }
    return new StoreException(
        "A batch could not be stored ("
            + text(e)
            + "). Check the disk and start again; nothing after the last stored batch was"
            + " acknowledged.",
        e);
  }

  static StoreException unrecorded(IOException e) {
    return new StoreException(
        "The file "
            + SyncedPositionFile.NAME
            + " could not be written ("
            + e
            + "). Check the disk and start again.",
        e);
  }

  static StoreException ofRead(RocksDBException e) {
    return new StoreException(
        "A row could not be read (" + text(e) + "). " + StoreDamage.RESTORE, e);
  }

  static boolean isNoSpace(RocksDBException e) {
    Status status = e.getStatus();
    return status != null && status.getSubCode() == Status.SubCode.NoSpace;
  }

  private static boolean is(RocksDBException e, Status.Code code) {
    Status status = e.getStatus();
    return status != null && status.getCode() == code;
  }

  static String text(RocksDBException e) {
    @Nullable String message = e.getMessage();
    return message == null ? e.toString() : message;
  }
}
