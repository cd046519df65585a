package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Target;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.message.Position;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Ends deliveries: finds what a settle names, judges whether it may, and settles it. */
final class SettleHandler {
  /** What a settle names, if it may settle it. */
  private sealed interface Named {
    record Item(Lease lease, Slice slice, int item) implements Named {}

    record Whole(Lease lease) implements Named {}

    /** A message that came back and that nobody holds. */
    record Back(Subscription subscription, LaneCursor cursor, long seq) implements Named {}

    record No(Status status) implements Named {}
  }

  private SettleHandler() {}

  static Reply apply(Turn turn, SettleRequest request) {
    if (request.atomic()) {
      Plan plan = new Plan(turn);
      List<SettleVerdict> refused = refusals(turn, plan, request.settles());
      if (!refused.isEmpty()) {
        return new Reply.SettledMessages(refused);
      }
      if (plan.dead.isTooMuch()) {
        return Turn.refused(ErrorCode.TOO_LARGE, DeadBytes.TOO_MUCH);
      }
    }
    return new Reply.SettledMessages(settleEach(turn, request.settles()));
  }

  /** Settles one after the other; one that makes too many dead letters is not applied. */
  static List<SettleVerdict> settleEach(Turn turn, List<Settle> settles) {
    List<SettleVerdict> verdicts = new ArrayList<>(settles.size());
    DeadBytes dead = new DeadBytes(turn);
    Lease last = null;
    for (Settle settle : settles) {
      Named named = find(turn, settle.target());
      Lease lease = leaseOf(named);
      if (last != null && last != lease) {
        Settlement.finish(turn, last);
      }
      last = lease;
      SettleVerdict verdict =
          fits(dead, settle, named)
              ? settle(turn, settle, named)
              : SettleVerdict.refused(Status.NOT_APPLIED);
      verdicts.add(lease == null ? verdict : verdict.leaseOver(lease.open == 0));
    }
    if (last != null) {
      Settlement.finish(turn, last);
    }
    return verdicts;
  }

  private static boolean fits(DeadBytes dead, Settle settle, Named named) {
    long before = dead.bytes();
    count(dead, settle.outcome(), named);
    if (dead.isTooMuch()) {
      dead.backTo(before);
      return false;
    }
    return true;
  }

  private static void count(DeadBytes dead, Settle.Outcome outcome, Named named) {
    switch (named) {
      case Named.No no -> {}
      case Named.Item item -> {
        Items items = item.slice.items;
        dead.add(outcome, item.slice.subscription, items.lane(item.item), items.seq(item.item));
      }
      case Named.Back back -> dead.add(outcome, back.subscription, back.cursor.lane, back.seq);
      case Named.Whole whole -> dead.addAll(outcome, whole.lease);
    }
  }

  /** The verdicts of an atomic request that must be refused; empty if it may go ahead. */
  private static List<SettleVerdict> refusals(Turn turn, Plan plan, List<Settle> settles) {
    List<SettleVerdict> verdicts = new ArrayList<>(settles.size());
    boolean refused = false;
    for (Settle settle : settles) {
      Status status = plan.check(turn, settle);
      refused |= status != null;
      verdicts.add(SettleVerdict.refused(status == null ? Status.NOT_APPLIED : status));
    }
    return refused ? verdicts : List.of();
  }

  /** The messages that earlier settles of the same request have ended. */
  static final class Plan {
    private record Place(Subscription subscription, long seq) {}

    private final Set<Place> settled = new HashSet<>();
    private final Set<Place> cancelled = new HashSet<>();
    private final Map<Group, Long> ended = new HashMap<>();

    /** What dies by the request. */
    final DeadBytes dead;

    Plan(Turn turn) {
      this.dead = new DeadBytes(turn);
    }

    /** Why a settle would be refused, or null; then it counts for the checks to come. */
    @Nullable Status check(Turn turn, Settle settle) {
      int before = settled.size();
      Named named = find(turn, settle.target());
      Status refusal =
          switch (named) {
            case Named.No no -> no.status;
            case Named.Item item -> claim(item, settle.rest());
            case Named.Back back -> claim(new Place(back.subscription, back.seq));
            case Named.Whole whole -> claim(whole.lease);
          };
      if (refusal == null) {
        count(dead, settle.outcome(), named);
      }
      Group group = groupOf(named);
      if (group != null && settle.outcome() == Settle.Outcome.ACK) {
        ended.merge(group, (long) settled.size() - before, Long::sum);
      }
      return refusal;
    }

