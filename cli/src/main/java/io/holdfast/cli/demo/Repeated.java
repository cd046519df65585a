package io.holdfast.cli.demo;

import java.time.Duration;

/**
 * An action that is repeated until it is closed.
 *
 * <p>Thread: a virtual one of its own.
 */
final class Repeated implements AutoCloseable {
  private final Thread thread;

  private Repeated(Thread thread) {
    this.thread = thread;
  }

  static Repeated every(Duration pace, Runnable task) {
    return new Repeated(
        Thread.ofVirtual()
            .name("demo")
            .start(
                () -> {
                  while (!Thread.currentThread().isInterrupted()) {
                    task.run();
                    rest(pace);
                  }
                }));
  }

  /** Waits; returns early if the thread is interrupted. */
  static void rest(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
