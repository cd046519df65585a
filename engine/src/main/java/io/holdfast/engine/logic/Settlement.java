package io.holdfast.engine.logic;

import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.Attempt;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.store.Tables;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What happens to one leased message when it is settled, and to the lease when all of it is. */
final class Settlement {
  private final Turn turn;
  private final Lease lease;
  private final Slice slice;
  private final Subscription subscription;
  private final int item;
  private final int lane;
  private final long seq;
  private final LaneCursor cursor;

  Settlement(Turn turn, Lease lease, Slice slice, int item) {
    this.turn = turn;
    this.lease = lease;
    this.slice = slice;
    this.subscription = slice.subscription;
    this.item = item;
    this.lane = slice.items.lane(item);
    this.seq = slice.items.seq(item);
    LaneCursor found = subscription.cursor(lane);
    if (found == null) {
      throw new IllegalStateException("a lease holds a message of a lane that is not there");
    }
    this.cursor = found;
  }

  SettleVerdict ack() {
    close(Items.SETTLED);
    Returned returned = forget();
    turn.totals().acked++;
    subscription.group.queue.acked++;
    Tasks.completed(turn, subscription, lane, seq);
    return new SettleVerdict(Status.ACKED, 1, returned == null ? 0 : returned.failures, 0);
  }

  SettleVerdict nack(@Nullable String error, long delayMs) {
    turn.totals().nacked++;
    subscription.group.queue.nacked++;
    Returned returned = returnedOrNew();
    returned.failures++;
    List<Attempt> attempts = attempts(returned, Attempt.Cause.NACKED, error);
    Rules rules = subscription.partition.queue.rules;
    if (returned.failures > rules.retryLimit) {
      return bury(returned, attempts, error);
    }
    close(Items.SETTLED);
    long waitMs =
        delayMs >= 0 ? delayMs : rules.backoffMs(returned.failures, turn.stamp().index(), seq);
    comeBackIn(returned, waitMs, attempts);
    turn.totals().retried++;
    Tasks.failed(turn, subscription, lane, seq, error);
    return new SettleVerdict(Status.RETRYING, 1, returned.failures, returned.visibleAtMs);
  }

  SettleVerdict release(long delayMs) {
    turn.totals().released++;
    close(Items.GIVEN_BACK);
    Returned returned = returnedOrNew();
    comeBackIn(returned, Math.max(0, delayMs), Returned.attempts(row()));
    Tasks.releasedTask(turn, subscription, lane, seq);
    return new SettleVerdict(Status.RELEASED, 1, returned.failures, returned.visibleAtMs);
  }

  SettleVerdict kill(@Nullable String error) {
    Returned returned = returnedOrNew();
    return bury(returned, attempts(returned, Attempt.Cause.KILLED, error), error);
  }

  /** The lease ran out. */
  void expire() {
    turn.totals().expired++;
    Returned returned = returnedOrNew();
    long limit = subscription.partition.queue.rules.deliveryLimit;
    returned.expiries++;
    List<Attempt> attempts = attempts(returned, Attempt.Cause.EXPIRED, null);
    if (limit > 0 && returned.expiries > limit) {
      if (lease.alone) {
        bury(returned, attempts, "its lease expired " + returned.expiries + " times");
        return;
      }
      // But not below what makes it be leased alone, or it could never die.
      returned.expiries = Math.max((int) limit, Returned.ALONE_FROM);
    }
    close(Items.GIVEN_BACK);
    comeBackIn(returned, 0, attempts);
    Tasks.failed(turn, subscription, lane, seq, "lease expired");
  }

  /** The message is taken away from its holder; what is known of it is forgotten. */
  void cancel() {
    close(Items.CANCELLED);
    forget();
    turn.effects().add(new Effect.WakeExtends(lease.id));
  }

  /** The message is taken away from its holder, and comes back at a time. */
  void reschedule(long visibleAtMs) {
    close(Items.CANCELLED);
    Returned returned = returnedOrNew();
    returned.atTime = true;
    comeBack(returned, visibleAtMs, Returned.attempts(row()));
    turn.effects().add(new Effect.WakeExtends(lease.id));
  }

  /** The holder loses the message, and the group is moved away from it: see seek. */
  void dropHold() {
    close(Items.GIVEN_BACK);
    forget();
  }

  private SettleVerdict bury(Returned returned, List<Attempt> attempts, @Nullable String error) {
    close(Items.SETTLED);
    Chunk requeued = returned.isRequeued() ? subscription.requeued(turn.tx(), lane, seq) : null;
    forget();
    boolean kept =
        DeadLetters.bury(turn, subscription, lane, seq, returned, attempts, requeued, error);
    Tasks.died(turn, subscription, lane, seq, error);
    return new SettleVerdict(kept ? Status.DEAD : Status.DROPPED, 1, returned.failures, 0);
  }

