package io.holdfast.workflow.test;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueInfo;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The broker as one worker sees it: knows which calls are under way, and lets the worker die at one
 * of them.
 *
 * <p>Invariant: once the worker has died, no call of it gets an answer.
 *
 * <p>Thread: any.
 */
final class WorkerBroker extends ForwardingBroker {
  private static final long NANOS_PER_MS = 1_000_000;

  private final VirtualTime.Seat time;
  private final Fault fault;
  private final Pops pops;
  private final Map<Thread, Long> polls = new ConcurrentHashMap<>();
  private final Map<Thread, Long> others = new ConcurrentHashMap<>();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicInteger commits = new AtomicInteger();
  private volatile boolean dead;

  /** How a worker pops, given how it would pop from the broker. */
  interface Pops {
    /** Straight from the broker. */
    Pops DIRECT = (request, broker) -> broker.apply(request);

    Result<Popped> pop(PopRequest request, Function<PopRequest, Result<Popped>> broker);
  }

  WorkerBroker(Broker target, VirtualTime.Seat time, Fault fault, Pops pops) {
    super(target);
    this.time = time;
    this.fault = fault;
    this.pops = pops;
  }

  /** How many calls there have been. */
  long calls() {
    return calls.get();
  }

  int commits() {
    return commits.get();
  }

  boolean isDead() {
    return dead;
  }

  /** The threads that wait for something to do. */
  Iterable<Thread> polls() {
    return polls.keySet();
  }

  /**
   * When one that waits for something to do wants to look again before its time is over; {@link
   * Long#MAX_VALUE} if none does.
   *
   * @param engine the time in which they wait
   */
  long nextLookMs(VirtualTime.Seat engine) {
    long next = Long.MAX_VALUE;
    for (Map.Entry<Thread, Long> poll : polls.entrySet()) {
      next = Math.min(next, engine.dueMs(poll.getKey(), poll.getValue()));
    }
    return next;
  }

  /** The threads in all other calls. */
  Iterable<Thread> others() {
    return others.keySet();
  }

  int underWay() {
    return polls.size() + others.size();
  }

  /** From now on there are no answers. */
  void die() {
    dead = true;
    // A dead worker must not be given anything.
    polls.keySet().forEach(Thread::interrupt);
    others.keySet().stream()
        .filter(thread -> !thread.equals(Thread.currentThread()))
        .forEach(Thread::interrupt);
  }

  private <T> T call(Map<Thread, Long> kind, long waitMs, Supplier<T> call) {
    calls.incrementAndGet();
    Thread thread = Thread.currentThread();
    kind.put(thread, time.nanos() + waitMs * NANOS_PER_MS);
    try {
      checkAlive();
      T answer = call.get();
      checkAlive();
      return answer;
    } finally {
      kind.remove(thread);
    }
  }

  private void checkAlive() {
    if (dead) {
      throw new WorkerDied("dead already");
    }
  }

  private <T> T call(Supplier<T> call) {
    return call(others, 0, call);
  }

  private <T> T store(Supplier<T> call) {
    return call(
        () -> {
          int number = commits.incrementAndGet();
          if (!(fault instanceof Fault.Crash crash) || crash.commit() != number) {
            return call.get();
          }
          // First of all, or another thread of the worker could act on what is stored here.
          die();
          throw new WorkerDied(crash.applied() ? "not told: " + call.get() : "nothing stored");
        });
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    return store(() -> super.commit(request));
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    return store(() -> super.settle(request));
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    Map<Thread, Long> kind = request.waitMs() > 0 ? polls : others;
    return call(kind, request.waitMs(), () -> pops.pop(request, super::pop));
  }

  @Override
  public Result<Extended> extend(ExtendRequest request) {
    return call(() -> super.extend(request));
  }

  @Override
  public Result<StoredRecord> record(RecordRequest request) {
    return call(() -> super.record(request));
  }

  @Override
  public Result<JournalPage> journal(JournalRequest request) {
    return call(() -> super.journal(request));
  }

  @Override
  public Result<MessageDetail> message(MessageRef message) {
    return call(() -> super.message(message));
  }

  @Override
  public Result<Page<StoredRecord>> records(RecordsRequest request) {
    return call(() -> super.records(request));
  }

  @Override
  public Result<QueueInfo> configure(ConfigureRequest request) {
    return call(() -> super.configure(request));
  }
}
