package io.holdfast.client.acks;

import io.holdfast.api.Limits;
import io.holdfast.api.TimeSource;
import io.holdfast.api.TimerThread;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Acks that wait to be sent together: one batch for each topic and subscription.
 *
 * <p>It knows when a batch has to go, not how: {@link #add} says that one is full, and {@code due}
 * is called by the timer thread when the first ack of one has waited for the timeout. Later acks do
 * not put that off.
 *
 * <p>Invariant: every batch holds at least one bookmark and, until this is closed, has a timer
 * task.
 *
 * <p>Thread: any. It calls nobody while it is locked.
 */
final class AckBuffer implements AutoCloseable {
  /** Whose acks one batch holds. */
  record Key(String topic, String subId) {}

  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final Duration TIMEOUT_MAX = Duration.ofMillis(Limits.LEASE_MS_MAX);

  private static final class Batch {
    private final LinkedHashSet<Bookmark> bookmarks = new LinkedHashSet<>();
    private final long sinceNanos;
    private TimerThread.@Nullable ScheduledTask dueTask;

    private Batch(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

  private final TimeSource time;
  private final TimerThread timer;
  private final Consumer<Key> due;
  private final Map<Key, Batch> batches = new LinkedHashMap<>();
  private int batchSize = 1;
  private Duration timeout = TIMEOUT;
  private boolean closed;

  AckBuffer(TimeSource time, TimerThread timer, Consumer<Key> due) {
    this.time = time;
    this.timer = timer;
    this.due = due;
  }

  synchronized int batchSize() {
    return batchSize;
  }

  /** Batches that are full by the new size are due at once. */
  synchronized void batchSize(int size) {
    if (size < 1 || size > Limits.OPERATIONS_MAX) {
      throw new IllegalArgumentException(
          "ackBatchSize: expected 1 to " + Limits.OPERATIONS_MAX + ", but got " + size);
    }
    batchSize = size;
    batches.forEach(this::arm);
  }

  synchronized Duration timeout() {
    return timeout;
  }

  /** It holds for batches that wait already, too. */
  synchronized void timeout(Duration limit) {
    if (limit.isNegative() || limit.isZero() || limit.compareTo(TIMEOUT_MAX) > 0) {
      throw new IllegalArgumentException(
          "ackTimeout: expected more than zero and at most " + TIMEOUT_MAX + ", but got " + limit);
    }
    timeout = limit;
    batches.forEach(this::arm);
  }

  /** Adds an ack to its batch; true if the batch is full and has to go. */
  synchronized boolean add(Key key, Bookmark bookmark) {
    Batch batch = batches.get(key);
    if (batch == null) {
      batch = begin(key);
    }
    batch.bookmarks.add(bookmark);
    return batch.bookmarks.size() >= batchSize;
  }

  private Batch begin(Key key) {
    Batch batch = new Batch(time.nanos());
    batches.put(key, batch);
    arm(key, batch);
    return batch;
  }

  private void arm(Key key, Batch batch) {
    if (batch.dueTask != null) {
      batch.dueTask.cancel();
    }
    if (!closed) {
      boolean full = batch.bookmarks.size() >= batchSize;
      long dueNanos = batch.sinceNanos + (full ? 0 : timeout.toNanos());
      batch.dueTask = timer.at(dueNanos, () -> timedOut(key, batch));
    }
  }

  private void timedOut(Key key, Batch batch) {
    synchronized (this) {
      // It may have been taken while its timeout ran.
      if (batches.get(key) != batch) {
        return;
      }
    }
    due.accept(key);
  }

  /** Takes what waits for one key, in the order it came; empty if nothing does. */
  synchronized List<Bookmark> take(Key key) {
    Batch batch = batches.remove(key);
    if (batch == null) {
      return List.of();
    }
    if (batch.dueTask != null) {
      batch.dueTask.cancel();
    }
    return List.copyOf(batch.bookmarks);
  }

  /** Puts back what could not be sent, before what came since; it is due after a whole timeout. */
  synchronized void putBack(Key key, Collection<Bookmark> unsent) {
    if (unsent.isEmpty()) {
      return;
    }
    List<Bookmark> since = take(key);
    Batch batch = new Batch(time.nanos());
    batches.put(key, batch);
    // Armed while it is empty: a full batch would be due at once, and fail again at once.
    arm(key, batch);
    batch.bookmarks.addAll(unsent);
    batch.bookmarks.addAll(since);
  }

  /** Takes out one that was settled otherwise. */
  synchronized void remove(Key key, Bookmark bookmark) {
    Batch batch = batches.get(key);
    if (batch != null && batch.bookmarks.remove(bookmark) && batch.bookmarks.isEmpty()) {
      take(key);
    }
  }

  /** From now on nothing becomes due; what waits can still be taken. */
  @Override
  public synchronized void close() {
    closed = true;
    batches.forEach(this::arm);
  }
}
