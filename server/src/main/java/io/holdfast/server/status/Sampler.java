package io.holdfast.server.status;

import io.holdfast.api.Broker;
import io.holdfast.api.Refusal;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Stats;
import io.holdfast.api.TimeSource;
import io.holdfast.server.access.Caller;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.TimeRange;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the broker now and then, for all who want to know how it is.
 *
 * <p>It looks every two seconds while somebody listens, and every ten otherwise; and when somebody
 * asks and the last look was too long ago. All share what one look found. The broker is asked page
 * by page, so that no look holds it up.
 *
 * <p>Thread: a virtual one of its own looks; any may ask.
 */
public final class Sampler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);

  /** How often it looks while somebody listens. */
  static final Duration LISTENED = Duration.ofSeconds(2);

  /** How often it looks otherwise. */
  static final Duration ALONE = Duration.ofSeconds(10);

  /** How old what one is told may be. */
  static final Duration FRESH = Duration.ofMillis(500);

  /** Rates are told over this time at least: over a shorter one they would jump. */
  private static final Duration RATED = Duration.ofMillis(1_500);

  private final Broker broker;
  private final TimeSource time;
  private final Disk disk;
  private final Alerts alerts;
  private final History history = new History();
  private final Listeners listeners = new Listeners();
  private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
  private final ReentrantLock looking = new ReentrantLock();
  private final Thread thread = Thread.ofVirtual().name("holdfast-sampler").unstarted(this::run);

  /** What rates are counted from. */
  private @Nullable Sample base;

  private long startedNanos;
  private volatile @Nullable Sample last;
  private volatile boolean closed;

  /**
   * @param blockedFlows asks how many flows cannot go on by themselves
   */
  public Sampler(Broker broker, TimeSource time, Disk disk, LongSupplier blockedFlows) {
    this.broker = broker;
    this.time = time;
    this.disk = disk;
    this.alerts = new Alerts(broker, blockedFlows);
  }

  public void start() {
    // Here and not by the thread: time may move on before that begins to run.
    startedNanos = time.nanos();
    thread.start();
  }

  public History history() {
    return history;
  }

  /**
   * The series of a queue, or without one of the whole broker; null if none is kept, or if the
   * caller may not see the whole.
   *
   * @throws Problem if the caller may not see the queue
   */
  public @Nullable Series series(@Nullable String queue, TimeRange range, int pointsMax) {
    NamePatterns visible = Caller.currentGrant().names();
    if (queue == null) {
      return visible.isAll() ? history.whole(range.fromMs(), range.toMs(), pointsMax) : null;
    }
    checkVisible(visible, queue);
    return history.ofQueue(queue, range.fromMs(), range.toMs(), pointsMax);
  }

  /** Checks that a caller may see a queue. */
  static void checkVisible(NamePatterns visible, String queue) {
    if (!visible.matches(queue)) {
      throw Problem.forbidden("the token is not for the queue " + queue);
    }
  }

  private void run() {
    // The first pushes must not wait for it.
    pause(startedNanos, () -> LISTENED);
    while (!closed) {
      // Before the sample: time may move on as soon as others see that one.
      long begunNanos = time.nanos();
      try {
        // Somebody may just have asked; then that look is as good.
        sample(FRESH);
      } catch (RuntimeException failed) {
        // The server closes the broker during a last sample.
        if (!closed) {
          LOG.warn("A sample of the broker failed; the next one follows.", failed);
        }
      }
      pause(begunNanos, () -> listeners.count() > 0 ? LISTENED : ALONE);
    }
  }

  /** Waits, from a moment on, for a time that may become shorter meanwhile. */
  private void pause(long begunNanos, Supplier<Duration> length) {
    while (!closed && time.nanos() < begunNanos + length.get().toNanos()) {
      time.parkUntil(begunNanos + length.get().toNanos());
    }
  }

  /**
   * How the broker is.
   *
   * @throws Problem if it has never been seen, and does not answer
   */
  public Sample now() {
    return sample(FRESH);
  }

  /** A sample that is not older than a time: the last one, or a new one. */
  private Sample sample(Duration age) {
    looking.lock();
    try {
      Sample known = last;
      if (known != null && time.nanos() - known.nanos() < age.toNanos()) {
        return known;
      }
      Sample taken = take(known);
      last = taken;
      if (taken.refusal() == null) {
        history.add(taken);
      }
      waiting.forEach(LockSupport::unpark);
      return taken;
    } finally {
      looking.unlock();
    }
  }

  private Sample take(@Nullable Sample before) {
    long nanos = time.nanos();
    long number = before == null ? 1 : before.number() + 1;
    Machine machine = Machine.now(disk);
    Stats now;
    List<QueueRow> read;
    try {
      now = broker.stats().orThrow();
      read = QueueRow.all(broker);
    } catch (RefusedException refused) {
      if (before == null) {
        throw Problem.refused(refused.refusal());
      }
      return stopped(before, number, nanos, machine, refused.refusal());
    }
    Sample from = base;
    Sample rated = from != null && nanos - from.nanos() >= RATED.toNanos() ? from : null;
    List<QueueRow> rows = QueueRow.rated(read, rated, before, nanos);
    Rates rates = before == null ? Rates.NONE : before.rates();
    StoreRates store = before == null ? StoreRates.NONE : before.store();
    if (rated != null) {
      rates = Rates.of(rated.stats(), now, nanos - rated.nanos());
      store = StoreRates.of(rated.stats(), now, nanos - rated.nanos());
    }
    Sample sample =
        new Sample(
            number,
            nanos,
            now,
            null,
            Sample.byName(rows),
            Levels.of(rows),
            rates,
            store,
            machine,
            alerts.of(now, rows, before, machine));
    if (from == null || rated != null) {
      base = sample;
    }
    return sample;
  }

  private static Sample stopped(
      Sample before, long number, long nanos, Machine machine, Refusal refusal) {
    return new Sample(
        number,
        nanos,
        before.stats(),
        refusal,
        before.byName(),
        before.levels(),
        Rates.NONE,
        StoreRates.NONE,
        machine,
        List.of(Alerts.stopped(refusal)));
  }

  /** Whether one more may listen for somebody; then it has to {@link #leave}. */
  boolean join(String who) {
    if (closed || !listeners.join(who)) {
      return false;
    }
    LockSupport.unpark(thread);
    return true;
  }

  void leave(String who) {
    listeners.leave(who);
  }

  /** How many listen. */
  int listeners() {
    return listeners.count();
  }

  /**
   * Waits for a sample that is newer than one; null if none came in time, or the thread was
   * interrupted, or it is over.
   */
  @Nullable Sample await(long number, Duration patience) {
    Thread current = Thread.currentThread();
    long deadline = time.nanos() + patience.toNanos();
    waiting.add(current);
    try {
      while (!closed && !current.isInterrupted()) {
        Sample newest = last;
        if (newest != null && newest.number() > number) {
          return newest;
        }
        if (time.nanos() >= deadline) {
          return null;
        }
        time.parkUntil(deadline);
      }
      return null;
    } finally {
      waiting.remove(current);
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** Ends the looks, and sends all who listen away. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    waiting.forEach(LockSupport::unpark);
  }
}
