package io.holdfast.server.access;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at things every quarter of a second: whether files were changed, or something took too
 * long.
 *
 * <p>It looks instead of being told, because that works on every file system.
 *
 * <p>Thread: {@code holdfast-watch} makes all looks, one after the other.
 */
public final class Watch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  /** The time between the end of one look and the beginning of the next. */
  public static final Duration PERIOD = Duration.ofMillis(250);

  private final List<Runnable> looks = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("holdfast-watch").factory());

  public Watch() {
    long periodMs = PERIOD.toMillis();
    var _ = thread.scheduleWithFixedDelay(this::look, periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  public void every(Runnable look) {
    looks.add(look);
  }

  private void look() {
    for (Runnable look : looks) {
      try {
        look.run();
      } catch (RuntimeException | Error failed) {
        LOG.error("A look at files or connections failed; it is made again.", failed);
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
