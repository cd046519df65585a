package io.holdfast.client;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.OpenedSession;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A broker behind a bad line: calls or their answers get lost, or are held up.
 *
 * <p>Thread: any.
 */
public final class LossyBroker extends ForwardingBroker {
  private final AtomicInteger answersToLose = new AtomicInteger();
  private final AtomicInteger joinsToLose = new AtomicInteger();
  private volatile boolean cut;
  private volatile boolean hangsUp;
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private volatile CountDownLatch joinGate = new CountDownLatch(0);
  private final AtomicInteger extensionsToHold = new AtomicInteger();
  private volatile CountDownLatch extensionGate = new CountDownLatch(0);
  private volatile boolean refusesPops;
  public final List<PushRequest> pushes = new CopyOnWriteArrayList<>();
  public final List<PopRequest> pops = new CopyOnWriteArrayList<>();
  public final List<SettleRequest> settles = new CopyOnWriteArrayList<>();
  public final List<ExtendRequest> extensions = new CopyOnWriteArrayList<>();

  public LossyBroker(Broker target) {
    super(target);
  }

  /** The next calls have their effect, but nobody hears of it. */
  public void loseAnswers(int calls) {
    answersToLose.set(calls);
  }

  /** How many answers are still to be lost. */
  public int answersToLose() {
    return answersToLose.get();
  }

  /** The next pops that join a lease have their effect, but nobody hears of it. */
  public void loseAnswersToJoins(int calls) {
    joinsToLose.set(calls);
  }

  /** Pops that join a lease are held up until the line is healed. */
  public void holdJoins() {
    joinGate = new CountDownLatch(1);
  }

  /** The next extend of a lease is held up until the line is healed. */
  public void holdNextExtension() {
    extensionGate = new CountDownLatch(1);
    extensionsToHold.set(1);
  }

  /** Whether an extend that is to be held up has come. */
  public boolean isHoldingExtension() {
    return extensionGate.getCount() > 0 && extensionsToHold.get() == 0;
  }

  /** Pops are refused from here on, and no other call. */
  public void refusePops() {
    refusesPops = true;
  }

  /** A pop that is interrupted throws, as one over a line does, instead of answering. */
  public void hangUpWhenInterrupted() {
    hangsUp = true;
  }

  /** No call comes through. */
  public void cut() {
    cut = true;
  }

  /** Pushes are held up until the line is healed. */
  public void holdPushes() {
    gate = new CountDownLatch(1);
  }

  public void heal() {
    cut = false;
    answersToLose.set(0);
    joinsToLose.set(0);
    gate.countDown();
    joinGate.countDown();
    extensionGate.countDown();
    refusesPops = false;
  }

  private <T> Result<T> over(Supplier<Result<T>> call) {
    if (cut) {
      throw new UnreachableException("the line is cut", false, new IOException("cut"));
    }
    Result<T> result = call.get();
    if (answersToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new UnreachableException("the answer got lost", true, new IOException("lost"));
    }
    return result;
  }

  private static void pass(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Result<Pushed> push(PushRequest request) {
    pushes.add(request);
    pass(gate);
    return over(() -> super.push(request));
  }

  /** Its answers are not among those that get lost. */
  @Override
  public Result<OpenedSession> openSession() {
    if (cut) {
      throw new UnreachableException("the line is cut", false, new IOException("cut"));
    }
    return super.openSession();
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    pops.add(request);
    if (refusesPops) {
      return Result.refused(ErrorCode.LIMIT, "refused on purpose");
    }
    boolean joins = request.joinLease() != null;
    if (joins) {
      pass(joinGate);
      if (joinsToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        super.pop(request);
        throw new UnreachableException("the answer got lost", true, new IOException("lost"));
      }
    }
    Result<Popped> result = over(() -> super.pop(request));
    if (hangsUp && Thread.interrupted()) {
      throw new UnreachableException("interrupted", true, new IOException("hung up"));
    }
    return result;
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    settles.add(request);
    return over(() -> super.settle(request));
  }

  @Override
  public Result<Extended> extend(ExtendRequest request) {
    if (extensionsToHold.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      pass(extensionGate);
    }
    return over(
        () -> {
          Result<Extended> result = super.extend(request);
          // Not before: who sees it here may let the lease's old time pass.
          extensions.add(request);
          return result;
        });
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    return over(() -> super.commit(request));
  }
}
