package io.holdfast.client;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.TimerThread;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews leases while their messages are handled, and detects lost ones.
 *
 * <p>A lease is lost when the broker says so, or when it ends by this process's clock. Renewals are
 * asynchronous, so that one that gets no answer delays neither others nor the detection of a lost
 * lease. All leases share one timer task, so that a batch that is handled quickly costs none.
 *
 * <p>Invariant: a lease has at most one renewal at a time. Listeners of the application are called
 * on threads for that purpose, because they may be slow.
 *
 * <p>Thread: any.
 */
public final class LeaseRenewals implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewals.class);

  /** A lease lasts this many times as long as the time between its renewals. */
  private static final int SHARE = 3;

  private static final Duration RETRY_EVERY = Duration.ofSeconds(1);

  private final Broker broker;
  private final TimeSource time;
  private final boolean renew;
  private final @Nullable Duration every;
  private final TimerThread timer;
  private final ExecutorService reports;

  /** When each lease is to be renewed or checked next. */
  private final Map<RenewableLease, Long> due = new HashMap<>();

  private final Set<RenewableLease> renewing = new HashSet<>();
  private TimerThread.@Nullable ScheduledTask next;
  private long nextNanos;
  private boolean closed;

  /**
   * @param name for the threads, such as the queue
   * @param renew false only detects lost leases
   * @param every null for a third of the lease
   */
  public LeaseRenewals(
      Broker broker, TimeSource time, String name, boolean renew, @Nullable Duration every) {
    this.broker = broker;
    this.time = time;
    this.renew = renew;
    this.every = every;
    this.timer =
        new TimerThread(
            time,
            "holdfast-renew-" + name,
            failure -> LOG.error("Renewing leases of {} failed; it is tried again", name, failure));
    this.reports =
        Executors.newCachedThreadPool(
            report -> {
              Thread thread = new Thread(report, "holdfast-renew-report-" + name);
              thread.setDaemon(true);
              return thread;
            });
  }

  public void begin(RenewableLease lease) {
    long lengthNanos = lease.length().toNanos();
    check(lease, renew ? lease.endNanos() - lengthNanos + everyNanos(lease) : lease.endNanos());
  }

  /** The configured time, but early enough: a lease is not renewed after its end. */
  private long everyNanos(RenewableLease lease) {
    long length = lease.length().toNanos();
    return every != null ? Math.min(every.toNanos(), length / 2) : length / SHARE;
  }

  /** One of the users of a lease does not need it any more; others may. */
  public void endUnlessWanted(RenewableLease lease) {
    if (!lease.isWanted()) {
      end(lease);
    }
  }

  private synchronized void end(RenewableLease lease) {
    due.remove(lease);
  }

  private synchronized void check(RenewableLease lease, long nanos) {
    if (closed) {
      return;
    }
    due.put(lease, nanos);
    if (next == null || nanos - nextNanos < 0) {
      schedule(nanos);
    }
  }

  private void schedule(long nanos) {
    if (next != null) {
      next.cancel();
    }
    nextNanos = nanos;
    next = timer.at(nanos, this::checkDue);
  }

  private void checkDue() {
    try {
      takeDue().forEach(this::check);
    } finally {
      scheduleNext();
    }
  }

  private synchronized void scheduleNext() {
    if (due.isEmpty() || closed) {
      return;
    }
    long earliest = Collections.min(due.values());
    if (next == null || earliest - nextNanos < 0) {
      schedule(earliest);
    }
  }

  /** The leases that are due. Each stays due a little later, should its check fail. */
  private synchronized List<RenewableLease> takeDue() {
    next = null;
    long now = time.nanos();
    List<RenewableLease> leases = new ArrayList<>();
    due.forEach(
        (lease, nanos) -> {
          if (nanos - now <= 0) {
            leases.add(lease);
          }
        });
    leases.forEach(lease -> due.put(lease, now + RETRY_EVERY.toNanos()));
    return leases;
  }

  private void check(RenewableLease lease) {
    if (!lease.isWanted()) {
      end(lease);
    } else if (lease.endNanos() - time.nanos() <= 0) {
      lost(lease);
    } else {
      check(lease, lease.endNanos());
      if (renew) {
        extend(lease);
      }
    }
  }

  private synchronized boolean beginRenewal(RenewableLease lease) {
    return !closed && renewing.add(lease);
  }

  private void extend(RenewableLease lease) {
    if (!beginRenewal(lease)) {
      return;
    }
    long asked = time.nanos();
    AsyncResult<Extended> extension;
    try {
      extension = broker.extendAsync(ExtendRequest.of(lease.leaseId(), lease.length().toMillis()));
    } catch (RuntimeException | Error failed) {
      retry(lease, failed);
      return;
    }
    Completion.then(
        extension,
        (result, failure) -> {
          try {
            extended(lease, asked, result, failure);
          } catch (RuntimeException | Error failed) {
            retry(lease, failed);
          }
        });
  }

  private void extended(
      RenewableLease lease,
      long asked,
      @Nullable Result<Extended> result,
      @Nullable Throwable failure) {
    if (result == null) {
      retry(lease, failure);
    } else if (result.isOk()) {
      lease.renewed(asked + lease.length().toNanos(), result.orThrow().cancelled());
      renewed(lease, asked + everyNanos(lease));
    } else if (result.refusal().code() == ErrorCode.STALE_LEASE) {
      lost(lease);
    } else {
      retry(lease, new RefusedException(result.refusal()));
    }
  }

  private void retry(RenewableLease lease, @Nullable Throwable failure) {
    RuntimeException cause =
        failure instanceof RuntimeException known
            ? known
            : new IllegalStateException("renewing a lease failed", failure);
    long wait = Math.min(everyNanos(lease), RETRY_EVERY.toNanos());
    renewed(lease, time.nanos() + wait);
    report(() -> lease.retrying(cause, Duration.ofNanos(wait)));
  }

  /** A renewal is over. The next is due at a time, or when the lease ends. */
  private synchronized void renewed(RenewableLease lease, long nanos) {
    renewing.remove(lease);
    if (due.containsKey(lease)) {
      check(lease, lease.endNanos() - nanos < 0 ? lease.endNanos() : nanos);
    }
  }

  private void lost(RenewableLease lease) {
    synchronized (this) {
      due.remove(lease);
      renewing.remove(lease);
    }
    int messages = lease.lose();
    if (messages > 0) {
      report(() -> lease.reportLost(messages));
    }
  }

  /** Calls listeners of the application. */
  private void report(Runnable report) {
    synchronized (this) {
      if (!closed) {
        reports.execute(report);
        return;
      }
    }
    report.run();
  }

  @Override
  public synchronized void close() {
    closed = true;
    due.clear();
    timer.close();
    reports.shutdown();
  }
}
