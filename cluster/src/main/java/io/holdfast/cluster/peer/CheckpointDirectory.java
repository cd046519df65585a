package io.holdfast.cluster.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * A directory for checkpoints that are being made or fetched. What an earlier process left in it is
 * deleted.
 *
 * <p>Thread: any.
 */
public final class CheckpointDirectory {
  private final Path path;
  private final AtomicLong numbers = new AtomicLong();

  private CheckpointDirectory(Path path) {
    this.path = path;
  }

  /**
   * Makes the directory, empty.
   *
   * @throws IOException if it cannot be written
   */
  public static CheckpointDirectory at(Path path) throws IOException {
    delete(path);
    Files.createDirectories(path);
    return new CheckpointDirectory(path);
  }

  /** A path in it that nothing uses. */
  Path next() {
    return path.resolve("checkpoint-" + numbers.incrementAndGet());
  }

  /** Deletes a directory with its files, if it exists. */
  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The files of a checkpoint, by their paths in it, in order. */
  static List<Path> files(Path checkpoint) throws IOException {
    try (Stream<Path> files = Files.walk(checkpoint)) {
      return files.filter(Files::isRegularFile).map(checkpoint::relativize).sorted().toList();
    } catch (UncheckedIOException unreadable) {
      throw unreadable.getCause();
    }
  }

  /** Makes the names of new files in a directory durable. */
  static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
