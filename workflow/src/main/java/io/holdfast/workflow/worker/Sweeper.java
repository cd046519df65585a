package io.holdfast.workflow.worker;

import io.holdfast.api.TimerThread;
import io.holdfast.workflow.admin.Retention;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has what was kept long enough deleted now and then, for as long as a worker serves.
 *
 * <p>Thread: a new one for each sweep, one at a time.
 */
final class Sweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

  /** How long to wait between sweeps. */
  static final long EVERY_MS = 60_000;

  /** How long to wait if there is more to sweep. */
  private static final long SOON_MS = 1_000;

  private final Retention retention;
  private final TimerThread timer;
  private final AtomicBoolean closed = new AtomicBoolean();

  Sweeper(Retention retention, TimerThread timer) {
    this.retention = retention;
    this.timer = timer;
    next(EVERY_MS);
  }

  private void next(long ms) {
    timer.after(
        Duration.ofMillis(ms), () -> Thread.ofVirtual().name("flow-sweep").start(this::sweep));
  }

  private void sweep() {
    if (closed.get()) {
      return;
    }
    boolean more = false;
    try {
      more = retention.sweep();
    } catch (RuntimeException | Error trouble) {
      if (closed.get()) {
        return;
      }
      LOG.warn("Flows that ended long ago could not be deleted; that is tried again.", trouble);
    }
    next(more ? SOON_MS : EVERY_MS);
  }

  @Override
  public void close() {
    closed.set(true);
  }
}
