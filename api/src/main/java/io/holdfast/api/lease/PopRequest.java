package io.holdfast.api.lease;

import io.holdfast.api.Broker;
import io.holdfast.api.Check;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.group.StartFrom;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A wish for messages.
 *
 * @param group the consumer group; {@link #QUEUE_MODE} if none is named
 * @param batch the most messages, over all partitions
 * @param partitions the most partitions to take from
 * @param waitMs how long to wait for the first message; 0 answers at once
 * @param leaseMs the length of the lease; 0 for the queue's
 * @param autoAck settle at delivery: at most once, and no lease
 * @param start where the group begins, if this pop makes it
 * @param worker who asks, kept with the attempt; null for nobody in particular
 * @param settles what to settle before taking, in the same step, each by itself
 * @param joinLease the live lease that new messages join; null for a lease of their own
 * @param attemptId the same for a pop and its repeats: while the lease of the first one lives, a
 *     repeat returns its open messages under a new lease id; null for none
 * @param stickyMs how long partitions whose last messages another worker took are left to that
 *     worker, from when they have a message; 0 to take from any partition. Needs a worker
 */
public record PopRequest(
    PopSource source,
    String group,
    int batch,
    int partitions,
    long waitMs,
    long leaseMs,
    boolean autoAck,
    StartFrom start,
    @Nullable String worker,
    List<Settle> settles,
    @Nullable String joinLease,
    @Nullable String attemptId,
    long stickyMs) {
  /** The group of pops that name none: competing consumers. */
  public static final String QUEUE_MODE = "__QUEUE_MODE__";

  public PopRequest {
    Check.present("source", source);
    Check.present("start", start);
    Check.name("group", group);
    Check.within("batch", batch, 1, Limits.BATCH_MAX);
    Check.within("partitions", partitions, 1, Limits.POP_PARTITIONS_MAX);
    Check.within("waitMs", waitMs, 0, Limits.WAIT_MS_MAX);
    Check.within("leaseMs", leaseMs, 0, Limits.LEASE_MS_MAX);
    if (worker != null) {
      Check.name("worker", worker);
    }
    if (joinLease != null) {
      Check.name("joinLease", joinLease);
      if (autoAck) {
        throw new InvalidArgumentException("joinLease: expected no lease to join with autoAck");
      }
    }
    if (attemptId != null) {
      Check.name("attemptId", attemptId);
      if (autoAck || joinLease != null) {
        throw new InvalidArgumentException(
            "attemptId: expected none with autoAck or joinLease, which grant no lease of their own");
      }
    }
    Check.within("stickyMs", stickyMs, 0, Limits.STICKY_MS_MAX);
    if (stickyMs > 0 && worker == null) {
      throw new InvalidArgumentException("stickyMs: expected a worker with it, but got none");
    }
    settles = List.copyOf(settles);
    Check.within("settles", settles.size(), 0, Limits.OPERATIONS_MAX);
  }

  /** One message of any partition, without waiting. */
  public static PopRequest queue(String queue) {
    return of(new PopSource.WholeQueue(queue));
  }

  public static PopRequest partition(String queue, String partition) {
    return of(new PopSource.OnePartition(queue, partition));
  }

  public static PopRequest of(PopSource source) {
    return new PopRequest(
        source, QUEUE_MODE, 1, 1, 0, 0, false, StartFrom.ALL, null, List.of(), null, null, 0);
  }

  public PopRequest group(String name) {
    return new PopRequest(
        source,
        name,
        batch,
        partitions,
        waitMs,
        leaseMs,
        autoAck,
        start,
        worker,
        settles,
        joinLease,
        attemptId,
        stickyMs);
  }

  public PopRequest batch(int count) {
    return new PopRequest(
        source,
        group,
        count,
        partitions,
        waitMs,
        leaseMs,
        autoAck,
        start,
        worker,
        settles,
        joinLease,
        attemptId,
        stickyMs);
  }

  public PopRequest partitions(int count) {
    return new PopRequest(
        source, group, batch, count, waitMs, leaseMs, autoAck, start, worker, settles, joinLease,
        attemptId, stickyMs);
  }

  public PopRequest waitMs(long time) {
    return new PopRequest(
        source,
        group,
        batch,
        partitions,
        time,
        leaseMs,
        autoAck,
        start,
        worker,
        settles,
        joinLease,
        attemptId,
        stickyMs);
  }

  public PopRequest leaseMs(long time) {
    return new PopRequest(
        source,
        group,
        batch,
        partitions,
        waitMs,
        time,
        autoAck,
        start,
        worker,
        settles,
        joinLease,
        attemptId,
        stickyMs);
  }

  public PopRequest autoAck(boolean on) {
    return new PopRequest(
        source,
        group,
        batch,
        partitions,
        waitMs,
        leaseMs,
        on,
        start,
        worker,
        settles,
        joinLease,
        attemptId,
        stickyMs);
  }

  public PopRequest start(StartFrom from) {
    return new PopRequest(
        source,
        group,
        batch,
        partitions,
        waitMs,
        leaseMs,
        autoAck,
        from,
        worker,
        settles,
        joinLease,
        attemptId,
        stickyMs);
  }

  public PopRequest worker(String name) {
    return new PopRequest(
        source,
        group,
        batch,
        partitions,
        waitMs,
        leaseMs,
        autoAck,
        start,
        name,
        settles,
        joinLease,
        attemptId,
        stickyMs);
  }

  public PopRequest settles(List<Settle> list) {
    return new PopRequest(
        source,
        group,
        batch,
        partitions,
        waitMs,
        leaseMs,
        autoAck,
        start,
        worker,
        list,
        joinLease,
        attemptId,
        stickyMs);
  }

  public PopRequest joinLease(@Nullable String leaseId) {
    return new PopRequest(
        source,
        group,
        batch,
        partitions,
        waitMs,
        leaseMs,
        autoAck,
        start,
        worker,
        settles,
        leaseId,
        attemptId,
        stickyMs);
  }

  /** The same request with this attempt id. */
  public PopRequest attemptId(@Nullable String id) {
    return new PopRequest(
        source,
        group,
        batch,
        partitions,
        waitMs,
        leaseMs,
        autoAck,
        start,
        worker,
        settles,
        joinLease,
        id,
        stickyMs);
  }

  /** The same request with this grace for the workers that partitions were last leased to. */
  public PopRequest stickyMs(long time) {
    return new PopRequest(
        source,
        group,
        batch,
        partitions,
        waitMs,
        leaseMs,
        autoAck,
        start,
        worker,
        settles,
        joinLease,
        attemptId,
        time);
  }

  /** Releases what this pop has taken, if anything: nobody uses its result. */
  public void giveBack(Result<Popped> unused, Broker broker) {
    if (unused.isOk() && !unused.orThrow().leaseId().isEmpty()) {
      broker.settle(release(unused.orThrow()));
    }
  }

  /** The request that gives back what this pop has taken. */
  public SettleRequest release(Popped popped) {
    // A lease that the pop joined may hold messages of earlier pops, and those stay.
    return SettleRequest.of(
        joinLease == null
            ? List.of(Settle.releaseAll(popped.leaseId()))
            : popped.messages().stream()
                .map(delivery -> Settle.release(delivery.handle()))
                .toList());
  }
}
