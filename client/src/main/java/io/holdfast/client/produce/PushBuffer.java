package io.holdfast.client.produce;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.client.Signal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Messages on their way to a queue, pushed in batches.
 *
 * <p>It holds at most its capacity: a push waits while it is full. With one batch in flight, which
 * is the default, messages are stored in the order in which they came. A batch that fails is tried
 * again under the same request id, so that none is stored twice; one that is refused for good, or
 * fails for too long, fails the futures of its messages, and those behind it go on.
 *
 * <p>Invariant: every message is in {@code unanswered} from its push until its future is done. Its
 * room is free before that, so that a dependent of the future may push.
 *
 * <p>Thread: any may push, flush and close. Futures are completed by the threads that send, so
 * their dependents must be short. A push of a dependent never waits for room, which only its own
 * thread may be able to free; so these pushes may exceed the capacity.
 */
public final class PushBuffer implements AutoCloseable {
  /** Payload bytes at which a batch is sent, however few messages it has. */
  private static final long BATCH_BYTES_MAX = 4L << 20;

  private final TimeSource time;
  private final String queue;
  private final String partition;
  private final BufferOptions options;
  private final Signal signal;
  private final BatchSender sender;
  private final Deque<PushItem> waiting = new ArrayDeque<>();
  private final Set<PushItem> unanswered = new LinkedHashSet<>();
  private long numbers;
  private long waitingBytes;
  private final List<Thread> senders = new ArrayList<>();

  /** Messages that take up room, and the bytes of their payloads. */
  private int held;

  private long heldBytes;

  /** Messages before this number are to be sent without waiting for more. */
  private long flushBefore;

  /** Whether somebody waits for room, so that nothing is gained by waiting for more. */
  private boolean crowded;

  private boolean closed;

  public PushBuffer(
      Broker broker, TimeSource time, String queue, String partition, BufferOptions options) {
    this.time = time;
    this.queue = queue;
    this.partition = partition;
    this.options = options;
    this.signal = new Signal(time);
    this.sender = new BatchSender(broker, time, signal, queue, this::freeRoom);
    for (int i = 0; i < options.inFlight(); i++) {
      Thread thread = new Thread(this::run, "holdfast-push-" + queue + "-" + i);
      thread.setDaemon(true);
      senders.add(thread);
    }
    senders.forEach(Thread::start);
  }

  /** Takes a text, as UTF-8. */
  public CompletableFuture<PushedMessage> push(String text) {
    return push(Outgoing.text(text));
  }

  public CompletableFuture<PushedMessage> push(Outgoing message) {
    return push(partition, message);
  }

  /**
   * Takes a message for a partition, waiting for room.
   *
   * @return done when the message is stored, or when it failed
   * @throws IllegalStateException if this is closed, or the thread is interrupted while it waits:
   *     the message was not taken
   */
  public CompletableFuture<PushedMessage> push(String toPartition, Outgoing message) {
    PushItem item = new PushItem(message.to(queue, toPartition));
    await(() -> add(item));
    if (item.wakesSender) {
      signal.tell();
    }
    return item.future;
  }

