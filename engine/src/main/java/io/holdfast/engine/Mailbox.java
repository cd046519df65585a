package io.holdfast.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What waits for the shard, bounded by count and bytes: pushes are refused at 80 %, everything at
 * 100 %, so that what is in flight can still be settled when producers are too fast.
 *
 * <p>Thread: any number put in, one takes out.
 */
final class Mailbox {
  /** How much of its room a mailbox gives to pushes, in percent. */
  private static final int PUSH_PERCENT = 80;

  private final int max;
  private final long bytesMax;
  private final ConcurrentLinkedQueue<Task> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger depth = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  Mailbox(int max, long bytesMax) {
    this.max = max;
    this.bytesMax = bytesMax;
  }

  /** Puts a task in; false if there is no room for it. */
  boolean offer(Task task) {
    long percent = task.isPush() ? PUSH_PERCENT : 100;
    int count = depth.incrementAndGet();
    long total = bytes.addAndGet(task.bytes());
    boolean room = count * 100L <= max * percent && total * 100 <= bytesMax * percent;
    if (!room && count > 1) {
      depth.decrementAndGet();
      bytes.addAndGet(-task.bytes());
      return false;
    }
    tasks.add(task);
    return true;
  }

  /** Puts a task in, room or not: for the shard's own, and for what has begun. */
  void add(Task task) {
    depth.incrementAndGet();
    bytes.addAndGet(task.bytes());
    tasks.add(task);
  }

  /** Takes the next task; null if there is none, or a replacement of the store is next. */
  @Nullable Task poll() {
    return hasReplacementNext() ? null : take();
  }

  /** Takes the next task if it is a replacement of the store; null otherwise. */
  Task.@Nullable Replace pollReplacement() {
    return hasReplacementNext() && take() instanceof Task.Replace replace ? replace : null;
  }

  boolean hasReplacementNext() {
    return tasks.peek() instanceof Task.Replace;
  }

  /** Takes the next task, whatever it is. */
  @Nullable Task take() {
    Task task = tasks.poll();
    if (task != null) {
      depth.decrementAndGet();
      bytes.addAndGet(-task.bytes());
    }
    return task;
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  int depth() {
    return depth.get();
  }
}