    /** How many messages of a group the request acknowledges. */
    long ended(Group group) {
      return ended.getOrDefault(group, 0L);
    }

    private static @Nullable Group groupOf(Named named) {
      return switch (named) {
        case Named.No no -> null;
        case Named.Item item -> item.lease.group;
        case Named.Back back -> back.subscription.group;
        case Named.Whole whole -> whole.lease.group;
      };
    }

    private @Nullable Status claim(Place place) {
      if (cancelled.contains(place)) {
        return Status.CANCELLED;
      }
      return settled.add(place) ? null : Status.ALREADY_SETTLED;
    }

    private @Nullable Status claim(Named.Item item, boolean rest) {
      Items items = item.slice.items;
      Status status = claim(new Place(item.slice.subscription, items.seq(item.item)));
      if (status == null && rest) {
        for (int i = item.item + 1; i < items.size(); i++) {
          if (items.status(i) == Items.OPEN) {
            settled.add(new Place(item.slice.subscription, items.seq(i)));
          }
        }
      }
      return status;
    }

    private @Nullable Status claim(Lease lease) {
      boolean any = false;
      for (Slice slice : lease.slices) {
        for (int i = 0; i < slice.items.size(); i++) {
          Place place = new Place(slice.subscription, slice.items.seq(i));
          if (slice.items.status(i) == Items.OPEN && !cancelled.contains(place)) {
            any |= settled.add(place);
          }
        }
      }
      return any ? null : Status.ALREADY_SETTLED;
    }

    /** A message is cancelled for all groups by the same commit. */
    void cancel(Partition partition, long seq) {
      for (Subscription subscription : partition.subscriptions) {
        cancelled.add(new Place(subscription, seq));
      }
    }
  }

  private static SettleVerdict settle(Turn turn, Settle settle, Named named) {
    return switch (named) {
      case Named.No no -> {
        turn.totals().unknownSettles++;
        yield SettleVerdict.refused(no.status);
      }
      case Named.Item item -> {
        SettleVerdict verdict =
            settle(new Settlement(turn, item.lease, item.slice, item.item), settle);
        int more = settle.rest() ? releaseRest(turn, item) : 0;
        yield more == 0
            ? verdict
            : new SettleVerdict(
                verdict.status(), 1 + more, verdict.failures(), verdict.visibleAtMs());
      }
      case Named.Whole whole -> settleAll(turn, whole.lease, settle);
      case Named.Back back -> settleBack(turn, settle, back);
    };
  }

  private static SettleVerdict settle(Settlement settlement, Settle settle) {
    return switch (settle.outcome()) {
      case ACK -> settlement.ack();
      case NACK -> settlement.nack(settle.error(), settle.delayMs());
      case RELEASE -> settlement.release(settle.delayMs());
      case KILL -> settlement.kill(settle.error());
    };
  }

  private static int releaseRest(Turn turn, Named.Item first) {
    Items items = first.slice.items;
    int released = 0;
    for (int i = first.item + 1; i < items.size(); i++) {
      if (items.status(i) == Items.OPEN) {
        new Settlement(turn, first.lease, first.slice, i).release(0);
        released++;
      }
    }
    return released;
  }

  private static SettleVerdict settleAll(Turn turn, Lease lease, Settle settle) {
    SettleVerdict last = SettleVerdict.refused(Status.ALREADY_SETTLED);
    int count = 0;
    for (Slice slice : lease.slices) {
      for (int i = 0; i < slice.items.size(); i++) {
        if (slice.items.status(i) == Items.OPEN) {
          last = settle(new Settlement(turn, lease, slice, i), settle);
          count++;
        }
      }
    }
    return new SettleVerdict(last.status(), count, last.failures(), last.visibleAtMs());
  }

  /** Settles a message that nobody holds, by leasing it to nobody for a moment. */
  private static SettleVerdict settleBack(Turn turn, Settle settle, Named.Back back) {
    Subscription subscription = back.subscription;
    Lease none = new Lease(LeaseId.NONE, subscription.group, null, turn.nowMs(), 0);
    Slice slice = none.sliceOf(subscription);
    Taking.hold(none, slice, back.cursor, back.seq);
    SettleVerdict verdict = settle(new Settlement(turn, none, slice, 0), settle);
    none.ended = true;
    Settlement.place(turn, subscription);
    return verdict;
  }

