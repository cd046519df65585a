package io.holdfast.server.status;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingAsyncBroker;
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
import io.holdfast.api.message.Pushed;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
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
public final class Maintenance extends ForwardingAsyncBroker {
  /** The record that says what is on. */
  static final String KEY = "holdfast/maintenance";

  private static final int PUSHES = 1;
  private static final int POPS = 2;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition goesOn = lock.newCondition();
  private volatile boolean pushesStopped;
  private volatile boolean popsStopped;
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
    if (stored.orThrow().value().length > 0) {
      int on = stored.orThrow().value()[0];
      pushesStopped = (on & PUSHES) != 0;
      popsStopped = (on & POPS) != 0;
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
        super.commit(CommitRequest.of(new Operation.PutRecord(KEY, Operation.ANY_VERSION, on)));
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

  @Override
  public Result<Pushed> push(PushRequest request) {
    return pushesStopped ? noPushes() : super.push(request);
  }

  @Override
  public AsyncResult<Pushed> pushAsync(PushRequest request) {
    return pushesStopped ? AsyncResult.of(noPushes()) : target().pushAsync(request);
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    return isStopped(request) ? noPushes() : super.commit(request);
  }

  @Override
  public AsyncResult<Committed> commitAsync(CommitRequest request) {
    return isStopped(request) ? AsyncResult.of(noPushes()) : target().commitAsync(request);
  }

  private boolean isStopped(CommitRequest request) {
    return pushesStopped
        && request.operations().stream().anyMatch(Operation.PushMessage.class::isInstance);
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    return popsStopped ? popLater(request) : super.pop(request);
  }

  /** While deliveries are stopped a pop has a thread of its own. */
  @Override
  public AsyncResult<Popped> popAsync(PopRequest request) {
    return popsStopped
        ? AsyncResult.onThread(
            Thread.ofVirtual().factory(), () -> pop(request), late -> request.giveBack(late, this))
        : super.popAsync(request);
  }

  /** Settles what the pop carries, as every pop does first, and waits until deliveries go on. */
  private Result<Popped> popLater(PopRequest request) {
    List<SettleVerdict> verdicts = List.of();
    if (!request.settles().isEmpty()) {
      Result<Settled> settled = super.settle(new SettleRequest(request.settles(), false));
      if (!settled.isOk()) {
        return Result.refused(settled.refusal());
      }
      verdicts = settled.orThrow().verdicts();
    }
    long leftMs = awaitPops(request.waitMs());
    if (popsStopped) {
      return Result.ok(new Popped(List.of(), "", 0, Popped.Reason.PAUSED, 0, verdicts));
    }
    Result<Popped> result = super.pop(request.settles(List.of()).waitMs(leftMs));
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
