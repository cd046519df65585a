package io.holdfast.engine.logic;

import io.holdfast.api.lease.AttemptId;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.engine.command.Command.PopMessages;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply.PoppedMessages;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answers to pops that take nothing. A pop that would also change nothing is answered from the
 * index alone and needs no entry of the log.
 */
final class EmptyPop {
  /** Leases looked at to find until when a queue is locked. */
  private static final int LOCKS_MAX = 1_000;

  private EmptyPop() {}

  static PoppedMessages answer(Reason reason, long retryAtMs) {
    return new PoppedMessages(List.of(), LeaseId.NONE, 0, reason, retryAtMs, List.of(), false);
  }

  /** The answer if the pop would take nothing and change nothing; null if it may do either. */
  static @Nullable PoppedMessages withoutEntry(Turn turn, PopMessages command) {
    PopRequest request = command.request();
    String name = PopHandler.queueName(request.source());
    if (!request.settles().isEmpty()
        || request.joinLease() != null
        || (name != null && turn.state().queue(name) == null)) {
      return null;
    }
    PoppedMessages empty = answer(Reason.EMPTY, 0);
    for (Queue queue : PopHandler.queues(turn.state(), request.source())) {
      Group group = queue.group(request.group());
      if (group == null) {
        return null;
      }
      boolean mayChange =
          queue.refreshedTo != null
              || !group.hasLookedWith(command.keys())
              || PopHandler.lacksKeys(queue, command.keys())
              || (request.attemptId() != null
                  && group.attempts.containsKey(AttemptId.name(request.attemptId())));
      PoppedMessages answer = mayChange ? null : withoutEntry(turn, request, group);
      if (answer == null) {
        return null;
      }
      empty = PopHandler.sooner(empty, answer);
    }
    return empty;
  }

  private static @Nullable PoppedMessages withoutEntry(Turn turn, PopRequest request, Group group) {
    PoppedMessages blocked = blocked(turn, group.queue, request, null);
    if (blocked != null) {
      return blocked;
    }
    if (request.source() instanceof PopSource.OnePartition one) {
      return ofPartition(group, group.queue.partitions.get(one.partition()));
    }
    if (!group.ready.isEmpty()) {
      return null;
    }
    if (group.later.isEmpty()) {
      long lockedMs = lockedUntilMs(turn, group);
      return answer(lockedMs > 0 ? Reason.LOCKED : Reason.EMPTY, lockedMs);
    }
    Subscription first = group.later.first();
    if (first.notBeforeMs <= turn.nowMs() || first.postponedFor == Reason.UNREADABLE) {
      return null;
    }
    return answer(first.postponedFor, first.notBeforeMs == Long.MAX_VALUE ? 0 : first.notBeforeMs);
  }

  private static @Nullable PoppedMessages ofPartition(Group group, @Nullable Partition partition) {
    if (partition == null) {
      return answer(Reason.EMPTY, 0);
    }
    Subscription subscription = partition.isCurrent() ? partition.subscription(group) : null;
    if (subscription == null || group.queue.rules.windowMs > 0) {
      return null;
    }
    if (subscription.isLocked()) {
      return answer(Reason.LOCKED, subscription.leases.untilMs());
    }
    for (Lane lane : partition.lanes) {
      // Also if none of them waits: a pop would move the cursor over cancelled messages.
      if (subscription.returned > 0 || subscription.nextSeq(lane) < lane.endSeq) {
        return null;
      }
    }
    return answer(Reason.EMPTY, 0);
  }

  /** The answer if nothing may be taken from a queue, whatever it holds; else null. */
  static @Nullable PoppedMessages blocked(
      Turn turn, Queue queue, PopRequest request, @Nullable Lease joined) {
    if (queue.paused) {
      return answer(Reason.PAUSED, 0);
    }
    ShardState state = turn.state();
    boolean full = state.leases.size() >= state.limits().leasesMax();
    return full && joined == null && !request.autoAck()
        ? answer(Reason.IN_FLIGHT_LIMIT, state.expiries.first().untilMs)
        : null;
  }

  /** When the first lease of a group with ordered delivery ends; 0 if none is found. */
  static long lockedUntilMs(Turn turn, Group group) {
    if (!group.queue.rules.ordered) {
      return 0;
    }
    int looked = 0;
    for (Lease lease : turn.state().expiries) {
      if (lease.group == group) {
        return lease.untilMs;
      }
      if (++looked == LOCKS_MAX) {
        break;
      }
    }
    return 0;
  }
}
