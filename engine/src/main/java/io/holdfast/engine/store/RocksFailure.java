package io.holdfast.engine.store;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** What a failure of RocksDB means to the one who runs the broker, in sentences. */
final class RocksFailure {
  private static final String RESTORE =
      "To go on, restore it from a checkpoint; ./holdfast verify tells what is wrong.";

  private RocksFailure() {}

  static StoreException ofOpen(Path directory, RocksDBException e) {
    String text = text(e);
    if (text.toLowerCase(Locale.ROOT).contains("lock")) {
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
          "The store "
              + directory
              + " is damaged before the end of its log ("
              + text
              + "). It was not opened, because acknowledged messages could be missing. "
              + RESTORE,
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

  static StoreException ofRead(RocksDBException e) {
    return new StoreException(
        "A row could not be read (" + text(e) + "). Check the disk of the store. " + RESTORE, e);
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
