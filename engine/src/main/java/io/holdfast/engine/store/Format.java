package io.holdfast.engine.store;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The row in which a store says the format of its rows. */
final class Format {
  static final byte[] KEY = Tables.meta("format");
  private static final int BYTES = 4;

  private Format() {}

  static Writes row() {
    Writes writes = new Writes();
    writes.put(KEY, ByteBuffer.allocate(BYTES).putInt(Tables.FORMAT).array());
    return writes;
  }

  /**
   * Makes sure that the rows of a store can be understood.
   *
   * @throws StoreException if it says another format, or none
   */
  static void check(Path path, byte @Nullable [] found) {
    if (found == null || found.length != BYTES) {
      throw new StoreException(
          "The store " + path + " does not say its format. Restore it from a checkpoint.", null);
    }
    if (Tables.int4(found, 0) != Tables.FORMAT) {
      throw new StoreException(
          "The store "
              + path
              + " has format "
              + Tables.int4(found, 0)
              + ", and this version of Holdfast understands format "
              + Tables.FORMAT
              + ": run the version that wrote it, or name another directory.",
          null);
    }
  }
}
