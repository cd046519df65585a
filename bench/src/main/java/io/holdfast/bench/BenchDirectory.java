package io.holdfast.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A directory of its own for one run of a bench, deleted when it is closed, and also if this JVM is
 * ended by a signal.
 */
public final class BenchDirectory implements AutoCloseable {
  private static final int DELETE_TRIES_MAX = 50;
  private static final long DELETE_PAUSE_NANOS = 100_000_000;

  private final Path path;
  private final Runnable onExit = this::deleteUnlessKept;
  private volatile boolean kept;

  private BenchDirectory(Path path) {
    this.path = path;
    ExitActions.add(onExit);
  }

  /**
   * Makes a new directory.
   *
   * @param parent where; null for {@code target} of the current directory if there is one, because
   *     the system's temporary directory may be in memory, else for that one
   */
  public static BenchDirectory in(@Nullable Path parent) {
    Path target = Path.of("target").toAbsolutePath();
    Path place =
        parent != null
            ? parent.toAbsolutePath()
            : Files.isDirectory(target) ? target : Path.of(System.getProperty("java.io.tmpdir"));
    try {
      Files.createDirectories(place);
      return new BenchDirectory(Files.createTempDirectory(place, "bench-"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a directory in " + place, e);
    }
  }

  /** Lets other users reach directories in it that are theirs; they cannot list it. */
  public void letOthersPass() throws IOException {
    if (Files.getFileAttributeView(path, PosixFileAttributeView.class) != null) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
    }
  }

  public Path path() {
    return path;
  }

  /** Leaves the directory where it is, for somebody to look at. */
  public void keep() {
    kept = true;
  }

  @Override
  public void close() {
    ExitActions.remove(onExit);
    deleteUnlessKept();
  }

  private void deleteUnlessKept() {
    if (!kept) {
      delete(path);
    }
  }

  /**
   * Deletes a directory with all it holds. A process that was just ended may still change it, so a
   * failure is tried again.
   */
  public static void delete(Path directory) {
    for (int tries = 1; ; tries++) {
      try {
        Files.walkFileTree(directory, new Deletion());
        return;
      } catch (IOException e) {
        if (tries == DELETE_TRIES_MAX) {
          throw new UncheckedIOException("cannot delete " + directory, e);
        }
        LockSupport.parkNanos(DELETE_PAUSE_NANOS);
      }
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
