package io.holdfast.cluster.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Changes of files that survive a power cut. */
final class DurableFiles {
  private static final String PART = ".part";

  private DurableFiles() {}

  /** Writes a file, or replaces it as a whole. */
  static void write(Path file, byte[] content) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + PART);
    try (FileChannel channel =
        FileChannel.open(
            part,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    }
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncDirectory(parent(file));
  }

  /** Cuts a file off. */
  static void truncate(Path file, long size) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(size);
      channel.force(true);
    }
  }

  /** Makes directories, and the entries for them. */
  static void createDirectories(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Path parent = parent(directory);
      createDirectories(parent);
      Files.createDirectories(directory);
      syncDirectory(parent);
    }
  }

  /** Syncs the names in a directory: new, renamed and deleted files. */
  static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static Path parent(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IOException(file + " has no directory");
    }
    return parent;
  }
}
