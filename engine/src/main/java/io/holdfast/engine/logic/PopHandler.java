package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.AttemptId;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command.PopMessages;
import io.holdfast.engine.command.Envelope;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Reply.PoppedMessages;
import io.holdfast.engine.command.Reply.Taken;
import io.holdfast.engine.store.StoreException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Leases messages, or hands them out settled: subscriptions in turn, lower lanes first. */
final class PopHandler {
  private final Turn turn;
  private final PopRequest request;
  private final Set<Integer> keys;
  private final List<SettleVerdict> settled;
  private final Affinity affinity;

  private PopHandler(Turn turn, PopMessages command, List<SettleVerdict> settled) {
    this.turn = turn;
    this.request = command.request();
    this.keys = command.keys();
    this.settled = settled;
    this.affinity = Affinity.of(turn.stamp(), request);
  }

  static Reply apply(Turn turn, PopMessages command) {
    PopRequest request = command.request();
    Refusal refusal = refusal(turn, command);
    if (refusal != null) {
      return new Reply.Refused(refusal);
    }
    List<SettleVerdict> settled =
        request.settles().isEmpty() ? List.of() : SettleHandler.settleEach(turn, request.settles());
    return new PopHandler(turn, command, settled).pop();
  }

  private static @Nullable Refusal refusal(Turn turn, PopMessages command) {
    PopRequest request = command.request();
    ShardState state = turn.state();
    long subscriptions = state.subscriptionCount;
    for (Queue queue : queues(state, request.source())) {
      if (queue.group(request.group()) != null) {
        continue;
      }
      if (queue.groups.size() >= state.limits().groupsMax()
          || queue.nextGroup == Integer.MAX_VALUE) {
        return Refusal.of(
            ErrorCode.LIMIT,
            "queue "
                + queue.name
                + " may have "
                + state.limits().groupsMax()
                + " groups at a time, and "
                + Integer.MAX_VALUE
                + " ever; delete groups, or use another queue");
      }
      subscriptions += queue.partitions.size();
    }
    if (subscriptions > state.subscriptionCount) {
      Refusal tooMany = PushHandler.tooManySubscriptions(state, subscriptions);
      if (tooMany != null) {
        return tooMany;
      }
    }
    if (request.joinLease() != null
        && SettleHandler.live(turn, LeaseId.number(request.joinLease())) == null) {
      return Refusal.of(ErrorCode.STALE_LEASE, "the lease to join has expired or was ended");
    }
    String name = queueName(request.source());
    Queue queue = name == null ? null : state.queue(name);
    return name != null && queue == null ? NumberLimits.queues(state, 1) : null;
  }

  static boolean lacksKeys(Queue queue, Set<Integer> keys) {
    return queue.rules.encrypts && keys.isEmpty();
  }

  private static Refusal noKeys(Queue queue) {
    return Refusal.of(
        ErrorCode.KEY_MISSING,
        "queue "
            + queue.name
            + " keeps its payloads encrypted (encryptionEnabled), and the broker has no key: start"
            + " it with the key file it had");
  }

  private static Refusal missingKey(Subscription subscription) {
    if (subscription.missingKey == Subscription.READ_FAILED) {
      return readFailed(subscription.partition);
    }
    return Refusal.of(
        ErrorCode.KEY_MISSING,
        subscription.partition.title()
            + ": the next message is encrypted under key "
            + Envelope.keyText(subscription.missingKey)
            + ", which the broker does not have: put that key back into its key file and start it"
            + " again, or cancel the message or purge the partition if the key is lost");
  }

  private static Refusal readFailed(Partition partition) {
    return Refusal.of(
        ErrorCode.READ_FAILED,
        partition.title()
            + ": the next message cannot be read from the disk; ./holdfast verify lists the"
            + " damaged files. Restore a checkpoint, or purge the partition");
  }

  static @Nullable String queueName(PopSource source) {
    return switch (source) {
      case PopSource.WholeQueue whole -> whole.queue();
      case PopSource.OnePartition one -> one.queue();
      case PopSource.Tagged tagged -> null;
    };
  }