  private static @Nullable Lease leaseOf(Named named) {
    return switch (named) {
      case Named.Item item -> item.lease;
      case Named.Whole whole -> whole.lease;
      case Named.Back back -> null;
      case Named.No no -> null;
    };
  }

  private static Named find(Turn turn, Target target) {
    return switch (target) {
      case Target.Held held -> {
        Position at = held.handle().position();
        yield held(turn, held.handle().leaseId(), at.partition(), at.seq());
      }
      case Target.WholeLease whole -> whole(turn, whole.leaseId());
      case Target.HeldByName byName -> {
        Partition partition = turn.state().partition(byName.partition());
        MessageId id =
            partition == null ? null : Finder.named(turn.tx(), partition, byName.transactionId());
        yield partition == null || id == null
            ? new Named.No(Status.NOT_FOUND)
            : held(turn, byName.leaseId(), partition.number, seqOf(turn, byName, partition, id));
      }
      case Target.Unfenced unfenced -> unfenced(turn, unfenced.group(), unfenced.message());
    };
  }

  /** Where a message stands, or stood. One that was never moved stands where its id says. */
  private static long seqOf(
      Turn turn, Target.HeldByName byName, Partition partition, MessageId id) {
    Lease lease = live(turn, LeaseId.number(byName.leaseId()));
    Slice slice = lease == null ? null : lease.slice(partition.number);
    if (slice != null && slice.items.find(id.seq()) >= 0) {
      return id.seq();
    }
    Finder.Found found = Finder.find(turn.state(), turn.tx(), id);
    return found == null ? Names.lastSeq(turn, partition, byName.transactionId(), id) : found.seq();
  }

  /** The live lease of an id; null if there is none or its time is over. */
  static @Nullable Lease live(Turn turn, long id) {
    Lease lease = turn.state().leases.get(id);
    return lease == null || isOver(turn, lease) ? null : lease;
  }

  /** Whether a lease has lost its messages, although it may still wait to be ended. */
  private static boolean isOver(Turn turn, Lease lease) {
    return lease.untilMs <= turn.nowMs() || ShardState.isGone(lease.group);
  }

  private static Named whole(Turn turn, String leaseId) {
    long id = LeaseId.number(leaseId);
    Lease lease = live(turn, id);
    return lease == null
        ? new Named.No(Settlement.afterwards(turn, id, null, 0))
        : new Named.Whole(lease);
  }

  private static Named held(Turn turn, String leaseId, long partition, long seq) {
    long id = LeaseId.number(leaseId);
    Lease lease = turn.state().leases.get(id);
    if (lease == null) {
      return new Named.No(Settlement.afterwards(turn, id, partition, seq));
    }
    Slice slice = lease.slice(partition);
    int item = slice == null ? -1 : slice.items.find(seq);
    if (slice == null || item < 0) {
      return new Named.No(Status.STALE_LEASE);
    }
    byte status = slice.items.status(item);
    if (status != Items.OPEN) {
      return new Named.No(Settlement.afterwards(status));
    }
    return isOver(turn, lease)
        ? new Named.No(Status.STALE_LEASE)
        : new Named.Item(lease, slice, item);
  }

  private static Named unfenced(Turn turn, String groupName, MessageRef ref) {
    MessageId id = Finder.id(turn.state(), turn.tx(), ref);
    Finder.Found found = id == null ? null : Finder.find(turn.state(), turn.tx(), id);
    Partition partition = found == null ? null : found.partition();
    Group group = partition == null ? null : partition.queue.group(groupName);
    Subscription subscription =
        partition == null || group == null ? null : partition.subscription(group);
    if (partition == null || subscription == null || found == null) {
      return new Named.No(Status.NOT_FOUND);
    }
    if (partition.queue.rules.requireLease) {
      return new Named.No(Status.LEASE_REQUIRED);
    }
    return unfenced(turn, subscription, found.lane(), found.seq());
  }

  private static Named unfenced(Turn turn, Subscription subscription, int lane, long seq) {
    Held held = Held.find(subscription, lane, seq);
    LaneCursor cursor = subscription.cursor(lane);
    if (held.lease() != null && held.slice() != null && held.lease().untilMs > turn.nowMs()) {
      return new Named.Item(held.lease(), held.slice(), held.item());
    }
    return cursor == null || held.state() != MessageState.RETURNED || seq >= cursor.nextSeq
        ? new Named.No(Status.NOT_FOUND)
        : new Named.Back(subscription, cursor, seq);
  }
}
