package io.holdfast.server.status;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
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

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition goesOn = lock.newCondition();
  private volatile boolean pushesStopped;
  private volatile boolean popsStopped;
  private volatile boolean closed;

  /** Whether it is not known yet what is on. */
  private volatile boolean unread;

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
    unread = true;
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
    int on = stored.value().length > 0 ? stored.value()[0] : 0;
    lock.lock();
    try {
      pushesStopped = (on & PUSHES) != 0;
      popsStopped = (on & POPS) != 0;
      unread = false;
      goesOn.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean pushesStopped() {
    return pushesStopped;
  }

  boolean popsStopped() {
    return popsStopped;
  }

  /** Stops new messages, or lets them go on. */
  Result<Committed> stopPushes(boolean stop) {
    lock.lock();
    try {
      return set(stop, popsStopped);
    } finally {
      lock.unlock();
    }
  }

  /** Stops deliveries, or lets them go on. */
  Result<Committed> stopPops(boolean stop) {
    lock.lock();
    try {
      return set(pushesStopped, stop);
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock, so that who changes one does not undo a change of the other. */
  private Result<Committed> set(boolean pushes, boolean pops) {
    byte[] on = {(byte) ((pushes ? PUSHES : 0) | (pops ? POPS : 0))};
    Result<Committed> stored =
        target().commit(CommitRequest.of(new Operation.PutRecord(KEY, Operation.ANY_VERSION, on)));
    if (stored.isOk()) {
      pushesStopped = pushes;
      popsStopped = pops;
      goesOn.signalAll();
    }
    return stored;
  }

  private static <T> Result<T> noPushes() {
    return Result.refused(
        ErrorCode.OVERLOADED, "the broker is under maintenance and takes no messages; try later");
  }

  private boolean waitsForLeader(Object request) {
    return unread && (request instanceof PopRequest || isPush(request));
  }

  private static <T> Result<T> noLeaderYet() {
    return Result.refused(
        ErrorCode.NOT_LEADER,
        "this node has just started and has not reached the leader of its cluster yet; try again");
  }

  @Override
  protected <I, O> Result<O> ask(Verb<I, O> verb, I request) {
    if (waitsForLeader(request)) {
      return noLeaderYet();
    }
    if (isStopped(request)) {
      return noPushes();
    }
    if (popsStopped && request instanceof PopRequest pop) {
      @SuppressWarnings("unchecked")
      Result<O> popped = (Result<O>) popLater(pop);
      return popped;
    }
    return super.ask(verb, request);
  }

  /** While deliveries are stopped a pop has a thread of its own. */
  @Override
  protected <I, O> AsyncResult<O> askAsync(Verb<I, O> verb, I request) {
    if (waitsForLeader(request)) {
      return AsyncResult.of(noLeaderYet());
    }
    if (isStopped(request)) {
      return AsyncResult.of(noPushes());
    }
    return popsStopped && request instanceof PopRequest
        ? AsyncResult.onThread(
            Thread.ofVirtual().factory(), () -> ask(verb, request), late -> giveBack(request, late))
        : super.askAsync(verb, request);
  }

  private boolean isStopped(Object request) {
    return pushesStopped && isPush(request);
  }

  private static boolean isPush(Object request) {
    return request instanceof PushRequest
        || (request instanceof CommitRequest commit
            && commit.operations().stream().anyMatch(Operation.PushMessage.class::isInstance));
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
    if (popsStopped) {
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
      while (popsStopped && !closed && nanos > 0) {
        nanos = goesOn.awaitNanos(nanos);
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
      goesOn.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
