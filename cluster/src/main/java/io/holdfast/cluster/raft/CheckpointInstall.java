package io.holdfast.cluster.raft;

import io.holdfast.engine.command.LogPosition;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the data of this node by a checkpoint of the leader, because the leader has deleted the
 * log that this node needs.
 *
 * <p>Thread: Ratis asks for one at a time; each is done on a thread of its own.
 */
final class CheckpointInstall {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointInstall.class);

  /** The leader asks again as soon as this has failed. */
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

  private final ReplicatedState state;
  private final CheckpointFetcher fetcher;

  CheckpointInstall(ReplicatedState state, CheckpointFetcher fetcher) {
    this.state = state;
    this.fetcher = fetcher;
  }

  /**
   * Copies a checkpoint and puts it in the place of the data.
   *
   * @return the position that the data then contain; null if the leader has no data yet
   */
  CompletableFuture<@Nullable TermIndex> start(Member leader) {
    CompletableFuture<@Nullable TermIndex> done = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("holdfast-install")
        .start(
            () -> {
              try {
                done.complete(install(leader));
              } catch (Exception | Error failed) {
                LOG.warn(
                    "The checkpoint of {} at {} could not be installed; it is tried again: {}",
                    leader.name(),
                    leader.address(),
                    String.valueOf(failed));
                pause();
                done.completeExceptionally(failed);
              }
            });
    return done;
  }

  private @Nullable TermIndex install(Member leader) throws IOException {
    LOG.info("Copying a checkpoint of {}: its log does not reach back far enough.", leader.name());
    Path checkpoint = fetcher.fetch(leader);
    try {
      LogPosition position = state.replaceWith(checkpoint);
      LOG.info("Installed a checkpoint of {} up to entry {}.", leader.name(), position.index());
      return position.equals(LogPosition.START)
          ? null
          : TermIndex.valueOf(position.term(), position.index());
    } finally {
      deleteRest(checkpoint);
    }
  }

  private static void deleteRest(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_AFTER_FAILURE);
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }
}
