package io.holdfast.server.metrics;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * When leases were granted, as far as they are remembered.
 *
 * <p>It forgets a lease when all of it is settled. Others it forgets in bulk: leases are kept in
 * two generations, and when the young one is full or old it becomes the old one, which is dropped.
 * So it holds at most two generations of leases, none for longer than twice a generation's age.
 *
 * <p>Thread: any.
 */
final class LeaseTimes {
  /** Most leases of one generation. */
  static final int GENERATION_MAX = 50_000;

  /** How long a generation is young. */
  static final long GENERATION_MS = 3_600_000;

  /** A lease: when it was granted, what of, and how many of its messages are not settled. */
  static final class Granted {
    final long grantedMs;
    final QueueCounts.Counts queue;
    private final AtomicInteger open;

    private Granted(long grantedMs, QueueCounts.Counts queue, int open) {
      this.grantedMs = grantedMs;
      this.queue = queue;
      this.open = new AtomicInteger(open);
    }
  }

  /** The leases that are remembered. */
  private static final class Generations {
    private final ConcurrentMap<String, Granted> young = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Granted> old;
    private final long sinceMs;

    private Generations(ConcurrentMap<String, Granted> old, long sinceMs) {
      this.old = old;
      this.sinceMs = sinceMs;
    }

    @Nullable Granted get(String leaseId) {
      Granted granted = young.get(leaseId);
      return granted == null ? old.get(leaseId) : granted;
    }
  }

  private volatile Generations generations;

  LeaseTimes(long nowMs) {
    generations = new Generations(new ConcurrentHashMap<>(), nowMs);
  }

  /** Remembers a lease, or that more messages joined it: then its time is this one. */
  void granted(String leaseId, long nowMs, QueueCounts.Counts queue, int messages) {
    Generations now = generations;
    if (now.young.size() >= GENERATION_MAX || nowMs - now.sinceMs >= GENERATION_MS) {
      now = next(now, nowMs);
    }
    Granted before = now.get(leaseId);
    int open = before == null ? 0 : before.open.get();
    now.young.put(leaseId, new Granted(nowMs, queue, open + messages));
  }

  private synchronized Generations next(Generations seen, long nowMs) {
    if (generations == seen) {
      generations = new Generations(seen.young, nowMs);
    }
    return generations;
  }

  @Nullable Granted get(String leaseId) {
    return generations.get(leaseId);
  }

  /** Messages of a lease were settled. */
  void settled(String leaseId, Granted granted, int messages) {
    if (granted.open.addAndGet(-messages) <= 0) {
      Generations now = generations;
      now.young.remove(leaseId, granted);
      now.old.remove(leaseId, granted);
    }
  }

  int size() {
    Generations now = generations;
    return now.young.size() + now.old.size();
  }
}
