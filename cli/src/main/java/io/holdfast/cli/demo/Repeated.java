package io.holdfast.cli.demo;

import java.time.Duration;

/**
 * Something that is done again and again until it is closed.
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

  /** Takes a while; less if it is interrupted, which whoever repeats it will see. */
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