  private void await(BooleanSupplier condition) {
    try {
      signal.await(condition, signal.never());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "expected to wait for the buffer of queue " + queue + ", but was interrupted",
          interrupted);
    }
  }

  private synchronized boolean add(PushItem item) {
    if (closed) {
      throw new IllegalStateException(
          "expected an open buffer, but the one of queue " + queue + " is closed");
    }
    boolean full =
        held >= options.capacity()
            || (heldBytes > 0 && heldBytes + item.bytes() > options.capacityBytes());
    if (full && !isSender()) {
      // Whoever sends may have been waiting for a fuller batch.
      boolean first = !crowded;
      crowded = true;
      if (first) {
        signal.tell();
      }
      return false;
    }
    item.number = numbers++;
    item.addedNanos = time.nanos();
    waiting.add(item);
    waitingBytes += item.bytes();
    unanswered.add(item);
    held++;
    heldBytes += item.bytes();
    item.wakesSender = waiting.size() == 1 || isDue();
    return true;
  }

  private boolean isSender() {
    return senders.contains(Thread.currentThread());
  }

  /** A thread that sends would wait for itself. */
  private void rejectSender(String what) {
    if (isSender()) {
      throw new IllegalStateException(
          what + ": expected a thread of the application, but a dependent of a future called it");
    }
  }

  /**
   * Waits until every message that was pushed before is stored or has failed.
   *
   * @throws IllegalStateException if the thread is interrupted, or a dependent of a future calls it
   */
  public void flush() {
    rejectSender("flush");
    long before = markForFlush();
    signal.tell();
    await(() -> isAnswered(before));
  }

  private synchronized long markForFlush() {
    flushBefore = numbers;
    return numbers;
  }

  private synchronized boolean isAnswered(long before) {
    return unanswered.isEmpty() || unanswered.iterator().next().number >= before;
  }

  /** How many messages are neither stored nor failed yet. */
  public synchronized int pending() {
    return unanswered.size();
  }

  /**
   * Takes no more and waits until every message is stored or has failed. If the thread is
   * interrupted while it waits, nothing is tried again: what is left fails.
   *
   * @throws IllegalStateException if a dependent of a future calls it
   */
  @Override
  public void close() {
    rejectSender("close");
    synchronized (this) {
      closed = true;
    }
    signal.tell();
    try {
      flush();
    } catch (IllegalStateException interrupted) {
      sender.giveUp();
      signal.tell();
    }
  }

  // Sending

  private void run() {
    List<PushItem> batch = next();
    while (!batch.isEmpty()) {
      sender.send(batch, deadline(batch));
      answered(batch);
      batch = next();
    }
  }

  private long deadline(List<PushItem> batch) {
    return batch.get(0).addedNanos + options.retryFor().toNanos();
  }

  /** The next batch, as soon as it is due; empty if there will be none any more. */
  private List<PushItem> next() {
    while (true) {
      PushItem first;
      long deadline;
      synchronized (this) {
        if (isDue()) {
          return cut();
        }
        if (closed && waiting.isEmpty()) {
          return List.of();
        }
        first = waiting.peek();
        deadline = first == null ? signal.never() : first.addedNanos + options.linger().toNanos();
      }
      try {
        signal.await(() -> isNews(first), deadline);
      } catch (InterruptedException impossible) {
        throw new IllegalStateException("nobody interrupts this thread", impossible);
      }
    }
  }

  private synchronized boolean isNews(@Nullable PushItem first) {
    return isDue() || waiting.peek() != first || (closed && waiting.isEmpty());
  }

  private boolean isDue() {
    PushItem first = waiting.peek();
    return first != null
        && (waiting.size() >= options.count()
            || waitingBytes >= BATCH_BYTES_MAX
            || first.number < flushBefore
            || crowded
            || closed
            || time.nanos() - first.addedNanos >= options.linger().toNanos());
  }

  private List<PushItem> cut() {
    List<PushItem> batch = new ArrayList<>(Math.min(options.count(), waiting.size()));
    long bytes = 0;
    PushItem first = waiting.peek();
    while (first != null
        && batch.size() < options.count()
        && (batch.isEmpty() || bytes + first.bytes() <= BATCH_BYTES_MAX)) {
      batch.add(first);
      bytes += first.bytes();
      waiting.remove();
      first = waiting.peek();
    }
    waitingBytes -= bytes;
    return batch;
  }

  /** The futures of these messages are about to be completed. */
  private void freeRoom(List<PushItem> items) {
    synchronized (this) {
      held -= items.size();
      items.forEach(item -> heldBytes -= item.bytes());
      crowded = false;
    }
    signal.tell();
  }

  private void answered(List<PushItem> batch) {
    synchronized (this) {
      batch.forEach(unanswered::remove);
    }
    signal.tell();
  }
}
