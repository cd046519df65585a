package io.holdfast.engine.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * RocksDB's files of large values. A finished one begins with a header and ends with a footer, both
 * with a magic number; the values between have checksums of their own, which reads check.
 */
final class BlobFiles {
  private static final String END = ".blob";
  private static final int MAGIC = 2_395_959;
  private static final int HEADER_BYTES = 30;
  private static final int FOOTER_BYTES = 32;

  private BlobFiles() {}

  /** A file that is missing or cut off, and why it is thought to be. */
  record Damaged(String name, String why) {}

  /** The files that a database needs and that are missing or cut off. */
  static List<Damaged> damaged(RocksDB db, Path directory) throws RocksDBException {
    List<Damaged> damaged = new ArrayList<>();
    for (String path : db.getLiveFiles(false).files) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      String why = name.endsWith(END) ? damage(directory.resolve(name)) : null;
      if (why != null) {
        damaged.add(new Damaged(name, why));
      }
    }
    return damaged;
  }

  private static @Nullable String damage(Path file) {
    if (!Files.exists(file)) {
      return "it is missing";
    }
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
      long size = bytes.length();
      if (size < HEADER_BYTES + FOOTER_BYTES || !hasMagic(bytes, 0)) {
        return "it has no header";
      }
      return hasMagic(bytes, size - FOOTER_BYTES) ? null : "its end is missing";
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static boolean hasMagic(RandomAccessFile bytes, long at) throws IOException {
    bytes.seek(at);
    return Integer.reverseBytes(bytes.readInt()) == MAGIC;
  }
}
