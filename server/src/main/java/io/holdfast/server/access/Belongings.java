package io.holdfast.server.access;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.LeaseInfo;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Target;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import java.util.List;
import java.util.UUID;

/**
 * Finds out which queue a lease or a message belongs to, and turns what belongs to a queue that a
 * caller may not touch into what is not there.
 *
 * <p>So the broker itself answers as it answers of anything that is absent, and nobody can tell the
 * difference. Only what a queue is named with is refused by its name.
 *
 * <p>Thread: any.
 */
final class Belongings {
  /** No lease has this id, so that what names it is refused as stale. */
  static final String NO_LEASE = "none";

  /** No message has this id. */
  static final MessageRef NO_MESSAGE = MessageRef.id(new UUID(0, 0));

  /** No partition has this number. */
  private static final long NO_PARTITION = 0;

  /** Leases, and partitions, whose queues are remembered. */
  static final int REMEMBERED_MAX = 40_000;

  private static final String NOWHERE = "";

  private final Broker broker;
  private final Remembered<String, String> leases = new Remembered<>(REMEMBERED_MAX);
  private final Remembered<Long, String> partitions = new Remembered<>(REMEMBERED_MAX);

  Belongings(Broker broker) {
    this.broker = broker;
  }

  /** Says that a lease belongs to a queue. */
  void learn(String leaseId, String queue) {
    leases.put(leaseId, queue);
  }

  /** Says that a partition belongs to a queue. */
  void learn(long partition, String queue) {
    partitions.put(partition, queue);
  }

  /** The lease itself, or if the caller may not touch its queue, one that is not there. */
  Result<String> lease(Grant grant, String leaseId) {
    String known = leases.get(leaseId);
    if (known == null) {
      Result<LeaseInfo> found = broker.lease(leaseId);
      if (isTrouble(found)) {
        return Result.refused(found.refusal());
      }
      String queue = found.isOk() ? found.orThrow().queue() : null;
      known = queue == null ? NOWHERE : queue;
      if (queue != null) {
        learn(leaseId, queue);
      }
    }
    return Result.ok(isCovered(grant, known) ? leaseId : NO_LEASE);
  }

  private static boolean isCovered(Grant grant, String queue) {
    return !queue.equals(NOWHERE) && grant.covers(queue);
  }

  private static boolean isTrouble(Result<?> found) {
    return !found.isOk() && found.refusal().code() != ErrorCode.NOT_FOUND;
  }

  /** The message itself, or if the caller may not touch its queue, one that is not there. */
  Result<MessageRef> message(Grant grant, MessageRef message) {
    return switch (message) {
      case MessageRef.ByName named ->
          grant.covers(named.queue())
              ? Result.ok(named)
              : GuardedBroker.forbidden(grant, "queue", named.queue());
      case MessageRef.InPartition in -> {
        String known = partitions.get(in.partition());
        yield known == null ? found(grant, in) : Result.ok(visible(grant, known, in));
      }
      case MessageRef.ById byId -> found(grant, byId);
    };
  }

  private Result<MessageRef> found(Grant grant, MessageRef message) {
    Result<MessageDetail> found = broker.message(message);
    if (isTrouble(found)) {
      return Result.refused(found.refusal());
    }
    if (!found.isOk()) {
      return Result.ok(NO_MESSAGE);
    }
    String queue = found.orThrow().message().queue();
    if (message instanceof MessageRef.InPartition in) {
      learn(in.partition(), queue);
    }
    return Result.ok(visible(grant, queue, message));
  }

  private static MessageRef visible(Grant grant, String queue, MessageRef message) {
    return grant.covers(queue) ? message : NO_MESSAGE;
  }

  /** A handle, or if the caller may not touch its queue, one of a lease that is not there. */
  Result<Handle> handle(Grant grant, Handle handle) {
    return lease(grant, handle.leaseId()).map(lease -> new Handle(lease, handle.position()));
  }

  Result<Settle> settle(Grant grant, Settle settle) {
    Result<Target> target =
        switch (settle.target()) {
          case Target.Held held -> handle(grant, held.handle()).map(Target.Held::new);
          case Target.WholeLease whole -> lease(grant, whole.leaseId()).map(Target.WholeLease::new);
          case Target.HeldByName held -> heldByName(grant, held);
          case Target.Unfenced unfenced ->
              message(grant, unfenced.message())
                  .map(message -> new Target.Unfenced(unfenced.group(), message));
        };
    return target.map(
        found ->
            new Settle(found, settle.outcome(), settle.error(), settle.delayMs(), settle.rest()));
  }

  /** The name is looked for before the lease is, so both must be of queues that are covered. */
  private Result<Target> heldByName(Grant grant, Target.HeldByName held) {
    MessageRef name = new MessageRef.InPartition(held.partition(), held.transactionId());
    return lease(grant, held.leaseId())
        .flatMap(
            lease ->
                message(grant, name)
                    .map(
                        message ->
                            new Target.HeldByName(
                                lease,
                                message.equals(NO_MESSAGE) ? NO_PARTITION : held.partition(),
                                held.transactionId())));
  }

  Result<List<Settle>> settles(Grant grant, List<Settle> settles) {
    return Result.each(settles, settle -> settle(grant, settle));
  }
}
