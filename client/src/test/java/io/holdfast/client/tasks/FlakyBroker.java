package io.holdfast.client.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.task.StartRequest;
import io.holdfast.api.task.TaskInfo;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A broker whose answers get lost for a while, as those of another process do. */
final class FlakyBroker extends ForwardingBroker {
  /** How an answer gets lost. */
  enum Loss {
    /** The request never arrives. */
    BEFORE,
    /** It takes effect, and its answer does not come. */
    AFTER,
    /** It is refused, because there is too much to do. */
    OVERLOADED
  }

  private final AtomicInteger pushes = new AtomicInteger();
  private final AtomicInteger pops = new AtomicInteger();
  private final AtomicInteger starts = new AtomicInteger();
  private final AtomicInteger settles = new AtomicInteger();
  private final AtomicInteger extensionsToLose = new AtomicInteger();
  private final AtomicInteger extensions = new AtomicInteger();
  private volatile Loss loss = Loss.BEFORE;

  FlakyBroker(Broker target) {
    super(target);
  }

  void losePushes(int count, Loss how) {
    loss = how;
    pushes.set(count);
  }

  void losePops(int count, Loss how) {
    loss = how;
    pops.set(count);
  }

  void loseStarts(int count, Loss how) {
    loss = how;
    starts.set(count);
  }

  void loseSettles(int count, Loss how) {
    loss = how;
    settles.set(count);
  }

  void loseExtensions(int count, Loss how) {
    loss = how;
    extensionsToLose.set(count);
  }

  /** How many times a lease was extended. */
  int extensions() {
    return extensions.get();
  }

  int settlesToLose() {
    return settles.get();
  }

  @Override
  public Result<Pushed> push(PushRequest request) {
    return flaky(pushes, () -> super.push(request));
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    return flaky(pops, () -> super.pop(request));
  }

  @Override
  public Result<TaskInfo> start(StartRequest request) {
    return flaky(starts, () -> super.start(request));
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    return flaky(settles, () -> super.settle(request));
  }

  @Override
  public Result<Extended> extend(ExtendRequest request) {
    Result<Extended> result = flaky(extensionsToLose, () -> super.extend(request));
    extensions.incrementAndGet();
    return result;
  }

  private <T> Result<T> flaky(AtomicInteger left, Supplier<Result<T>> verb) {
    if (left.getAndUpdate(count -> Math.max(0, count - 1)) == 0) {
      return verb.get();
    }
    if (loss == Loss.OVERLOADED) {
      return Result.refused(ErrorCode.OVERLOADED, "lost on purpose");
    }
    if (loss == Loss.AFTER) {
      verb.get().map(lost -> lost);
    }
    throw new UnreachableException(
        "lost on purpose", loss == Loss.AFTER, new IOException("connection reset"));
  }
}
