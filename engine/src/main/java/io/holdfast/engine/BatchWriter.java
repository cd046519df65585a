package io.holdfast.engine;

import io.holdfast.engine.command.Reply;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that writes batches, one after the other, while the next one is being applied.
 *
 * <p>Thread: the apply thread hands batches over; this one owns them from then on.
 */
final class BatchWriter implements AutoCloseable {
  private final Shard shard;
  private final Thread thread;
  private volatile @Nullable Thread giver;
  private volatile @Nullable Batch handed;
  private volatile boolean closing;
  private volatile Reply.@Nullable Refused stopped;

  private final AtomicLong batches = new AtomicLong();
  private final AtomicLong synced = new AtomicLong();
  private final AtomicLong syncNanos = new AtomicLong();

  BatchWriter(Shard shard) {
    this.shard = shard;
    this.thread = Thread.ofPlatform().name("holdfast-write").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  boolean isIdle() {
    return handed == null;
  }

  long batches() {
    return batches.get();
  }

  long synced() {
    return synced.get();
  }

  long syncNanos() {
    return syncNanos.get();
  }

  /** Gives a batch to the writer, waiting until it has written the one before. */
  void hand(Batch batch) {
    giver = Thread.currentThread();
    while (handed != null && stopped == null) {
      LockSupport.park(this);
    }
    Reply.Refused refusal = stopped;
    if (refusal != null) {
      batch.tasks().forEach(task -> task.stop(refusal));
      return;
    }
    handed = batch;
    LockSupport.unpark(thread);
  }

  private void run() {
    while (true) {
      Batch batch = handed;
      if (batch == null) {
        if (closing) {
          return;
        }
        LockSupport.park(this);
        continue;
      }
      try {
        write(batch);
      } catch (Throwable error) {
        Reply.Refused refusal = shard.fail("write a batch", error);
        batch.tasks().forEach(task -> task.stop(refusal));
        return;
      }
      Throwable error = batch.release();
      if (error != null) {
        // Its callers have their answers. But calls that wait may not have been woken.
        shard.fail("run the effects of a stored batch", error);
        return;
      }
      handed = null;
      LockSupport.unpark(giver);
    }
  }

  private void write(Batch batch) {
    long start = System.nanoTime();
    shard.write(batch);
    if (batch.tx.writes() > 0) {
      batches.incrementAndGet();
      if (batch.sync) {
        synced.incrementAndGet();
        syncNanos.addAndGet(System.nanoTime() - start);
      }
    }
  }

  void stop(Reply.Refused refusal) {
    stopped = refusal;
    Thread waiting = giver;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /** Waits for the last batch, then ends the thread. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    Shard.join(thread);
  }
}
