package io.holdfast.engine.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a store on a disk.
 *
 * <p>Invariant: nothing is written into a directory that is neither empty nor marked as a store.
 */
final class StoreDirectory {
  /** A file of ours among RocksDB's, so that no other program's RocksDB is taken for a store. */
  static final String MARK = "HOLDFAST";

  private static final String MARK_TEXT =
      "This directory is a Holdfast store. Do not change, add or remove files here.\n";

  private final Path path;

  StoreDirectory(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /** Makes the directory if there is none, and marks it if it is empty. */
  void prepare() {
    try {
      if (Files.exists(path) && !Files.isDirectory(path)) {
        throw new StoreException(path + " is a file: name a directory for the store.", null);
      }
      if (!Files.exists(path)) {
        Files.createDirectories(path);
        keepFromOthers();
        forceDirectory(path.toAbsolutePath().getParent());
      }
      Set<String> names = names();
      if (names.isEmpty()) {
        mark();
      } else if (!names.contains(MARK)) {
        throw new StoreException(
            "The directory "
                + path
                + " is not empty and is no Holdfast store: name an empty or a new directory.",
            null);
      } else if (!names.contains(Manifest.CURRENT)
          && !names.contains(StoreReplacement.MARKER)
          && names.stream().anyMatch(StoreDirectory::holdsRows)) {
        throw new StoreException(
            "The store "
                + path
                + " is damaged: its file CURRENT is missing. Restore it from a checkpoint.",
            null);
      }
    } catch (IOException e) {
      throw new StoreException("The directory " + path + " cannot be used (" + e + ").", e);
    }
  }

  /** Payloads are in there: where files have owners, only that one may look. */
  void keepFromOthers() throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view != null) {
      view.setPermissions(PosixFilePermissions.fromString("rwx------"));
    }
  }

  void mark() throws IOException {
    Path file = path.resolve(MARK);
    Files.writeString(file, MARK_TEXT);
    forceFile(file);
    forceDirectory(path);
  }

  /**
   * Syncs all files and the directory, so that a copy survives a power cut. RocksDB has synced the
   * sorted files that a checkpoint links to, and syncs the files that it copies; for those this
   * costs little, and files that came from elsewhere are synced too.
   */
  void force() throws IOException {
    for (Path file : files()) {
      forceFile(file);
    }
    forceDirectory(path);
  }

  static void forceFile(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** All files; directories are left out. */
  List<Path> files() throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(path)) {
      for (Path file : all) {
        if (!Files.isDirectory(file)) {
          found.add(file);
        }
      }
    }
    return found;
  }

  static void forceDirectory(@Nullable Path directory) {
    if (directory == null) {
      return;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Some systems do not let a directory be opened; they keep its entries by themselves.
      return;
    }
  }

  /** Removes what there is of a copy. */
  static void remove(Path copy) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(copy)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(copy);
    } catch (IOException stays) {
      // The next checkpoint with this name reports it; the first error matters more here.
    }
  }

  private static boolean holdsRows(String name) {
    return name.endsWith(".sst") || name.endsWith(".log");
  }

  private Set<String> names() throws IOException {
    Set<String> names = new HashSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        names.add(String.valueOf(file.getFileName()));
      }
    }
    return names;
  }

  /** The sizes of all files. */
  long bytes() {
    long sum = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        sum += size(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sum;
  }

  // RocksDB deletes files at any time.
  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }
}