  private void close(byte how) {
    lease.close(slice, item, how);
    subscription.inFlight--;
    subscription.group.inFlight--;
    turn.state().touch(lease);
  }

  private byte @Nullable [] row() {
    return cursor.returned(seq) == null ? null : turn.tx().get(subscription.returnedKey(lane, seq));
  }

  private Returned returnedOrNew() {
    Returned known = cursor.returned(seq);
    return known != null ? known : new Returned();
  }

  private @Nullable Returned forget() {
    TreeMap<Long, Returned> all = cursor.returned;
    Returned known = all == null ? null : all.remove(seq);
    if (known != null) {
      subscription.deleteReturned(turn.tx(), lane, seq, known);
    }
    return known;
  }

  private void comeBackIn(Returned returned, long delayMs, List<Attempt> attempts) {
    returned.atTime = false;
    comeBack(returned, turn.nowMs() + delayMs, attempts);
  }

  private void comeBack(Returned returned, long visibleAtMs, List<Attempt> attempts) {
    returned.deliveries++;
    returned.visibleAtMs = visibleAtMs;
    returned.holder = null;
    Map<Long, Returned> all = cursor.returnedOrNew();
    all.put(seq, returned);
    subscription.returned++;
    subscription.group.returned++;
    turn.tx().put(subscription.returnedKey(lane, seq), returned.row(attempts));
  }

  private List<Attempt> attempts(Returned returned, Attempt.Cause cause, @Nullable String error) {
    return Returned.more(
        Returned.attempts(row()),
        new Attempt(
            returned.deliveries + 1, cause, lease.worker, lease.leasedMs, turn.nowMs(), error));
  }

  /**
   * Frees the partitions of which a lease holds nothing any more, and ends it if that is all.
   *
   * <p>Called after messages of the lease were closed: only partitions of those are looked at.
   */
  static void finish(Turn turn, Lease lease) {
    ShardState state = turn.state();
    boolean over = lease.open == 0;
    if (over && !lease.ended) {
      lease.ended = true;
      state.remove(lease);
      remember(turn, lease);
      state.touch(lease);
      turn.effects().add(new Effect.WakeExtends(lease.id));
    }
    for (Slice slice : lease.takeTouched()) {
      if (slice.free(lease) || slice.items.open() > 0) {
        place(turn, slice.subscription);
      }
    }
    if (over) {
      lease.slices.forEach(Slice::leave);
    }
  }

  /** Ends a lease whose group is deleted: its messages have nobody to return to. */
  static void endOrphan(Turn turn, Lease lease) {
    turn.budget().spend(lease.slices.size(), 0);
    for (Slice slice : lease.slices) {
      for (int i = 0; i < slice.items.size(); i++) {
        if (slice.items.status(i) == Items.OPEN) {
          lease.close(slice, i, Items.GIVEN_BACK);
        }
      }
    }
    lease.ended = true;
    turn.state().remove(lease);
    remember(turn, lease);
    turn.state().touch(lease);
    turn.effects().add(new Effect.WakeExtends(lease.id));
  }

  /** Puts a subscription where it belongs, and wakes pops if it has work for them. */
  static void place(Turn turn, Subscription subscription) {
    subscription.group.place(subscription);
    if (subscription.place() == Subscription.Place.READY) {
      turn.wake(subscription.partition);
    }
  }

  private static void remember(Turn turn, Lease lease) {
    long untilMs = turn.nowMs() + Math.max(lease.lengthMs, LogicLimits.ENDED_MS_MIN);
    ByteWriter out = TimedRows.row(untilMs);
    LeaseRow.writeParts(out, LeaseRow.parts(lease));
    turn.state().ended.put(turn, Tables.id(lease.id), out.done());
  }

  /** What a lease that is over says of a message, or with a null partition of all it held. */
  static Status afterwards(Turn turn, long leaseId, @Nullable Long partition, long seq) {
    byte[] row = turn.state().ended.get(turn.tx(), Tables.id(leaseId), turn.nowMs());
    if (row == null) {
      return Status.STALE_LEASE;
    }
    Status all = Status.ALREADY_SETTLED;
    Status last = Status.STALE_LEASE;
    for (LeaseRow.Part part : LeaseRow.readParts(TimedRows.content(row))) {
      Items items = part.items();
      for (int i = 0; i < items.size(); i++) {
        Status status = afterwards(items.status(i));
        if (partition == null) {
          all = status == Status.STALE_LEASE ? status : all;
        } else if (partition == part.partition() && items.seq(i) == seq) {
          last = status;
        }
      }
    }
    return partition == null ? all : last;
  }

  /** What a settle of a message that is no longer open is told. */
  static Status afterwards(byte itemStatus) {
    return switch (itemStatus) {
      case Items.SETTLED -> Status.ALREADY_SETTLED;
      case Items.CANCELLED -> Status.CANCELLED;
      default -> Status.STALE_LEASE;
    };
  }
}
