package io.holdfast.workflow.replay;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread that runs only while another one waits for it.
 *
 * <p>Invariant: between {@link #resume} and the next {@link #pause} the code runs and the driver
 * waits; otherwise the code waits. So whatever the two share needs no lock.
 *
 * <p>Nothing is thrown to make the code wait. One that is given up is left waiting and forgotten:
 * none of its code runs any more. A JVM that keeps track of all virtual threads would never let go
 * of it; there, {@link Unwound} is thrown through it instead.
 *
 * <p>Thread: one driver at a time.
 */
final class Coroutine {
  private static final int REFUSALS_MAX = 100;

  private final Thread thread;
  private volatile @Nullable Thread driver;
  private volatile boolean running;
  private volatile boolean givenUp;
  private boolean started;
  private int refusals;

  Coroutine(String name, Runnable code) {
    this.thread =
        Thread.ofVirtual()
            .name(name)
            .unstarted(
                () -> {
                  try {
                    code.run();
                  } catch (Unwound over) {
                    // Nobody waits for it.
                  } finally {
                    running = false;
                    LockSupport.unpark(driver);
                  }
                });
  }

  /** Lets the code run, and waits until it pauses or is over. */
  void resume() {
    driver = Thread.currentThread();
    running = true;
    if (started) {
      LockSupport.unpark(thread);
    } else {
      started = true;
      thread.start();
    }
    boolean interrupted = false;
    while (running) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    driver = null;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Called by the code: lets the driver go on, and waits until it is resumed. */
  void pause() {
    checkNotGivenUp();
    running = false;
    LockSupport.unpark(driver);
    while (!running) {
      LockSupport.park(this);
      Thread.interrupted();
    }
    checkNotGivenUp();
  }

  /**
   * Called by the code: ends it if it was given up. Code that catches that again and again is left
   * waiting, so that it does not run for ever.
   */
  void checkNotGivenUp() {
    if (!givenUp) {
      return;
    }
    for (refusals++; refusals > REFUSALS_MAX; ) {
      LockSupport.park(this);
    }
    throw new Unwound();
  }

  boolean isCurrent() {
    return thread.equals(Thread.currentThread());
  }

  /** The code will never be resumed. */
  void giveUp() {
    if (started && thread.isAlive()) {
      Collectable.unlessCollected(this::unwind);
    }
  }

  private void unwind() {
    givenUp = true;
    running = true;
    LockSupport.unpark(thread);
  }

  StackTraceElement[] stack() {
    return thread.getStackTrace();
  }
}
