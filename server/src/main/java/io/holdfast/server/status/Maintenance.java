package io.holdfast.server.status;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.VerbStep;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A broker that can be told to take no messages for a while, or to hand none out.
 *
 * <p>Without new messages producers are told to come again; settles, and whatever else is asked, go
 * on. Without deliveries a pop finds nothing, and one that waits waits until they go on. Which of
 * the two is on is a record of the broker, so that a restart does not end it.
 *
 * <p>Thread: any.
 */
public final class Maintenance extends VerbStep {
  /** The record that says what is on. */
  static final String KEY = "holdfast/maintenance";

  private static final int PUSHES = 1;
  private static final int POPS = 2;

  /** How long one call waits for a change by another node. */
  private static final long FOLLOW_MS = 30_000;

  private static final long RETRY_NANOS = 100_000_000;

  /** Stands for a record that was not read yet. */
  private static final int UNREAD = 4;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** What is stopped, in bits. */
  private volatile int stopped;

  private volatile boolean closed;

  public Maintenance(Broker target) {
    super(target);
  }

  /**
   * Learns what was on before the broker was opened.
   *
   * @throws IllegalStateException if that cannot be read: to go on would end it
   */
  public void read() {
    Result<StoredRecord> stored = record(new RecordRequest(KEY, 0, 0));
    if (!stored.isOk()) {
      throw new IllegalStateException(
          "Whether the broker is under maintenance cannot be read ("
              + stored.refusal().detail()
              + "). Start it again.");
    }
    use(stored.orThrow());
  }

  /**
   * Follows the record, which other nodes of a cluster change too. Until it was read for the first
   * time, no messages are taken and none handed out.
   */
  public void follow() {
    stopped = UNREAD;
    Thread.ofVirtual().name("holdfast-maintenance").start(this::followRecord);
  }

  private void followRecord() {
    RecordRequest next = RecordRequest.of(KEY);
    while (!closed) {
      Result<StoredRecord> stored = target().record(next);
      if (stored.isOk()) {
        use(stored.orThrow());
        next = new RecordRequest(KEY, stored.orThrow().version(), FOLLOW_MS);
      } else if (stored.refusal().code() == ErrorCode.CLOSED) {
        return;
      } else {
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private void use(StoredRecord stored) {
    lock.lock();
    try {
      set(stored.value().length > 0 ? stored.value()[0] & (PUSHES | POPS) : 0);
    } finally {
      lock.unlock();
    }
  }

  private void set(int now) {
    stopped = now;
    changed.signalAll();
  }

  boolean pushesStopped() {
    return (stopped & PUSHES) != 0;
  }

  boolean popsStopped() {
    return (stopped & POPS) != 0;
  }

  /** Stops new messages, or takes them again. */
  Result<Committed> stopPushes(boolean stop) {
    return change(PUSHES, stop);
  }

  /** Stops deliveries, or resumes them. */
  Result<Committed> stopPops(boolean stop) {
    return change(POPS, stop);
  }

  /** Under the lock, so that two changes at once do not undo each other. */
  private Result<Committed> change(int bit, boolean stop) {
    lock.lock();
    try {
      int now = (stop ? stopped | bit : stopped & ~bit) & (PUSHES | POPS);
      byte[] value = {(byte) now};
      Result<Committed> stored =
          target()
              .commit(CommitRequest.of(new Operation.PutRecord(KEY, Operation.ANY_VERSION, value)));
      if (stored.isOk()) {
        set(now);
      }
      return stored;
    } finally {
      lock.unlock();
    }
  }

  /** Why a request is refused; null if it is not. */
  private @Nullable Refusal refusal(Object request) {
    int now = stopped;
    if (now == 0) {
      return null;
    }
    if (now == UNREAD && (request instanceof PopRequest || isPush(request))) {
      return Refusal.of(
          ErrorCode.NOT_LEADER,
          "this node has just started and has not reached the leader of its cluster yet; try again");
    }
    return (now & PUSHES) != 0 && isPush(request)
        ? Refusal.of(
            ErrorCode.OVERLOADED,
            "the broker is under maintenance and takes no messages; try later")
        : null;
  }

  private static boolean isPush(Object request) {
    return request instanceof PushRequest
        || (request instanceof CommitRequest commit
            && commit.operations().stream().anyMatch(Operation.PushMessage.class::isInstance));
  }

  @Override
  protected <I, O> Result<O> ask(Verb<I, O> verb, I request) {
    Refusal why = refusal(request);
    if (why != null) {
      return Result.refused(why);
    }
    if (popsStopped() && request instanceof PopRequest pop) {
      @SuppressWarnings("unchecked")
      Result<O> popped = (Result<O>) popLater(pop);
      return popped;
    }
    return super.ask(verb, request);
  }

  /** While deliveries are stopped a pop has a thread of its own. */
  @Override
  protected <I, O> AsyncResult<O> askAsync(Verb<I, O> verb, I request) {
    Refusal why = refusal(request);
    if (why != null) {
      return AsyncResult.of(Result.refused(why));
    }
    return popsStopped() && request instanceof PopRequest
        ? AsyncResult.onThread(
            Thread.ofVirtual().factory(), () -> ask(verb, request), late -> giveBack(request, late))
        : super.askAsync(verb, request);
  }

  /** Settles what the pop carries, as every pop does first, and waits until deliveries go on. */
  private Result<Popped> popLater(PopRequest request) {
    List<SettleVerdict> verdicts = List.of();
    if (!request.settles().isEmpty()) {
      Result<Settled> settled = target().settle(new SettleRequest(request.settles(), false));
      if (!settled.isOk()) {
        return Result.refused(settled.refusal());
      }
      verdicts = settled.orThrow().verdicts();
    }
    long leftMs = awaitPops(request.waitMs());
    if (popsStopped()) {
      return Result.ok(new Popped(List.of(), "", 0, Popped.Reason.PAUSED, 0, verdicts));
    }
    Result<Popped> result = target().pop(request.settles(List.of()).waitMs(leftMs));
    if (!result.isOk()) {
      return result;
    }
    Popped popped = result.orThrow();
    return Result.ok(
        new Popped(
            popped.messages(),
            popped.leaseId(),
            popped.leaseUntilMs(),
            popped.reason(),
            popped.retryAtMs(),
            verdicts));
  }

  /** Answers how much of the time is left. */
  private long awaitPops(long waitMs) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(waitMs);
    lock.lock();
    try {
      while (popsStopped() && !closed && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } catch (InterruptedException gone) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
    return TimeUnit.NANOSECONDS.toMillis(Math.max(0, nanos));
  }

  /** Sends away those who wait. */
  public void shut() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
