package io.holdfast.engine.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The directories whose stores this process has open. RocksDB's own lock tells processes apart
 * only, and looking at its file from within the process that holds it would end it.
 *
 * <p>Thread: any.
 */
final class OpenStores {
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private OpenStores() {}

  /** Takes a directory for a store that is to be opened; false if it is taken. */
  static boolean add(Path directory) {
    return OPEN.add(real(directory));
  }

  static void remove(Path directory) {
    OPEN.remove(real(directory));
  }

  static boolean has(Path directory) {
    return OPEN.contains(real(directory));
  }

  private static Path real(Path directory) {
    try {
      return directory.toRealPath();
    } catch (IOException gone) {
      return directory.toAbsolutePath().normalize();
    }
  }
}
