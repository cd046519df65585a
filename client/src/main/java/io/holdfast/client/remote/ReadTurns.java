package io.holdfast.client.remote;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Decides which thread reads a connection.
 *
 * <p>The first caller that waits reads, for itself and for all others, until its own answer has
 * come; then another caller that waits takes over. So a single caller needs no other thread. Only
 * while nobody waits and requests are pending whose callers do not wait, a thread of the connection
 * reads; it starts with the first such request.
 *
 * <p>Invariant: {@code reading} is held while a thread reads, and whoever lets it go looks for a
 * successor after that. A caller is among the {@code waiting} before it tries to get it; so one of
 * the two sees the other.
 *
 * <p>Thread: any.
 */
final class ReadTurns {
  private final FrameConnection connection;
  private final String name;
  private final long checkNanos;
  private final ReentrantLock reading = new ReentrantLock();
  private final Set<PendingCall> waiting = new LinkedHashSet<>();
  private final AtomicInteger unattended = new AtomicInteger();
  private @Nullable Thread reader;
  private volatile boolean stopped;

  /**
   * @param checkMs how often the deadlines of requests are checked for which no thread waits
   */
  ReadTurns(FrameConnection connection, String name, long checkMs) {
    this.connection = connection;
    this.name = name;
    this.checkNanos = checkMs * 1_000_000;
  }

  /** A request is pending for which no thread waits. */
  void addUnattended() {
    unattended.incrementAndGet();
  }

  void removeUnattended() {
    unattended.decrementAndGet();
  }

  /** A request was sent: somebody has to read its answer. */
  void sent(PendingCall call) {
    if (!call.isBlocking()) {
      wakeReaderIfNobodyReads();
    }
  }

  void wakeReaderIfNobodyReads() {
    if (!reading.isLocked()) {
      wakeReader();
    }
  }

  /** Returns when a request of this thread has its outcome. */
  void await(PendingCall call) {
    while (!call.isDone()) {
      noteInterrupt(call);
      if (isOver(call)) {
        connection.giveUp(call);
      } else if (reading.tryLock()) {
        readFor(call);
      } else {
        follow(call);
      }
    }
    if (call.wasInterrupted()) {
      Thread.currentThread().interrupt();
    }
  }

  private void noteInterrupt(PendingCall call) {
    if (Thread.interrupted()) {
      call.noteInterrupt();
      connection.stopWaiting(call);
    }
  }

  /** Reads until a request has its outcome; this thread has the turn. */
  private void readFor(PendingCall call) {
    do {
      noteInterrupt(call);
      List<PendingCall> ended;
      try {
        ended = connection.read(call.deadlineNanos());
      } finally {
        reading.unlock();
      }
      // Dependent actions may ask the broker again on this thread, so it must not have the turn.
      tell(ended, call);
    } while (!isOver(call) && reading.tryLock());
    if (isOver(call)) {
      passOn();
    }
  }

  private static boolean isOver(PendingCall call) {
    return call.isDone() || call.deadlineNanos() - System.nanoTime() <= 0;
  }

  private static void tell(List<PendingCall> ended, @Nullable PendingCall own) {
    for (PendingCall call : ended) {
      if (call != own) {
        call.tell();
      }
    }
  }

  /** Waits until another thread that reads has the outcome, or leaves the reading. */
  private void follow(PendingCall call) {
    synchronized (waiting) {
      waiting.add(call);
    }
    try {
      // The one that reads may have looked for a successor just before.
      if (reading.isLocked() && !call.isDone()) {
        LockSupport.parkNanos(this, call.deadlineNanos() - System.nanoTime());
      }
    } finally {
      synchronized (waiting) {
        waiting.remove(call);
      }
    }
  }

  /** Nobody reads: lets the next caller do it, or else the thread of the connection. */
  private void passOn() {
    connection.closeIfDone();
    if (!wakeCaller() && unattended.get() > 0) {
      wakeReader();
    }
  }

  private boolean wakeCaller() {
    synchronized (waiting) {
      for (PendingCall call : waiting) {
        if (!call.isDone()) {
          call.tell();
          return true;
        }
      }
      return false;
    }
  }

  private boolean hasWaiting() {
    synchronized (waiting) {
      for (PendingCall call : waiting) {
        if (!call.isDone()) {
          return true;
        }
      }
      return false;
    }
  }

  /** Reads what is there, if nobody else reads. */
  void readNow() {
    if (reading.tryLock()) {
      List<PendingCall> ended;
      try {
        ended = connection.readAvailableNow();
      } finally {
        reading.unlock();
      }
      tell(ended, null);
      passOn();
    }
  }

  // The thread of the connection

  private synchronized void wakeReader() {
    if (stopped) {
      return;
    }
    Thread thread = reader;
    if (thread == null) {
      thread = new Thread(this::run, name);
      thread.setDaemon(true);
      reader = thread;
      thread.start();
    } else {
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!stopped) {
      if (unattended.get() == 0) {
        LockSupport.park(this);
      } else if (reading.tryLock()) {
        readForAll();
      } else {
        LockSupport.parkNanos(this, checkNanos);
        connection.expire();
      }
      // Nobody interrupts this thread but dependent actions of results.
      Thread.interrupted();
    }
  }

  private void readForAll() {
    long checkAt = System.nanoTime() + checkNanos;
    boolean goOn = true;
    while (goOn) {
      List<PendingCall> ended;
      try {
        ended = connection.read(checkAt);
      } finally {
        reading.unlock();
      }
      tell(ended, null);
      if (checkAt - System.nanoTime() <= 0) {
        connection.expire();
        checkAt = System.nanoTime() + checkNanos;
      }
      goOn = !stopped && unattended.get() > 0 && !hasWaiting() && reading.tryLock();
    }
    passOn();
  }

  /** The connection has ended. */
  synchronized void stop() {
    stopped = true;
    if (reader != null) {
      LockSupport.unpark(reader);
    }
  }
}
