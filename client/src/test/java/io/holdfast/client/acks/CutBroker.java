package io.holdfast.client.acks;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.queue.QueueInfo;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A broker behind a line that can be cut, and that keeps a copy of every settle that got through.
 *
 * <p>Thread: any.
 */
final class CutBroker extends ForwardingBroker {
  /** A settle request that reached the broker, and when. */
  record Sent(long nanos, SettleRequest request) {
    List<Settle.Outcome> outcomes() {
      return request.settles().stream().map(Settle::outcome).toList();
    }
  }

  private final TimeSource time;
  private final List<Sent> sent = new CopyOnWriteArrayList<>();
  private final AtomicInteger polls = new AtomicInteger();
  private final AtomicInteger settlesToFail = new AtomicInteger();
  private final AtomicInteger answersToLose = new AtomicInteger();
  private volatile boolean cut;
  private volatile @Nullable ErrorCode refusal;

  CutBroker(Broker target, TimeSource time) {
    super(target);
    this.time = time;
  }

  /** From now on nothing gets through; answers that are on their way are lost. */
  void cut() {
    cut = true;
  }

  void mend() {
    cut = false;
    refusal = null;
  }

  /** From now on polls, settles and looks at queues are refused. */
  void refuse(ErrorCode code) {
    refusal = code;
  }

  /** The next settles do not get through. */
  void failSettles(int count) {
    settlesToFail.set(count);
  }

  /** The next settles get through, but not their answers. */
  void loseAnswers(int count) {
    answersToLose.set(count);
  }

  List<Sent> sent() {
    return sent;
  }

  /** The requests that acked something. */
  List<Sent> acks() {
    return sent.stream().filter(one -> one.outcomes().contains(Settle.Outcome.ACK)).toList();
  }

  /** How many polls were tried. */
  int polls() {
    return polls.get();
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    polls.incrementAndGet();
    return through(() -> super.pop(request));
  }

  @Override
  public Result<QueueInfo> queue(String name) {
    return through(() -> super.queue(name));
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    if (settlesToFail.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw unreachable(false);
    }
    return through(
        () -> {
          sent.add(new Sent(time.nanos(), request));
          Result<Settled> answer = super.settle(request);
          if (answersToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw unreachable(true);
          }
          return answer;
        });
  }

  private <T> Result<T> through(Supplier<Result<T>> call) {
    if (cut) {
      throw unreachable(false);
    }
    ErrorCode code = refusal;
    if (code != null) {
      return Result.refused(code, "refused on purpose");
    }
    Result<T> answer = call.get();
    if (cut) {
      throw unreachable(true);
    }
    return answer;
  }

  private static UnreachableException unreachable(boolean inDoubt) {
    return new UnreachableException(
        "the line is cut on purpose", inDoubt, new IOException("no line"));
  }
}
