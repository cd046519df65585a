package io.holdfast.client.remote;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends the frames of one connection in the order in which they came, without blocking.
 *
 * <p>A thread that finds another one writing leaves its frame to that one: so the frames of many
 * threads leave in one write. If the peer does not read, {@link #isBlocked} says so, and whoever
 * reads the connection calls {@link #flush} again when it is writable.
 *
 * <p>Invariant: after {@link #flush} either nothing is left, or {@code blocked} is set, or another
 * thread is in it.
 *
 * <p>Thread: any.
 */
final class FrameWriter {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Link link;
  private final Queue<PendingCall> waiting = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
  private @Nullable PendingCall current;
  private int copied;
  private long copiedBytes;
  private long sentBytes;
  private volatile boolean blocked;

  FrameWriter(Link link) {
    this.link = link;
  }

  void add(PendingCall call) {
    waiting.add(call);
  }

  boolean isBlocked() {
    return blocked;
  }

  /** Sends what waits, as far as the peer takes it. */
  void flush() throws IOException {
    while (hasMore() && lock.tryLock()) {
      boolean sent;
      try {
        sent = write();
      } finally {
        lock.unlock();
      }
      if (!sent) {
        return;
      }
    }
  }

  private boolean hasMore() {
    return blocked || !waiting.isEmpty();
  }

  /** Returns whether all that waited was sent. */
  private boolean write() throws IOException {
    fill();
    boolean sent = true;
    while (sent && buffer.hasRemaining()) {
      int before = buffer.position();
      sent = link.write(buffer);
      sentBytes += buffer.position() - before;
      if (sent) {
        fill();
      }
    }
    blocked = !sent;
    return sent;
  }

  private void fill() {
    buffer.compact();
    while (buffer.hasRemaining() && (current != null || next())) {
      copy(current);
    }
    buffer.flip();
  }

  private boolean next() {
    PendingCall call = waiting.poll();
    while (call != null && !call.beginSending()) {
      call = waiting.poll();
    }
    current = call;
    copied = 0;
    return call != null;
  }

  private void copy(@Nullable PendingCall call) {
    if (call == null) {
      return;
    }
    int count = Math.min(buffer.remaining(), call.frame.length - copied);
    buffer.put(call.frame, copied, count);
    copied += count;
    copiedBytes += count;
    if (copied == call.frame.length) {
      call.endOffset = copiedBytes;
      current = null;
    }
  }

  /** Whether all bytes of a request may have been sent. */
  boolean isSent(PendingCall call) {
    // With the lock nobody is just sending them.
    lock.lock();
    try {
      return call.endOffset > 0 && sentBytes >= call.endOffset;
    } finally {
      lock.unlock();
    }
  }
}
