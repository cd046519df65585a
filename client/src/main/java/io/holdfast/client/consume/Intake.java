package io.holdfast.client.consume;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.lease.AttemptId;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.client.AttemptIds;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Pops for a worker: each carries the settles that wait in the outbox, and makes a batch of what
 * came.
 *
 * <p>Thread: one at a time.
 */
final class Intake {
  private final Consumer consumer;
  private final Outbox outbox;
  private final Settling settling;

  /** The id of a pop whose answer did not come: the next pop repeats it. */
  private @Nullable String unanswered;

  Intake(Consumer consumer, Outbox outbox) {
    this.consumer = consumer;
    this.outbox = outbox;
    this.settling = new Settling(consumer.broker, consumer.time, consumer.reports);
  }

  /**
   * Takes a batch, in a lease of its own.
   *
   * @param waitMs how long it may wait if it has nothing to say
   */
  HeldBatch take(int wanted, long waitMs, Function<PopRequest, Popped> ask) {
    return take(consumer.options.pop().batch(wanted).waitMs(waitMs), null, ask);
  }

  /**
   * Takes the batch after one that is not settled, without waiting.
   *
   * @param join whether it joins the lease of that one, which has {@link HeldLease#beginJoin begun}
   * @return null if there was nothing to take
   */
  @Nullable HeldBatch takeAfter(HeldBatch batch, int wanted, boolean join) {
    if (!join) {
      return unlessEmpty(take(consumer.options.pop().batch(wanted), null, this::ask));
    }
    // Other partitions are left to other workers, who have nothing else to do.
    PopRequest request = consumer.options.pop(batch.onlyPartition()).batch(wanted);
    boolean answered = false;
    try {
      HeldBatch next = take(request.joinLease(batch.lease.id), batch.lease, this::ask);
      answered = true;
      return unlessEmpty(next);
    } catch (RefusedException refused) {
      answered = true;
      if (refused.code() != ErrorCode.STALE_LEASE) {
        throw refused;
      }
      return null;
    } finally {
      batch.lease.endJoin(answered);
    }
  }

  private static @Nullable HeldBatch unlessEmpty(HeldBatch batch) {
    return batch.messages.isEmpty() ? null : batch;
  }

  Popped ask(PopRequest request) {
    Result<Popped> result = consumer.broker.pop(request);
    if (!result.isOk()) {
      throw new RefusedException(result.refusal());
    }
    return result.orThrow();
  }

  private HeldBatch take(
      PopRequest wish, @Nullable HeldLease joined, Function<PopRequest, Popped> ask) {
    Outbox.Parcel parcel = outbox.next();
    long leaseMs = leaseMs();
    PopRequest request = wish.leaseMs(leaseMs).settles(parcel.settles());
    if (joined == null && !request.autoAck()) {
      unanswered =
          unanswered == null
              ? AttemptIds.next()
              : AttemptId.later(unanswered, AttemptIds.AFTER_A_REQUEST);
      request = request.attemptId(unanswered);
    }
    boolean waits = parcel.isEmpty() && request.waitMs() > 0;
    long asked = consumer.time.nanos();
    Popped popped;
    try {
      popped = ask.apply(waits ? request : request.waitMs(0));
    } catch (RefusedException refused) {
      // None of its settles were applied, and the next pop may be refused as well.
      outbox.send(consumer.broker);
      throw refused;
    }
    if (joined == null) {
      unanswered = null;
    }
    // The lease begins when there is something to lease, not when the wait for it does.
    long begunNanos = waits ? consumer.time.nanos() : asked;
    outbox.answered(parcel, popped.settled());
    long endNanos = begunNanos + Duration.ofMillis(leaseMs).toNanos();
    HeldLease lease = joined;
    if (lease == null || !lease.id.equals(popped.leaseId())) {
      lease =
          new HeldLease(
              popped.leaseId(),
              Duration.ofMillis(leaseMs),
              endNanos,
              consumer.time,
              consumer.reports);
    } else {
      lease.extendTo(endNanos);
    }
    HeldBatch batch = lease.add(popped, consumer.options.ackMode, settling);
    consumer.reports.delivered(popped.messages().size());
    return batch;
  }

  private long leaseMs() {
    if (consumer.options.ackMode == AckMode.AT_DELIVERY) {
      return 0;
    }
    long queueMs = consumer.facts.leaseMs();
    Duration own = consumer.options.leaseTime;
    return own == null ? queueMs : own.toMillis();
  }
}
