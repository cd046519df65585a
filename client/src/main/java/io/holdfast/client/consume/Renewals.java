package io.holdfast.client.consume;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ExtendRequest;
import io.holdfast.api.Extended;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.client.Alarms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the leases of a consumer alive while they are handled, and finds out when one is lost.
 *
 * <p>There is one alarm for all leases, so that a batch which is handled quickly costs none. A
 * lease is lost when the broker says so, or when its time is over by this side's clock and the
 * broker could not be asked.
 *
 * <p>Thread: any begin and end; the alarms' thread extends.
 */
final class Renewals implements AutoCloseable {
  /** A lease lasts this many times as long as the time between its renewals. */
  private static final int SHARE = 3;

  private static final Duration RETRY_EVERY = Duration.ofSeconds(1);

  private final Broker broker;
  private final TimeSource time;
  private final Reports reports;
  private final Alarms alarms;
  private final boolean renew;
  private final @Nullable Duration every;
  private final Map<HeldLease, Long> due = new HashMap<>();
  private Alarms.@Nullable Alarm alarm;
  private long alarmNanos;
  private boolean closed;

  /**
   * @param renew false only watches the leases
   * @param every null for a third of the lease
   */
  Renewals(
      Broker broker, TimeSource time, Reports reports, boolean renew, @Nullable Duration every) {
    this.broker = broker;
    this.time = time;
    this.reports = reports;
    this.renew = renew;
    this.every = every;
    this.alarms = new Alarms(time, "holdfast-renew-" + reports.id().queue());
  }

  void begin(HeldLease lease) {
    set(lease, renew ? begunNanos(lease) + everyNanos(lease) : lease.endNanos());
  }

  private static long begunNanos(HeldLease lease) {
    return lease.endNanos() - Duration.ofMillis(lease.lengthMs).toNanos();
  }

  /** What was asked for, but early enough: a lease is not renewed after its end. */
  private long everyNanos(HeldLease lease) {
    long length = Duration.ofMillis(lease.lengthMs).toNanos();
    return every != null ? Math.min(every.toNanos(), length / 2) : length / SHARE;
  }

  /** Somebody is done with a lease; perhaps not everybody. */
  void endUnlessWanted(HeldLease lease) {
    if (!lease.isWanted()) {
      end(lease);
    }
  }

  private synchronized void end(HeldLease lease) {
    due.remove(lease);
  }

  private synchronized void set(HeldLease lease, long nanos) {
    if (closed) {
      return;
    }
    due.put(lease, nanos);
    if (alarm == null || nanos - alarmNanos < 0) {
      arm(nanos);
    }
  }

  private void arm(long nanos) {
    if (alarm != null) {
      alarm.cancel();
    }
    alarmNanos = nanos;
    alarm = alarms.at(nanos, this::ring);
  }

  private void ring() {
    for (HeldLease lease : takeDue()) {
      if (lease.isWanted()) {
        if (renew) {
          extend(lease);
        } else {
          watch(lease);
        }
      }
    }
    synchronized (this) {
      if (alarm == null && !due.isEmpty() && !closed) {
        arm(Collections.min(due.values()));
      }
    }
  }

  private synchronized List<HeldLease> takeDue() {
    alarm = null;
    long now = time.nanos();
    List<HeldLease> leases = new ArrayList<>();
    due.forEach(
        (lease, nanos) -> {
          if (nanos - now <= 0) {
            leases.add(lease);
          }
        });
    leases.forEach(due::remove);
    return leases;
  }

  private void watch(HeldLease lease) {
    if (lease.endNanos() - time.nanos() <= 0) {
      lost(lease);
    } else {
      set(lease, lease.endNanos());
    }
  }

  private void extend(HeldLease lease) {
    long asked = time.nanos();
    RuntimeException trouble;
    try {
      Result<Extended> result = broker.extend(ExtendRequest.of(lease.id, lease.lengthMs));
      if (result.isOk()) {
        lease.extendTo(asked + Duration.ofMillis(lease.lengthMs).toNanos());
        lease.cancelled(result.orThrow().cancelled());
        set(lease, asked + everyNanos(lease));
        return;
      }
      if (result.refusal().code() == ErrorCode.STALE_LEASE) {
        lost(lease);
        return;
      }
      trouble = new RefusedException(result.refusal());
    } catch (RuntimeException failed) {
      trouble = failed;
    }
    again(lease, trouble);
  }

  private void again(HeldLease lease, RuntimeException trouble) {
    long left = lease.endNanos() - time.nanos();
    if (left <= 0) {
      lost(lease);
      return;
    }
    long wait = Math.min(left, Math.min(everyNanos(lease), RETRY_EVERY.toNanos()));
    set(lease, time.nanos() + wait);
    reports.retrying(trouble, Duration.ofNanos(wait));
  }

  private void lost(HeldLease lease) {
    int messages = lease.lose();
    if (messages > 0) {
      reports.leaseLost(lease.id, messages);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    due.clear();
    alarms.close();
  }
}
