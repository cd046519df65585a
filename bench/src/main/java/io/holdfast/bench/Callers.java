package io.holdfast.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A number of callers at once, each a thread that repeats its work until it is done or told to
 * stop. The first failure of one of them ends all.
 *
 * <p>Thread: the one that measures.
 */
public final class Callers {
  /** What one caller repeats. */
  @FunctionalInterface
  public interface Work {
    /** Does one piece; answers how many messages were acknowledged, or {@link #DONE}. */
    long once() throws InterruptedException;

    /** The answer of a caller that has nothing left to do. */
    long DONE = -1;
  }

  private static final long LOOK_MS = 5;

  private final LongAdder acknowledged = new LongAdder();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  /** Starts callers; each number from 0 up gets work of its own. */
  public static Callers start(int count, IntFunction<Work> work) {
    return start(Thread.ofVirtual(), count, work);
  }

  /** The same in threads of another kind. */
  public static Callers start(Thread.Builder kind, int count, IntFunction<Work> work) {
    Callers callers = new Callers();
    for (int i = 0; i < count; i++) {
      Work own = work.apply(i);
      callers.threads.add(kind.name("caller-" + i).start(() -> callers.repeat(own)));
    }
    return callers;
  }

  private void repeat(Work work) {
    try {
      while (!stopped) {
        long count = work.once();
        if (count == Work.DONE) {
          return;
        }
        acknowledged.add(count);
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
      stopped = true;
    }
  }

  /** How many messages were acknowledged so far. */
  public long acknowledged() {
    return acknowledged.sum();
  }

  /** Lets time pass, and throws if a caller fails meanwhile. */
  public void await(long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() < end) {
      Thread.sleep(Math.min(LOOK_MS, Math.max(1, (end - System.nanoTime()) / 1_000_000)));
      check();
    }
  }

  /** Waits for a number of acknowledged messages, or for the end of all callers. */
  public void awaitAcknowledged(long count) throws InterruptedException {
    while (acknowledged() < count && alive()) {
      Thread.sleep(1);
      check();
    }
  }

  /** Whether a caller is still at work. */
  public boolean alive() {
    return threads.stream().anyMatch(Thread::isAlive);
  }

  /** The rate at which messages are acknowledged during a time from now on. */
  public double rate(long millis) throws InterruptedException {
    long before = acknowledged();
    long start = System.nanoTime();
    await(millis);
    return perSecond(acknowledged() - before, System.nanoTime() - start);
  }

  /** Asks the callers to end after what they are doing. */
  public void stop() {
    stopped = true;
  }

  /** Waits until all callers have ended, and throws what made one of them fail. */
  public void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    check();
  }

  private void check() {
    Throwable thrown = failure.get();
    if (thrown instanceof CheckFailedException failed) {
      throw failed;
    }
    if (thrown != null) {
      throw new IllegalStateException("a caller failed: " + thrown, thrown);
    }
  }

  public static double perSecond(long count, long nanos) {
    return count * 1e9 / Math.max(1, nanos);
  }
}