  /** The queues that a pop may take from, in the order in which it tries them. */
  static List<Queue> queues(ShardState state, PopSource source) {
    if (source instanceof PopSource.Tagged tagged) {
      return state.queues.values().stream()
          .filter(queue -> isTagged(queue, QueueOption.NAMESPACE, tagged.namespace()))
          .filter(queue -> isTagged(queue, QueueOption.TASK, tagged.task()))
          .sorted(
              Comparator.comparingLong(
                  (Queue queue) -> -queue.rules.options.number(QueueOption.PRIORITY)))
          .toList();
    }
    String name = queueName(source);
    Queue queue = name == null ? null : state.queue(name);
    return queue == null ? List.of() : List.of(queue);
  }

  private static boolean isTagged(Queue queue, QueueOption option, @Nullable String wanted) {
    return wanted == null || queue.rules.options.text(option).equals(wanted);
  }

  /**
   * The answer to a repeated attempt: the messages of the lease that its first pop was granted, as
   * far as they are still open; null if there are none. The lease gets another id: whoever could
   * not deliver the first answer may release the first one later.
   */
  private @Nullable PoppedMessages popAgain(String attemptId) {
    for (Queue queue : queues(turn.state(), request.source())) {
      Group group = queue.group(request.group());
      Lease known = group == null ? null : group.attempts.get(AttemptId.name(attemptId));
      Lease lease = known == null ? null : SettleHandler.live(turn, known.id);
      if (lease == null) {
        continue;
      }
      if (isOlder(attemptId, lease.attemptId)) {
        return empty(Reason.EMPTY, 0);
      }
      List<Taken> open;
      try {
        open = Taking.openOf(turn, lease, request.batch());
      } catch (StoreException unreadable) {
        turn.requireOwnDisk(unreadable);
        return unreadable(readFailed(lease.slices.getFirst().subscription.partition), 0);
      }
      if (!open.isEmpty()) {
        lease.attemptId = attemptId;
        turn.state().rename(lease, newLeaseId(), turn.tx());
        extend(lease);
        return new PoppedMessages(open, lease.id, lease.untilMs, Reason.NONE, 0, settled, true);
      }
    }
    return null;
  }

  /** Whether a try came later than a repeat of it, which was granted the lease. */
  private static boolean isOlder(String attemptId, @Nullable String granted) {
    long number = AttemptId.number(attemptId);
    return number != AttemptId.NONE && granted != null && number < AttemptId.number(granted);
  }

  private PoppedMessages pop() {
    PoppedMessages again = request.attemptId() == null ? null : popAgain(request.attemptId());
    if (again != null) {
      return again;
    }
    String name = queueName(request.source());
    if (name != null) {
      PushHandler.queueOrNew(turn, name);
    }
    PoppedMessages empty = empty(Reason.EMPTY, 0);
    boolean readable = false;
    for (Queue queue : queues(turn.state(), request.source())) {
      PoppedMessages popped =
          lacksKeys(queue, keys) ? unreadable(noKeys(queue), 0) : popFrom(queue);
      if (!popped.messages().isEmpty() || popped.more()) {
        return popped;
      }
      readable |= popped.unreadable() == null;
      empty = sooner(empty, popped);
    }
    // Of several queues one that can be read is worth waiting for.
    return readable ? empty(empty.reason(), empty.retryAtMs()) : empty;
  }

  private PoppedMessages unreadable(Refusal why, long retryAtMs) {
    return new PoppedMessages(
        List.of(), LeaseId.NONE, 0, Reason.UNREADABLE, retryAtMs, settled, false, why);
  }

  /**
   * The one of two empty answers that says when to ask again. A lock is the last choice: pops that
   * wait are woken when it ends, but nothing wakes them at the end of a backoff.
   */
  static PoppedMessages sooner(PoppedMessages one, PoppedMessages other) {
    if (one.reason() == Reason.EMPTY) {
      return other;
    }
    if (one.retryAtMs() == 0 || other.retryAtMs() == 0) {
      return other.retryAtMs() > 0 ? other : one;
    }
    boolean locked = one.reason() == Reason.LOCKED;
    if (locked != (other.reason() == Reason.LOCKED)) {
      return locked ? other : one;
    }
    return other.retryAtMs() < one.retryAtMs() ? other : one;
  }

