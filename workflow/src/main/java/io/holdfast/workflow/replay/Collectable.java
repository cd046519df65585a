package io.holdfast.workflow.replay;

import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this JVM lets go of a virtual thread that waits and that nobody knows any more.
 *
 * <p>It does unless it keeps track of all of them, which it does by default. The property that
 * turns that off is read when the first virtual thread starts; so it is set here, and then tried.
 */
public final class Collectable {
  private static final Logger LOG = LoggerFactory.getLogger(Collectable.class);
  private static final String PROPERTY = "jdk.trackAllThreads";
  private static final int TRIES_MAX = 20;
  private static final int TRY_MS = 5;

  /**
   * Not the lock of a class initializer: who waits for that, or in it, holds the carrier of a
   * virtual thread, and the thread that is tried needs one.
   */
  private static final ReentrantLock TRYING = new ReentrantLock();

  private static volatile @Nullable Boolean result;

  private Collectable() {}

  /** Asks the JVM not to keep track; without effect once a virtual thread has been started. */
  public static void prefer() {
    if (System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, "false");
    }
  }

  public static boolean threads() {
    Boolean known = result;
    if (known == null) {
      TRYING.lock();
      try {
        known = result;
        if (known == null) {
          known = collects();
          result = known;
        }
      } finally {
        TRYING.unlock();
      }
    }
    return known;
  }

  private static boolean collects() {
    if (!"false".equals(System.getProperty(PROPERTY))) {
      return warned();
    }
    WeakReference<Thread> waiting = new WeakReference<>(waitingThread());
    for (int i = 0; i < TRIES_MAX; i++) {
      System.gc();
      if (waiting.get() == null) {
        return true;
      }
      LockSupport.parkNanos(TRY_MS * 1_000_000L);
    }
    return warned();
  }

  private static boolean warned() {
    LOG.warn(
        "This JVM keeps track of all virtual threads, so a flow that is put away is ended with an"
            + " error, and code in its finally blocks runs. Start the JVM with -D{}=false.",
        PROPERTY);
    return false;
  }

  private static Thread waitingThread() {
    CountDownLatch begun = new CountDownLatch(1);
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  begun.countDown();
                  while (true) {
                    LockSupport.park();
                  }
                });
    try {
      begun.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return thread;
  }
}
