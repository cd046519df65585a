package io.holdfast.engine;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.query.StoredRows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait: they ask, park until something happened or is due, and ask again.
 *
 * <p>Thread: the caller's; it is parked while there is nothing to do.
 */
final class LongPolls {
  private static final long NANOS_PER_MS = 1_000_000;

  private static final Reply.PoppedMessages NOTHING =
      new Reply.PoppedMessages(
          List.of(), LeaseId.NONE, 0, Popped.Reason.EMPTY, 0, List.of(), false);

  private final Shard shard;
  private final Waiters waiters;
  private final StoreThreads reads;
  private final TimeSource time;
  private final SealedPops sealed;

  LongPolls(Shard shard, Waiters waiters, StoreThreads reads, TimeSource time, SealedPops sealed) {
    this.shard = shard;
    this.waiters = waiters;
    this.reads = reads;
    this.time = time;
    this.sealed = sealed;
  }

  Result<Popped> pop(PopRequest request) {
    if (request.waitMs() == 0) {
      Reply reply = askUntilSure(request);
      return answer(request, reply, List.of());
    }
    long deadline = time.nanos() + request.waitMs() * NANOS_PER_MS;
    Waiters.Waiter waiter = waiters.enter(request);
    if (waiter == null) {
      return tooMany();
    }
    try (waiter) {
      return pop(request, waiter, deadline);
    }
  }

  private static <T> Result<T> tooMany() {
    return Result.refused(ErrorCode.OVERLOADED, "too many calls wait; try again shortly");
  }

  private Result<Popped> pop(PopRequest request, Waiters.Waiter waiter, long deadline) {
    PopRequest ask = request;
    List<SettleVerdict> settled = List.of();
    Reply.PoppedMessages last = NOTHING;
    while (true) {
      waiter.arm();
      Reply reply = askUntilSure(ask);
      if (ask.joinLease() != null && !settled.isEmpty() && isStale(reply)) {
        // The settles that came with the pop have ended the lease it was to join.
        ask = ask.joinLease(null);
        continue;
      }
      if (!(reply instanceof Reply.PoppedMessages popped)) {
        waiter.passOn();
        // A refusal would say that nothing happened, but what came with the pop is settled.
        return answer(request, settled.isEmpty() ? reply : last, settled);
      }
      if (!popped.settled().isEmpty()) {
        settled = popped.settled();
        ask = request.settles(List.of());
      }
      if (!popped.messages().isEmpty()) {
        if (popped.more() || knowsOfAnotherQueue(request, last)) {
          waiter.passOn();
        }
        return answer(request, popped, settled);
      }
      last = popped;
      if (popped.unreadable() != null) {
        // Somebody has to be told, and time alone does not help.
        return answer(request, popped, settled);
      }
      waiter.await(nextLook(popped, deadline));
      boolean over = time.nanos() >= deadline;
      if (over || waiters.isClosed() || Thread.currentThread().isInterrupted()) {
        if (popped.retryAtMs() > 0) {
          // It would have looked again then; somebody else has to.
          waiter.passOn();
        }
        return answer(request, popped, settled);
      }
    }
  }

  /**
   * Whether a pop over several queues knew when something is due in one of them. It was served from
   * another, of which alone {@code more} tells, and does not look again.
   */
  private static boolean knowsOfAnotherQueue(PopRequest request, Reply.PoppedMessages last) {
    return request.source() instanceof PopSource.Tagged && last.retryAtMs() > 0;
  }

  private static boolean isStale(Reply reply) {
    return reply instanceof Reply.Refused refused
        && refused.refusal().code() == ErrorCode.STALE_LEASE;
  }

  /** When to ask again at the latest: at the deadline, or when something that waits is due. */
  private long nextLook(Reply.PoppedMessages popped, long deadline) {
    if (popped.retryAtMs() == 0 || popped.reason() == Popped.Reason.LOCKED) {
      return deadline;
    }
    long nanos = time.nanos();
    // At once if it is due by now: time may have passed since the shard answered.
    long inMs = Math.clamp(popped.retryAtMs() - shard.nowMs(), 0, Limits.WAIT_MS_MAX);
    return Math.min(deadline, nanos + inMs * NANOS_PER_MS);
  }

