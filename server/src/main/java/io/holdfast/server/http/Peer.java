package io.holdfast.server.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.CloseConnectionException;
import java.io.IOException;
import java.net.SocketAddress;
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
 * end of the stream interrupts the call. So does the end of the pass that its caller came in with.
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
  private final @Nullable SocketAddress address;
  private final Parked parked;
  private volatile boolean gone;
  private volatile boolean awaited;
  private volatile long waitedNanos = System.nanoTime();
  private @Nullable CompletableFuture<byte[]> ahead;
  private @Nullable Thread waiting;
  private @Nullable Pass pass;

  /**
   * @param source what may be read while somebody else writes
   * @param address where it is; null if that is not known
   */
  Peer(DataReader source, @Nullable SocketAddress address, Parked parked) {
    this.source = source;
    this.address = address;
    this.parked = parked;
  }

  @Nullable SocketAddress address() {
    return address;
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
   * Sends a piece of an answer.
   *
   * @throws CloseConnectionException if it cannot be sent
   */
  void sending(Piece piece) {
    try {
      piece.send();
    } catch (IOException | RuntimeException unsent) {
      throw new CloseConnectionException("the client is gone", unsent);
    } finally {
      waitedNanos = System.nanoTime();
    }
  }

  /**
   * Waits for something in a way that an interrupt ends, and interrupts it if the peer goes or its
   * pass is not good any more.
   */
  <T> T watching(Pass asker, Supplier<T> wait) {
    awaited = true;
    try {
      watch(asker);
      parked.add(this);
      // Whoever takes passes back looks at those who are parked: before this line or behind it.
      leaveUnlessGood();
      return wait.get();
    } finally {
      parked.remove(this);
      unwatch();
      waitedNanos = System.nanoTime();
      awaited = false;
    }
  }

  private synchronized void watch(Pass asker) {
    pass = asker;
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
    pass = null;
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

  synchronized void leaveUnlessGood() {
    if (pass != null && !pass.isGood()) {
      leave();
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
