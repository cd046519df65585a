package io.holdfast.server.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Hangs up on clients that take too long to send a body.
 *
 * <p>The web server reads without a limit of time. A virtual thread that waits for a client is
 * freed by an interrupt, which closes the connection.
 *
 * <p>Thread: any; one of its own looks at those that wait.
 */
public final class Patience implements AutoCloseable {
  private static final int LOOKS_PER_LIMIT = 4;

  private final Map<Thread, Long> sinceNanos = new ConcurrentHashMap<>();
  private final long limitNanos;
  private final Thread watch;

  public Patience(Duration limit) {
    this.limitNanos = limit.toNanos();
    this.watch = Thread.ofVirtual().name("holdfast-patience").unstarted(this::watch);
  }

  public void start() {
    watch.start();
  }

  /** Says that the calling thread begins to wait for a client. */
  void begin() {
    sinceNanos.put(Thread.currentThread(), System.nanoTime());
  }

  /** Says that the calling thread waits no more. */
  void end() {
    if (sinceNanos.remove(Thread.currentThread()) == null) {
      // The interrupt is for this wait, and must not meet what the thread does next.
      Thread.interrupted();
    }
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(Duration.ofNanos(limitNanos / LOOKS_PER_LIMIT));
        long now = System.nanoTime();
        sinceNanos.forEach(
            (thread, since) -> {
              if (now - since > limitNanos && sinceNanos.remove(thread, since)) {
                thread.interrupt();
              }
            });
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    watch.interrupt();
  }
}
