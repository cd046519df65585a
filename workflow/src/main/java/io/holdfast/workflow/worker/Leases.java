package io.holdfast.workflow.worker;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.TimerThread;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.message.Position;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the leases of a worker alive while it needs them.
 *
 * <p>A lease of work is watched instead, once the work has lasted a little: a call that waits with
 * the broker renews it and learns at once when something of it is not wanted any more.
 *
 * <p>Thread: any.
 */
final class Leases {
  private static final Logger LOG = LoggerFactory.getLogger(Leases.class);

  /** Work that is over before is not watched: it would cost more than the work. */
  private static final long WATCH_AFTER_MS = 50;

  private static final long TROUBLE_MS = 500;
  private static final long NANOS_PER_MS = 1_000_000;

  private final Broker broker;
  private final TimerThread timer;
  private final TimeSource time;
  private final AtomicInteger renewing = new AtomicInteger();

  Leases(Broker broker, TimerThread timer, TimeSource time) {
    this.broker = broker;
    this.timer = timer;
    this.time = time;
  }

  /** How many leases are being renewed or watched now. */
  int renewing() {
    return renewing.get();
  }

  /** A lease in use. */
  final class Held {
    private final String leaseId;
    private final long leaseMs;
    private final @Nullable Consumer<List<Position>> onCancelled;
    private final Runnable onLost;
    private int users;
    private volatile boolean over;
    private volatile TimerThread.@Nullable ScheduledTask nextRenewal;
    private volatile TimerThread.@Nullable ScheduledTask ending;
    private volatile long untilNanos;

    private Held(
        String leaseId,
        long leaseMs,
        int users,
        @Nullable Consumer<List<Position>> onCancelled,
        Runnable onLost) {
      this.leaseId = leaseId;
      this.leaseMs = leaseMs;
      this.users = users;
      this.onCancelled = onCancelled;
      this.onLost = onLost;
      this.untilNanos = time.nanos() + leaseMs * NANOS_PER_MS;
    }

    /** One of its users needs it no more. */
    void done() {
      synchronized (this) {
        users--;
        if (users > 0) {
          return;
        }
      }
      over = true;
      cancel(nextRenewal);
      cancel(ending);
    }

    private void cancel(TimerThread.@Nullable ScheduledTask planned) {
      if (planned != null) {
        planned.cancel();
      }
    }

    /** Looks at the end of the lease whether it was renewed: a call that hangs does not renew. */
    private void watchEnd() {
      long leftNanos = untilNanos - time.nanos();
      if (leftNanos <= 0) {
        lose();
      } else if (!over) {
        ending = timer.after(Duration.ofNanos(leftNanos), this::watchEnd);
      }
    }

    private void lose() {
      if (!over) {
        over = true;
        onLost.run();
      }
    }

    private void plan(long ms, boolean watch) {
      nextRenewal = timer.after(Duration.ofMillis(ms), () -> begin(watch));
    }

    private void begin(boolean watch) {
      if (watch && ending == null) {
        watchEnd();
      }
      renewing.incrementAndGet();
      try {
        Thread.ofVirtual().name("flow-lease").start(() -> extendAndCount(watch));
      } catch (Error failed) {
        renewing.decrementAndGet();
        retry(watch);
        throw failed;
      }
    }

    private void extendAndCount(boolean watch) {
      try {
        extend(watch);
      } catch (Error failed) {
        LOG.error("Renewing lease {} failed; it is tried again", leaseId, failed);
        retry(watch);
      } finally {
        renewing.decrementAndGet();
      }
    }

    private void retry(boolean watch) {
      if (!over) {
        plan(Math.min(TROUBLE_MS, leaseMs / 3), watch);
      }
    }

    private void extend(boolean watch) {
      while (!over) {
        long waitMs = watch ? Math.min(leaseMs / 3, Limits.WAIT_MS_MAX) : 0;
        long sentNanos = time.nanos();
        Result<Extended> result;
        try {
          result = broker.extend(new ExtendRequest(leaseId, leaseMs, waitMs));
        } catch (RuntimeException unreachable) {
          LOG.debug("A lease could not be renewed; it is tried again.", unreachable);
          retry(watch);
          return;
        }
        if (!result.isOk()) {
          refused(result.refusal().code(), watch);
          return;
        }
        untilNanos = sentNanos + leaseMs * NANOS_PER_MS;
        Consumer<List<Position>> listener = onCancelled;
        List<Position> cancelled = result.orThrow().cancelled();
        if (listener != null && !cancelled.isEmpty()) {
          listener.accept(cancelled);
        }
        if (!watch) {
          if (!over) {
            plan(leaseMs / 3, false);
          }
          return;
        }
      }
    }

    private void refused(ErrorCode code, boolean watch) {
      if (code.retryable()) {
        retry(watch);
      } else {
        lose();
      }
    }
  }

  /** A lease of turns, renewed from time to time. */
  Held renew(String leaseId, long leaseMs, int users) {
    Held held = new Held(leaseId, leaseMs, users, null, () -> {});
    held.plan(leaseMs / 3, false);
    return held;
  }

  /** A lease of work: the listeners are told what of it was cancelled, and if it was lost. */
  Held watch(
      String leaseId,
      long leaseMs,
      int users,
      Consumer<List<Position>> onCancelled,
      Runnable onLost) {
    Held held = new Held(leaseId, leaseMs, users, onCancelled, onLost);
    held.plan(Math.min(WATCH_AFTER_MS, leaseMs / 3), true);
    return held;
  }
}
