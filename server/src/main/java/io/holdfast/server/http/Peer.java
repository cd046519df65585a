package io.holdfast.server.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.CloseConnectionException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The other end of a connection: what it sends, and whether it is gone.
 *
 * <p>A call that waits has nobody read its connection, so the client's end goes unnoticed. While
 * such a call waits, a watcher therefore reads ahead: bytes are kept for the next request, and an
 * end of the stream interrupts the call.
 *
 * <p>Invariant: at most one thread reads; the connection's thread waits for the watcher if there is
 * one.
 *
 * <p>Thread: the connection's, and the watcher's.
 */
public final class Peer {
  /** The peer of the connection that the current thread serves. */
  static final ScopedValue<Peer> CURRENT = ScopedValue.newInstance();

  /** Sends something. */
  interface Piece {
    void send() throws IOException;
  }

  private final DataReader source;
  private final boolean watchable;
  private volatile boolean gone;
  private volatile boolean awaited;
  private volatile long waitedNanos = System.nanoTime();
  private volatile boolean asking = true;
  private volatile boolean reading;
  private volatile long readNanos;
  private volatile boolean sending;
  private volatile long sentNanos;
  private @Nullable CompletableFuture<byte[]> ahead;
  private @Nullable Thread waiting;

  /**
   * @param watchable whether reading and writing at once is safe
   */
  Peer(DataReader source, boolean watchable) {
    this.source = source;
    this.watchable = watchable;
  }

  /** Whether the client is known to have closed its end. */
  boolean isGone() {
    return gone;
  }

  /** How long no call of this connection has waited for anything but its peer. */
  Duration quietTime() {
    return awaited ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - waitedNanos);
  }

  /**
   * Whether a request that has begun has not gone on for longer than a time, or a piece of an
   * answer was not taken; the first request is taken to begin with the connection.
   */
  boolean isSlow(Duration most) {
    long nanos = System.nanoTime();
    return (asking && reading && nanos - readNanos > most.toNanos())
        || (sending && nanos - sentNanos > most.toNanos());
  }

  /**
   * Sends a piece of an answer; whoever looks for slow connections knows since when.
   *
   * @throws CloseConnectionException if it cannot be sent
   */
  void sending(Piece piece) {
    sentNanos = System.nanoTime();
    sending = true;
    try {
      piece.send();
    } catch (IOException | RuntimeException unsent) {
      throw new CloseConnectionException("the client is gone", unsent);
    } finally {
      sending = false;
      waitedNanos = System.nanoTime();
    }
  }

  /** Says that a request was answered: what is read from here on begins another. */
  void answered() {
    asking = false;
  }

  /** Waits for something in a way that an interrupt ends, and interrupts it if the peer goes. */
  <T> T watching(Supplier<T> wait) {
    awaited = true;
    try {
      if (watchable) {
        watch();
      }
      return wait.get();
    } finally {
      unwatch();
      waitedNanos = System.nanoTime();
      awaited = false;
    }
  }

  private synchronized void watch() {
    if (gone) {
      Thread.currentThread().interrupt();
      return;
    }
    waiting = Thread.currentThread();
    // A client that sends requests ahead has its next one here already: that watcher has ended.
    if (ahead == null) {
      CompletableFuture<byte[]> read = new CompletableFuture<>();
      ahead = read;
      Thread.ofVirtual().name("peer-watcher").start(() -> readAhead(read));
    }
  }

  /** What comes after the wait is not to be interrupted. */
  private synchronized void unwatch() {
    waiting = null;
    if (gone) {
      Thread.interrupted();
    }
  }

  private void readAhead(CompletableFuture<byte[]> read) {
    try {
      read.complete(readNow());
    } catch (RuntimeException | Error ended) {
      leave();
      read.completeExceptionally(ended);
    }
  }

  private synchronized void leave() {
    gone = true;
    if (waiting != null) {
      waiting.interrupt();
    }
  }

  private byte[] readNow() {
    source.ensureAvailable();
    return source.readBytes(source.available());
  }

  /** The next bytes; whoever reads the connection gets them here. */
  byte[] read() {
    readNanos = System.nanoTime();
    reading = true;
    try {
      byte[] bytes = next();
      asking = true;
      return bytes;
    } finally {
      reading = false;
    }
  }

  private byte[] next() {
    CompletableFuture<byte[]> read;
    synchronized (this) {
      read = ahead;
      ahead = null;
    }
    if (read == null) {
      return readNow();
    }
    try {
      return read.get();
    } catch (ExecutionException ended) {
      if (ended.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(ended);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
      throw new CloseConnectionException("the connection is being closed", closed);
    }
  }
}
