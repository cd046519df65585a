package io.holdfast.workflow.replay;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this JVM collects a virtual thread that waits and that nobody refers to.
 *
 * <p>It does unless it keeps track of all of them, which it does by default. The property that
 * turns that off is read when the first virtual thread starts; so it is set here, and then tried,
 * once, on a thread of its own: the trial collects garbage.
 */
public final class Collectable {
  private static final Logger LOG = LoggerFactory.getLogger(Collectable.class);
  private static final String PROPERTY = "jdk.trackAllThreads";
  private static final int COLLECTIONS_MAX = 3;
  private static final long PAUSE_NANOS = 5_000_000;

  private static final AtomicBoolean STARTED = new AtomicBoolean();
  private static final CompletableFuture<Boolean> TRIAL = new CompletableFuture<>();

  private Collectable() {}

  /** Asks the JVM not to keep track; without effect once a virtual thread has been started. */
  public static void prefer() {
    if (System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, "false");
    }
  }

  /**
   * Runs an action if waiting threads are not collected. If that is not known yet, the action runs
   * later, on another thread.
   */
  static void unlessCollected(Runnable action) {
    if (STARTED.compareAndSet(false, true)) {
      Thread.ofPlatform().name("flow-collectable").daemon().start(Collectable::runTrial);
    }
    CompletableFuture<Void> _ =
        TRIAL.thenAccept(
            collects -> {
              if (!collects) {
                action.run();
              }
            });
  }

  private static void runTrial() {
    boolean collects = false;
    try {
      collects = "false".equals(System.getProperty(PROPERTY)) && collects();
    } finally {
      if (!collects) {
        LOG.warn(
            "This JVM keeps track of all virtual threads, so a flow that is evicted from memory is"
                + " ended with an error, and code in its finally blocks runs. Start the JVM with"
                + " -D{}=false.",
            PROPERTY);
      }
      TRIAL.complete(collects);
    }
  }

  private static boolean collects() {
    WeakReference<Thread> waiting = new WeakReference<>(waitingThread());
    for (int i = 0; i < COLLECTIONS_MAX; i++) {
      System.gc();
      if (waiting.refersTo(null)) {
        return true;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return false;
  }

  private static Thread waitingThread() {
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (true) {
                    LockSupport.park();
                  }
                });
    while (thread.getState() != Thread.State.WAITING) {
      LockSupport.parkNanos(PAUSE_NANOS / 10);
    }
    return thread;
  }
}