  private PoppedMessages empty(Reason reason, long retryAtMs) {
    return EmptyPop.answer(reason, retryAtMs).settled(settled);
  }

  private PoppedMessages popFrom(Queue queue) {
    Group group = groupOrNew(turn, queue, request.group(), request.start());
    Lease joined = joined(group);
    PoppedMessages blocked = EmptyPop.blocked(turn, queue, request, joined);
    if (blocked != null) {
      return blocked.settled(settled);
    }
    Lease lease = joined != null ? joined : newLease(queue, group);
    Taking taking = new Taking(turn, request.batch(), lease, keys);
    Hand hand = new Hand(group, taking);
    if (request.source() instanceof PopSource.OnePartition one) {
      hand.takeFromOne(queue.partitions.get(one.partition()), joined);
    } else {
      SubscriptionRefresh.some(turn, queue);
      hand.takeInTurn(joined);
      taking.unfinished |= taking.taken.isEmpty() && queue.refreshedTo != null;
    }
    if (taking.taken.isEmpty()) {
      return taking.unfinished
          ? new PoppedMessages(
              List.of(), LeaseId.NONE, 0, Reason.EMPTY, turn.nowMs(), settled, true)
          : hand.nothing();
    }
    turn.totals().delivered += taking.taken.size();
    queue.delivered += taking.taken.size();
    if (queue.rules.track) {
      Tasks.received(turn, group, taking.taken, request.worker());
    }
    boolean more = hand.hasMore();
    if (request.autoAck() && !taking.sealed) {
      ackAtDelivery(lease);
      return new PoppedMessages(taking.taken, LeaseId.NONE, 0, Reason.NONE, 0, settled, more);
    }
    grant(lease, joined != null);
    return new PoppedMessages(taking.taken, lease.id, lease.untilMs, Reason.NONE, 0, settled, more);
  }

  private @Nullable Lease joined(Group group) {
    if (request.joinLease() == null) {
      return null;
    }
    Lease lease = SettleHandler.live(turn, LeaseId.number(request.joinLease()));
    return lease != null && lease.group == group && !lease.alone ? lease : null;
  }

  private Lease newLease(Queue queue, Group group) {
    long lengthMs = request.leaseMs() > 0 ? request.leaseMs() : queue.rules.leaseMs;
    return new Lease(newLeaseId(), group, request.worker(), turn.nowMs(), lengthMs);
  }

  private long newLeaseId() {
    long random = turn.stamp().random();
    long id = LeaseId.of(random);
    while (id == LeaseId.NONE || turn.state().leases.containsKey(id)) {
      random += LeaseId.RANDOM_STEP;
      id = LeaseId.of(random);
    }
    return id;
  }

  private void extend(Lease lease) {
    long lengthMs = request.leaseMs() > 0 ? request.leaseMs() : lease.lengthMs;
    turn.state().extend(lease, Math.max(lease.untilMs, turn.nowMs() + lengthMs));
  }

  /** Gives an attempt id to a lease; an earlier lease that is over loses it. */
  private void setAttempt(Lease lease, String attemptId) {
    Lease earlier = lease.group.attempts.get(AttemptId.name(attemptId));
    if (earlier != null) {
      earlier.attemptId = null;
      turn.state().touch(earlier);
    }
    lease.attemptId = attemptId;
  }

  private void grant(Lease lease, boolean joined) {
    ShardState state = turn.state();
    if (joined) {
      extend(lease);
    } else {
      String attemptId = request.attemptId();
      if (attemptId != null) {
        setAttempt(lease, attemptId);
      }
      state.add(lease);
      state.touch(lease);
    }
    for (Slice slice : lease.slices) {
      slice.enter(lease);
      lease.group.place(slice.subscription);
    }
  }

  private void ackAtDelivery(Lease lease) {
    lease.ended = true;
    for (Slice slice : lease.slices) {
      for (int i = 0; i < slice.items.size(); i++) {
        new Settlement(turn, lease, slice, i).ack();
      }
      slice.subscription.group.place(slice.subscription);
    }
  }

  /** The group of a queue; one that is new begins where it is told to. */
  static Group groupOrNew(Turn turn, Queue queue, String name, StartFrom start) {
    Group group = queue.group(name);
    return group != null ? group : GroupHandler.create(turn, queue, name, start);
  }

