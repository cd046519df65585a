package io.holdfast.client.consume;

import org.jspecify.annotations.Nullable;

/**
 * What a worker has done beside its handler: one job at a time, in a thread that begins with the
 * first job.
 *
 * <p>Invariant: the thread is never interrupted, and what a job throws is kept until it is asked
 * for.
 *
 * <p>Thread: its worker; the jobs run in a thread of their own, which is a daemon.
 */
final class Beside implements AutoCloseable {
  private final String name;
  private @Nullable Runnable job;
  private @Nullable RuntimeException trouble;
  private boolean begun;
  private boolean closed;

  Beside(String name) {
    this.name = name;
  }

  /** Begins a job. There must be none. */
  synchronized void begin(Runnable next) {
    job = next;
    if (!begun) {
      begun = true;
      Thread thread = new Thread(this::run, name);
      thread.setDaemon(true);
      thread.start();
    }
    notifyAll();
  }

  synchronized boolean isBusy() {
    return job != null;
  }

  private void run() {
    Runnable next = next();
    while (next != null) {
      RuntimeException thrown = null;
      try {
        next.run();
      } catch (RuntimeException failed) {
        thrown = failed;
      } catch (Error error) {
        thrown = new IllegalStateException("a worker failed", error);
      } finally {
        done(thrown);
      }
      next = next();
    }
  }

  private synchronized @Nullable Runnable next() {
    await(() -> job != null || closed);
    return job;
  }

  private synchronized void done(@Nullable RuntimeException thrown) {
    job = null;
    trouble = thrown;
    notifyAll();
  }

  /** Waits until the job is done, if there is one. */
  synchronized void await() {
    await(() -> job == null);
  }

  private void await(java.util.function.BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      try {
        wait();
      } catch (InterruptedException late) {
        // It was meant for the handler, which has returned; nobody interrupts this wait.
      }
    }
  }

  /** Throws what the last job has thrown, once. */
  synchronized void check() {
    RuntimeException thrown = trouble;
    trouble = null;
    if (thrown != null) {
      throw thrown;
    }
  }

  /** No more jobs will come. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
