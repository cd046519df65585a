package io.holdfast.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Messages that a client received in the background, until a caller takes them. The prefetch of the
 * client limits how many there are.
 *
 * <p>Thread: any.
 */
final class ReceiveBuffer<T> {
  private final BlockingQueue<T> received = new LinkedBlockingQueue<>();

  void add(T message) {
    received.add(message);
  }

  /** Takes messages, waiting for the first. */
  List<T> take(int batch, long waitMs) {
    List<T> taken = new ArrayList<>(batch);
    @Nullable T first;
    try {
      first = received.poll(waitMs, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      first = null;
    }
    if (first != null) {
      taken.add(first);
      received.drainTo(taken, batch - 1);
    }
    return taken;
  }
}