  /** A pop going over the subscriptions of one group. */
  private final class Hand {
    private final Group group;
    private final Taking taking;
    private Reason reason = Reason.EMPTY;
    private long untilMs;
    private boolean one;
    private @Nullable Partition only;

    /** Where what cannot be opened keeps it from taking. */
    private @Nullable Subscription stuck;

    Hand(Group group, Taking taking) {
      this.group = group;
      this.taking = taking;
    }

    void takeFromOne(@Nullable Partition partition, @Nullable Lease joined) {
      SubscriptionRefresh.refresh(turn, partition);
      Subscription subscription = partition == null ? null : partition.subscription(group);
      one = true;
      only = partition;
      if (subscription == null) {
        return;
      }
      if (subscription.isLocked() && !subscription.leases.contains(joined)) {
        because(Reason.LOCKED, subscription.leases.untilMs(), subscription);
        return;
      }
      if (affinity.leaves(subscription) && subscription.hasWork()) {
        because(Reason.RESERVED, affinity.untilMs(subscription), subscription);
        return;
      }
      group.takeOut(subscription);
      if (!take(subscription) && taking.untilMs > 0) {
        because(taking.reason, taking.untilMs, subscription);
      }
      group.place(subscription);
    }

    void takeInTurn(@Nullable Lease joined) {
      List<Subscription> tried = new ArrayList<>();
      if (joined != null) {
        for (Slice slice : joined.slices) {
          if (slice.items.open() > 0) {
            SubscriptionRefresh.refresh(turn, slice.subscription.partition);
            group.takeOut(slice.subscription);
            take(slice.subscription);
            tried.add(slice.subscription);
          }
        }
      }
      group.awaken(turn.nowMs(), keys);
      int left = request.partitions();
      Subscription next = group.ready.next(affinity);
      while (left > 0 && !taking.isFull() && next != null) {
        group.takeOut(next);
        if (take(next)) {
          left--;
          tried.add(next);
        } else if (taking.untilMs > 0 && !taking.leftForOthers && !taking.unfinished) {
          group.postpone(next, taking.untilMs, taking.reason, taking.isStuck());
        } else {
          tried.add(next);
          if (taking.untilMs > 0) {
            because(taking.reason, taking.untilMs, next);
          }
        }
        next = group.ready.next(affinity);
      }
      Subscription reserved = affinity.isSticky() ? group.ready.longestAvailable() : null;
      if (reserved != null) {
        because(Reason.RESERVED, affinity.untilMs(reserved), reserved);
      }
      tried.forEach(group::place);
      if (!group.later.isEmpty()) {
        Subscription first = group.later.first();
        because(first.postponedFor, first.notBeforeMs, first);
      }
    }

    private boolean take(Subscription subscription) {
      int count = taking.from(subscription);
      if (count > 0) {
        subscription.served(turn, affinity.worker());
      } else if (taking.untilMs > 0) {
        // Or the answers of later pops would depend on whether it is known in memory to have to
        // wait.
        subscription.forgetWorker(turn);
      }
      return count > 0;
    }

    private void because(Reason why, long until, Subscription of) {
      if (untilMs == 0 || until < untilMs) {
        reason = why;
        untilMs = until;
        stuck = why == Reason.UNREADABLE ? of : null;
      }
    }

    boolean hasMore() {
      if (!one) {
        // What has to wait counts too: whoever looks next knows when to look again.
        return !group.ready.isEmpty()
            || !group.later.isEmpty()
            || taking.unfinished
            || group.queue.refreshedTo != null;
      }
      Subscription subscription = only == null ? null : only.subscription(group);
      return subscription != null
          && subscription.place() == Subscription.Place.READY
          && !subscription.isLocked();
    }

    PoppedMessages nothing() {
      long lockedMs = reason == Reason.EMPTY && !one ? EmptyPop.lockedUntilMs(turn, group) : 0;
      if (lockedMs > 0) {
        return empty(Reason.LOCKED, lockedMs);
      }
      return stuck != null
          ? unreadable(missingKey(stuck), untilMs)
          : empty(reason, untilMs == Long.MAX_VALUE ? 0 : untilMs);
    }
  }
}
