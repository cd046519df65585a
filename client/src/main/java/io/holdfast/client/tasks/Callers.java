package io.holdfast.client.tasks;

import java.util.HashSet;
import java.util.Set;

/**
 * The threads that wait inside a broker's pop, so that a close can call them back.
 *
 * <p>An interrupt is what wakes a pop. One that a close has sent is taken away again before the
 * thread gets back to its owner.
 *
 * <p>Thread: any; the lock is not held while they wait.
 */
final class Callers {
  private final Set<Thread> waiting = new HashSet<>();
  private final Set<Thread> calledBack = new HashSet<>();
  private boolean closed;

  /** Goes to wait; false if it is closed. */
  synchronized boolean enter() {
    if (!closed) {
      waiting.add(Thread.currentThread());
    }
    return !closed;
  }

  synchronized void leave() {
    Thread thread = Thread.currentThread();
    waiting.remove(thread);
    if (calledBack.remove(thread)) {
      Thread.interrupted();
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Calls everybody back; false if that was done before. */
  synchronized boolean close() {
    boolean first = !closed;
    closed = true;
    for (Thread thread : waiting) {
      calledBack.add(thread);
      thread.interrupt();
    }
    waiting.clear();
    return first;
  }
}
