package io.holdfast.client.remote;

import io.holdfast.api.wire.Frames;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one address that carry frames.
 *
 * <p>All threads share one. Large requests have one of their own, so that small ones need not wait
 * behind them; and if a connection has as many requests as it may have, another is opened.
 *
 * <p>If the server does not upgrade connections, they are not tried again for some minutes, or
 * until the address has failed.
 *
 * <p>Thread: any. Connections are opened by threads of their own, which nobody interrupts: so the
 * callers that wait for one do not depend on each other.
 */
final class FrameConnections {
  /** A request of this size is large. */
  static final int LARGE_BYTES = 256 * 1024;

  /** Beyond that, the server refuses requests as it does when it is overloaded. */
  private static final int CONNECTIONS_MAX = 16;

  /** A connection used so recently is taken for open without a look. */
  private static final long FRESH_NANOS = 50_000_000L;

  /** The server closes an idle connection after 11 minutes. */
  private static final long IDLE_NANOS_MAX = Duration.ofMinutes(10).toNanos();

  /** How long HTTP is used before frames are tried again. */
  static final Duration HTTP_FOR = Duration.ofMinutes(5);

  /** The connections for small or for large requests. */
  private static final class Lane {
    final List<FrameConnection> open = new ArrayList<>(1);
    @Nullable CompletableFuture<@Nullable FrameConnection> opening;
  }

  private final RemoteConfig config;
  private final FrameUpgrade upgrade;
  private final Executor threads;
  private final Runnable onClosing;
  private final Lane small = new Lane();
  private final Lane large = new Lane();
  private boolean overHttp;
  private long httpUntilNanos;
  private boolean closed;

  FrameConnections(
      RemoteConfig config, FrameUpgrade upgrade, Executor threads, Runnable onClosing) {
    this.config = config;
    this.upgrade = upgrade;
    this.threads = threads;
    this.onClosing = onClosing;
  }

  /** Whether frames may be used; otherwise HTTP is. */
  private boolean mayUpgrade() {
    if (overHttp && config.time().nanos() - httpUntilNanos >= 0) {
      overHttp = false;
    }
    return config.frames() && !overHttp;
  }

  /** The address has failed: what it can do may have changed when it comes back. */
  synchronized void forgetRefusal() {
    overHttp = false;
  }

  /**
   * A connection for a request, open or to be opened. It is null if the address is asked over HTTP.
   */
  CompletableFuture<@Nullable FrameConnection> connection(int bytes) {
    Lane lane = bytes >= LARGE_BYTES ? large : small;
    CompletableFuture<@Nullable FrameConnection> opening;
    synchronized (this) {
      if (closed) {
        return CompletableFuture.failedFuture(
            new NotSentException(new IOException("the remote broker is closed")));
      }
      FrameConnection usable = mayUpgrade() ? usable(lane, bytes) : null;
      if (usable != null || !mayUpgrade()) {
        return CompletableFuture.completedFuture(usable);
      }
      if (lane.opening != null) {
        return lane.opening;
      }
      opening = new CompletableFuture<>();
      lane.opening = opening;
    }
    threads.execute(() -> open(lane, opening));
    return opening;
  }

  /**
   * The same, and waits until it is open.
   *
   * @param interruptible whether an interrupt ends the wait
   */
  @Nullable FrameConnection await(int bytes, boolean interruptible)
      throws IOException, InterruptedException {
    CompletableFuture<@Nullable FrameConnection> future = connection(bytes);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          boolean wasOpen = future.isDone();
          FrameConnection opened = future.get();
          if (wasOpen || opened == null || hasRoom(opened, bytes)) {
            return opened;
          }
          // Others that waited for the same connection have filled it.
          future = connection(bytes);
        } catch (InterruptedException stopped) {
          if (interruptible) {
            throw stopped;
          }
          interrupted = true;
        }
      }
    } catch (ExecutionException failed) {
      throw failure(failed.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  static IOException failure(@Nullable Throwable cause) {
    return cause instanceof IOException failed
        ? failed
        : new NotSentException(new IOException("no connection could be opened", cause));
  }

  private @Nullable FrameConnection usable(Lane lane, int bytes) {
    lane.open.removeIf(one -> !isUsable(one));
    FrameConnection best = null;
    for (FrameConnection one : lane.open) {
      if (hasRoom(one, bytes)) {
        return one;
      }
      best = best == null || one.requests() < best.requests() ? one : best;
    }
    return lane.open.size() < CONNECTIONS_MAX ? null : best;
  }

  static boolean hasRoom(FrameConnection one, int bytes) {
    return one.requests() < Frames.REQUESTS_MAX
        && (one.requests() == 0 || one.bytes() + bytes <= Frames.REQUEST_BYTES_MAX);
  }

  private static boolean isUsable(FrameConnection one) {
    long idleNanos = one.idleNanos();
    if (idleNanos > IDLE_NANOS_MAX) {
      one.shutDown();
    } else if (idleNanos > FRESH_NANOS) {
      one.checkIdle();
    }
    return one.isOpen();
  }

  private void open(Lane lane, CompletableFuture<@Nullable FrameConnection> opening) {
    FrameConnection opened = null;
    Throwable failure = null;
    boolean refused = false;
    try {
      opened = upgrade.open(onClosing);
    } catch (FrameUpgrade.Refused answer) {
      refused = !answer.isOfTheServer();
      failure = refused ? null : answer;
    } catch (IOException failed) {
      // Everybody who waits learns of it, but the address has failed once.
      failure = new NotSentException(new LostConnectionException(failed));
    } catch (RuntimeException | Error failed) {
      failure = failed;
    }
    boolean late;
    synchronized (this) {
      lane.opening = null;
      late = closed;
      if (opened != null && !late) {
        lane.open.add(opened);
      }
      if (refused) {
        overHttp = true;
        httpUntilNanos = config.time().nanos() + HTTP_FOR.toNanos();
      }
    }
    if (opened != null && late) {
      opened.shutDown();
      failure = new NotSentException(new IOException("the remote broker is closed"));
    }
    if (failure != null) {
      opening.completeExceptionally(failure);
    } else {
      opening.complete(opened);
    }
  }

  /** Ends requests that wait at the server; those that are being answered may end. */
  void close() {
    List<FrameConnection> left;
    List<CompletableFuture<@Nullable FrameConnection>> waiting = new ArrayList<>();
    synchronized (this) {
      closed = true;
      left = new ArrayList<>(small.open);
      left.addAll(large.open);
      for (Lane lane : List.of(small, large)) {
        if (lane.opening != null) {
          waiting.add(lane.opening);
        }
      }
    }
    IOException cause = new IOException("the remote broker is closed");
    waiting.forEach(one -> one.completeExceptionally(new NotSentException(cause)));
    left.forEach(FrameConnection::shutDown);
  }
}
