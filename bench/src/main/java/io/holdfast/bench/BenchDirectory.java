package io.holdfast.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * A directory of its own for one run of a bench, deleted when it is closed, and also if this JVM is
 * ended by a signal.
 */
public final class BenchDirectory implements AutoCloseable {
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

  /** Deletes a directory with all it holds. */
  public static void delete(Path directory) {
    try {
      Files.walkFileTree(directory, new Deletion());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + directory, e);
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
