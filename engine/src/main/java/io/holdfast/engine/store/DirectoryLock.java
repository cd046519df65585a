package io.holdfast.engine.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * RocksDB's lock of a directory, held while files of a store are read or mended without RocksDB.
 * Closing it ends any lock that this process has on the directory, so {@link OpenStores} has to be
 * asked first.
 */
final class DirectoryLock implements AutoCloseable {
  /** The name of the lock file. */
  static final String LOCK = "LOCK";

  private final Path directory;
  private final @Nullable FileChannel file;

  private DirectoryLock(Path directory, @Nullable FileChannel file) {
    this.directory = directory;
    this.file = file;
  }

  /**
   * Takes the lock. A directory without a lock file was never opened; it stays without one.
   *
   * @throws StoreException if another process has the lock
   */
  static DirectoryLock take(Path directory) {
    Path path = directory.resolve(LOCK);
    if (!Files.exists(path)) {
      return new DirectoryLock(directory, null);
    }
    try {
      FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        throw RocksFailure.isOpen(directory, null);
      }
      return new DirectoryLock(directory, channel);
    } catch (IOException e) {
      throw new StoreException("The store " + directory + " cannot be used (" + e + ").", e);
    }
  }

  @Override
  public void close() {
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw new StoreException("The lock of " + directory + " was not released (" + e + ").", e);
      }
    }
  }
}
