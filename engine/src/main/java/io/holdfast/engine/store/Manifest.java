package io.holdfast.engine.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file in which RocksDB lists the files that a database consists of, read for two things: is it
 * whole, and which log file is the first one whose batches are not in sorted files yet.
 *
 * <p>It is a log of changes. Each is a sequence of tags and values, those below first and in this
 * order; nothing else is read of it.
 *
 * @param file the file
 * @param number the number in its name, larger than those of manifests before it
 * @param scan how far it is whole
 * @param firstLog log files with a smaller number are not needed any more
 */
record Manifest(Path file, long number, LogRecords.Scan scan, long firstLog) {
  static final String CURRENT = "CURRENT";

  private static final Pattern NAME = Pattern.compile("(MANIFEST-(\\d{1,18}))\n");
  private static final int COMPARATOR = 1;
  private static final int LOG_NUMBER = 2;
  private static final int DATABASE_ID = (1 << 13) + 1;

  /**
   * Reads the manifest of a directory.
   *
   * @return null if there is no database yet
   * @throws StoreException if it cannot be found
   */
  static @Nullable Manifest read(Path directory) throws IOException {
    Path current = directory.resolve(CURRENT);
    if (!Files.exists(current)) {
      return null;
    }
    String content = Files.readString(current, StandardCharsets.ISO_8859_1);
    Matcher name = NAME.matcher(content);
    if (!name.matches() || !Files.exists(directory.resolve(name.group(1)))) {
      throw StoreDamage.ofFile(
          directory, CURRENT, "it does not name a file MANIFEST-* of this directory");
    }
    Path file = directory.resolve(name.group(1));
    long[] firstLog = {0};
    LogRecords.Scan scan =
        LogRecords.scan(
            file,
            change -> {
              firstLog[0] = Math.max(firstLog[0], logNumber(change));
              return null;
            });
    return new Manifest(file, Long.parseLong(name.group(2)), scan, firstLog[0]);
  }

  /** The log number that a change has; 0 if it has none. */
  private static long logNumber(ByteBuffer change) {
    while (change.hasRemaining()) {
      int tag = (int) varint(change);
      if (tag == LOG_NUMBER) {
        return varint(change);
      }
      if (tag != COMPARATOR && tag != DATABASE_ID) {
        return 0;
      }
      int length = (int) varint(change);
      change.position(Math.min(change.limit(), change.position() + length));
    }
    return 0;
  }

  private static long varint(ByteBuffer bytes) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE && bytes.hasRemaining(); shift += 7) {
      byte next = bytes.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        break;
      }
    }
    return value;
  }
}
