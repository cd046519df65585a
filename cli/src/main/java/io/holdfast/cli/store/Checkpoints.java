package io.holdfast.cli.store;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.engine.store.StoreException;
import io.holdfast.server.Upkeep.Checkpoint;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints of a broker, each in a directory of its own.
 *
 * <p>Invariant: one is created at a time, and a listed checkpoint is complete.
 *
 * <p>Thread: any.
 */
public final class Checkpoints {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

  /** Most checkpoints that are listed; the newest are kept. */
  private static final int LIST_MAX = 1_000;

  /** Written last into a checkpoint. */
  private static final String MARK = "HOLDFAST";

  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final Path directory;
  private final Consumer<Path> copy;
  private final Clock clock;
  private final ReentrantLock making = new ReentrantLock();

  /**
   * Checkpoints in a directory, which is created when needed.
   *
   * @param copy copies the store into a new directory
   */
  public Checkpoints(Path directory, Consumer<Path> copy, Clock clock) {
    this.directory = directory;
    this.copy = copy;
    this.clock = clock;
  }

  public Result<Checkpoint> make(@Nullable String name) {
    if (!making.tryLock()) {
      return Result.refused(
          ErrorCode.OVERLOADED, "another checkpoint is being created; try again later");
    }
    try {
      Path target = directory.resolve(name == null ? NAME.format(clock.instant()) : name);
      if (Files.exists(target)) {
        return Result.refused(
            ErrorCode.WRONG_STATE, "the checkpoint " + target + " exists; choose another name");
      }
      Files.createDirectories(directory);
      copy.accept(target);
      return Result.ok(describe(target));
    } catch (StoreException | IOException failed) {
      LOG.error("Checkpoint failed; the broker keeps running.", failed);
      return Result.refused(ErrorCode.READ_FAILED, "the checkpoint failed: " + failed.getMessage());
    } finally {
      making.unlock();
    }
  }

  public Result<List<Checkpoint>> list() {
    List<Checkpoint> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path one : all) {
        if (Files.exists(one.resolve(MARK)) && !one.toString().endsWith(".part")) {
          found.add(describe(one));
        }
      }
    } catch (NoSuchFileException none) {
      return Result.ok(List.of());
    } catch (IOException failed) {
      return Result.refused(
          ErrorCode.READ_FAILED, "the checkpoints could not be listed: " + failed);
    }
    found.sort(Comparator.comparingLong(Checkpoint::madeMs).thenComparing(Checkpoint::name));
    return Result.ok(found.subList(Math.max(0, found.size() - LIST_MAX), found.size()));
  }

  public static Checkpoint describe(Path checkpoint) throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(checkpoint)) {
      for (Path file : files) {
        bytes += Files.size(file);
      }
    }
    return new Checkpoint(
        String.valueOf(checkpoint.getFileName()),
        checkpoint.toAbsolutePath().normalize().toString(),
        bytes,
        Files.getLastModifiedTime(checkpoint.resolve(MARK)).toMillis());
  }
}