  /** Asks again at once while the shard says that it did not get through. */
  private Reply askUntilSure(PopRequest request) {
    Reply reply = ask(request);
    List<SettleVerdict> settled = List.of();
    while (reply instanceof Reply.PoppedMessages popped
        && popped.messages().isEmpty()
        && popped.more()) {
      settled = settled.isEmpty() ? popped.settled() : settled;
      reply = ask(request.settles(List.of()));
    }
    if (settled.isEmpty()) {
      return reply;
    }
    // A refusal would say that nothing happened, but what came with the pop is settled.
    return (reply instanceof Reply.PoppedMessages last ? last : NOTHING).settled(settled);
  }

  private Reply ask(PopRequest request) {
    return shard.apply(new Command.PopMessages(request, sealed.keys().ids()));
  }

  private Result<Popped> answer(PopRequest request, Reply reply, List<SettleVerdict> settled) {
    if (reply instanceof Reply.Refused refused && !request.settles().isEmpty()) {
      Refusal why = refused.refusal();
      return Result.refused(
          why.code(), why.detail() + "; none of the settles of this pop were applied");
    }
    if (!(reply instanceof Reply.PoppedMessages found)) {
      return Answers.of(reply, Reply.PoppedMessages.class, Answers::popped);
    }
    Reply.PoppedMessages popped = settled.isEmpty() ? found : found.settled(settled);
    Refusal unreadable = popped.unreadable();
    // A refusal would say that nothing happened, but what came with the pop is settled.
    return unreadable != null && popped.settled().isEmpty()
        ? Result.refused(unreadable)
        : sealed.open(request, Answers.popped(popped));
  }

  Result<Extended> extend(ExtendRequest request) {
    if (request.waitMs() == 0) {
      return answer(extend(request.leaseId(), request.leaseMs()));
    }
    long lease = LeaseId.number(request.leaseId());
    long deadline = time.nanos() + request.waitMs() * NANOS_PER_MS;
    Waiters.@Nullable Waiter waiter = waiters.enter(new WaitKey.Lease(lease));
    if (waiter == null) {
      return tooMany();
    }
    try (waiter) {
      long leaseMs = request.leaseMs();
      while (true) {
        waiter.arm();
        Reply now = extend(request.leaseId(), leaseMs);
        if (!(now instanceof Reply.ExtendedLease extended) || extended.news()) {
          return answer(now);
        }
        waiter.await(deadline);
        boolean over = time.nanos() >= deadline;
        if (over || waiters.isClosed() || Thread.currentThread().isInterrupted()) {
          return answer(now);
        }
        leaseMs = 1;
      }
    }
  }

  private Reply extend(String leaseId, long leaseMs) {
    return shard.apply(new Command.ExtendLease(leaseId, leaseMs));
  }

  private static Result<Extended> answer(Reply reply) {
    return Answers.of(reply, Reply.ExtendedLease.class, Reply.ExtendedLease::extended);
  }

  Result<StoredRecord> record(RecordRequest request) {
    if (request.newerThan() < 0 || request.waitMs() == 0) {
      return read(request.key());
    }
    long deadline = time.nanos() + request.waitMs() * NANOS_PER_MS;
    Waiters.@Nullable Waiter waiter = waiters.enter(new WaitKey.Row(request.key()));
    if (waiter == null) {
      return tooMany();
    }
    try (waiter) {
      while (true) {
        waiter.arm();
        Result<StoredRecord> now = read(request.key());
        if (!now.isOk() || now.orThrow().version() > request.newerThan()) {
          return now;
        }
        Reply.Refused stopped = shard.stopped();
        if (stopped != null) {
          return Result.refused(stopped.refusal());
        }
        waiter.await(deadline);
        boolean over = time.nanos() >= deadline;
        if (over || waiters.isClosed() || Thread.currentThread().isInterrupted()) {
          return now;
        }
      }
    }
  }

  private Result<StoredRecord> read(String key) {
    return reads.read(snapshot -> Result.ok(new StoredRows(snapshot).record(key)));
  }
}
