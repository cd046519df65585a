package io.holdfast.engine.logic;

import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.Reply.Taken;
import io.holdfast.engine.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pop filling its hands: what it may still take, what it has taken, and why it could not take
 * more.
 */
final class Taking {
  private final Turn turn;
  private final BackWalk back;
  private final int batch;

  /** The lease that holds what is taken. */
  private final Lease lease;

  /** The keys that whoever pops can open messages with. */
  private final Set<Integer> keys;

  final List<Taken> taken = new ArrayList<>();
  private long bytes;

  /** Steps over messages that are not taken: cancelled, too old, or buried. */
  private final CommandBudget.Loop passing;

  /** Why the last subscription gave less than it has, and until when. */
  Reason reason = Reason.EMPTY;

  long untilMs;

  /** Whether the cursor has just passed a message that came back before it was reached. */
  private boolean metReturned;

  /** Whether it stopped only because the command's budget was spent on messages not taken. */
  boolean unfinished;

  /** Whether it has taken something that has to be opened. */
  boolean sealed;

  /** Whether the subscription it takes from has next what cannot be opened. */
  private boolean stuck;

  /** Whether it left out a message that may go out at once, but alone. */
  boolean leftForOthers;

  Taking(Turn turn, int batch, Lease lease, Set<Integer> keys) {
    this.turn = turn;
    this.back = new BackWalk(turn);
    this.batch = batch;
    this.lease = lease;
    this.keys = keys;
    this.passing = turn.budget().loop();
  }

  boolean isFull() {
    return taken.size() >= batch || bytes >= LogicLimits.POP_BYTES_MAX || lease.alone || unfinished;
  }

  /** Whether it may step over one more message without taking it; if not, it is unfinished. */
  private boolean mayPass() {
    unfinished = !passing.mayContinue();
    return !unfinished;
  }

  /** Takes what it can from a subscription; answers how many messages that were. */
  int from(Subscription subscription) {
    int before = taken.size();
    reason = Reason.EMPTY;
    untilMs = 0;
    stuck = false;
    leftForOthers = false;
    Rules rules = subscription.partition.queue.rules;
    long quietAtMs = subscription.partition.lastPushMs + rules.windowMs;
    if (rules.windowMs > 0 && quietAtMs > turn.nowMs()) {
      because(Reason.WINDOW, quietAtMs);
      return 0;
    }
    for (int i = 0; i < subscription.partition.lanes.size() && !isFull() && !stuck; i++) {
      Lane lane = subscription.partition.lanes.get(i);
      if (!takeFrom(subscription, lane, subscription.cursor(lane), rules)) {
        break;
      }
    }
    return taken.size() - before;
  }

  /** Takes from a lane; false if what has to wait there blocks the lanes above too. */
  private boolean takeFrom(Subscription subscription, Lane lane, LaneCursor cursor, Rules rules) {
    do {
      metReturned = false;
      if (!takeReturned(subscription, lane, cursor, rules)) {
        return false;
      }
      takeFresh(subscription, lane, cursor, rules);
    } while (metReturned && !isFull() && !stuck);
    return true;
  }

  /**
   * Whether nobody may be given this message because he could not open it; then nothing behind it
   * is taken either, so that the order stays.
   *
   * @param droppedAtMs when the message is dropped or buried, so that it holds up nothing any more
   */
  private boolean isStuckAt(Subscription subscription, Chunk chunk, int offset, long droppedAtMs) {
    if (!chunk.isSealed(offset)) {
      return false;
    }
    int key = chunk.keyId(offset);
    if (keys.contains(key)) {
      return false;
    }
    stuck = true;
    subscription.missingKey = key;
    because(Reason.UNREADABLE, Math.min(droppedAtMs, LogicLimits.unreadableUntilMs(turn.nowMs())));
    return true;
  }

  /**
   * Reads a chunk for a subscription. If the disk cannot give it, nothing behind it is taken
   * either, as with one that cannot be opened; whatever was taken before stays so.
   */
  private @Nullable Chunk readOf(Subscription subscription, Supplier<@Nullable Chunk> read) {
    try {
      return read.get();
    } catch (StoreException unreadable) {
      turn.requireOwnDisk(unreadable);
      stuck = true;
      subscription.missingKey = Subscription.READ_FAILED;
      because(Reason.UNREADABLE, LogicLimits.unreadableUntilMs(turn.nowMs()));
      return null;
    }
  }

  /** Whether the last subscription has a message that could not be opened or read. */
  boolean isStuck() {
    return stuck;
  }

  private void because(Reason why, long until) {
    if (untilMs == 0 || until < untilMs) {
      reason = why;
      untilMs = until;
    }
  }

  /** Takes what came back; false if something that must wait blocks the lane and those above. */
  private boolean takeReturned(
      Subscription subscription, Lane lane, LaneCursor cursor, Rules rules) {
    if (cursor.returned == null || cursor.returned.isEmpty()) {
      return true;
    }
    List<Long> dropped = new ArrayList<>();
    boolean open = true;
    for (Map.Entry<Long, Returned> entry :
        cursor.returned.headMap(cursor.nextSeq, false).entrySet()) {
      long seq = entry.getKey();
      Returned returned = entry.getValue();
      if (returned.holder != null) {
        continue;
      }
      if (isFull()) {
        break;
      }
      long tooOldAtMs = tooOldAtMs(subscription, lane, seq, returned, rules);
      if (tooOldAtMs <= turn.nowMs()) {
        if (!mayPass()) {
          break;
        }
        dropped.add(seq);
        turn.budget().spend(1, 0);
        continue;
      }
      if (returned.visibleAtMs > turn.nowMs()) {
        because(Reason.BACKOFF, Math.min(returned.visibleAtMs, tooOldAtMs));
        if (rules.blocks) {
          open = false;
          break;
        }
        continue;
      }
      if (returned.isAlone() && lease.open > 0) {
        leftForOthers = true;
        if (rules.blocks) {
          open = false;
          break;
        }
        continue;
      }
      Chunk chunk = readOf(subscription, () -> back.chunkOf(subscription, lane, seq, returned));
      if (stuck) {
        open = false;
        break;
      }
      if (chunk == null) {
        dropped.add(seq);
        continue;
      }
      int offset = back.offsetOf(chunk, seq);
      if (isStuckAt(subscription, chunk, offset, tooOldAtMs)) {
        open = false;
        break;
      }
      take(subscription, cursor, chunk, offset, seq, returned);
    }
    dropped.forEach(old -> drop(subscription, cursor, old));
    return open;
  }

  /**
   * From when on a message that came back is dropped: 0 if it is gone. What is too old holds nobody
   * up, however long it would have had to wait.
   */
  private long tooOldAtMs(
      Subscription subscription, Lane lane, long seq, Returned returned, Rules rules) {
    if (rules.droppedAfterMs == 0) {
      return Long.MAX_VALUE;
    }
    if (returned.isRequeued()) {
      return returned.requeuedMs + rules.droppedAfterMs;
    }
    Chunk chunk = readOf(subscription, () -> back.chunkOf(subscription, lane, seq, returned));
    if (stuck) {
      return Long.MAX_VALUE;
    }
    return chunk == null ? 0 : chunk.enteredMs() + rules.droppedAfterMs;
  }

  private void drop(Subscription subscription, LaneCursor cursor, long seq) {
    TreeMap<Long, Returned> all = cursor.returned;
    Returned known = all == null ? null : all.remove(seq);
    if (known != null) {
      subscription.deleteReturned(turn.tx(), cursor.lane, seq, known);
      subscription.returned--;
      subscription.group.returned--;
      turn.totals().dropped++;
    }
  }

  private void takeFresh(Subscription subscription, Lane lane, LaneCursor cursor, Rules rules) {
    Partition partition = subscription.partition;
    long nowMs = turn.nowMs();
    boolean moved = false;
    while (!isFull() && !metReturned && !stuck && cursor.nextSeq < lane.endSeq) {
      boolean crowded = subscription.inFlight + subscription.returned >= rules.maxInFlight;
      if (crowded && cursor.holesAhead == 0 && cursor.returnedAhead() == 0) {
        because(Reason.IN_FLIGHT_LIMIT, Long.MAX_VALUE);
        break;
      }
      Chunk chunk =
          readOf(
              subscription,
              () -> LaneLog.at(turn, partition, lane, cursor.nextSeq, cursor.chunkSeq));
      if (chunk == null) {
        break;
      }
      if (startsWithOneToPass(lane, cursor, chunk)) {
        if (!mayPass()) {
          break;
        }
        turn.budget().spend(1, chunk.bytes().length);
        passHead(lane, cursor, chunk);
        moved = true;
        continue;
      }
      long enteredMs = chunk.enteredMs();
      long gateMs = crowded ? Long.MAX_VALUE : enteredMs + rules.delayMs;
      if (gateMs > nowMs) {
        because(crowded ? Reason.IN_FLIGHT_LIMIT : Reason.DELAYED, gateMs);
        break;
      }
      if (rules.isDropped(enteredMs, nowMs)) {
        if (!mayPass()) {
          break;
        }
        moved = true;
        turn.budget().spend(1, chunk.bytes().length);
        Cursors.pass(turn, subscription, lane, cursor, chunk);
        continue;
      }
      boolean tooLate = rules.waitedTooLong(enteredMs, nowMs);
      moved |= takeFrom(subscription, lane, cursor, chunk, tooLate);
    }
    if (moved) {
      turn.state().touch(subscription);
      turn.state().recount(partition);
    }
  }

  private static boolean startsWithOneToPass(Lane lane, LaneCursor cursor, Chunk chunk) {
    long seq = Math.max(cursor.nextSeq, chunk.firstSeq());
    return (cursor.holesAhead > 0 && lane.isHole(seq)) || cursor.returned(seq) != null;
  }

  /**
   * Steps over what neither a gate nor a limit may hold back: cancelled messages, and the first
   * that was rescheduled before the cursor reached it.
   */
  private void passHead(Lane lane, LaneCursor cursor, Chunk chunk) {
    long seq = Math.max(cursor.nextSeq, chunk.firstSeq());
    while (seq < chunk.endSeq() && !metReturned) {
      if (cursor.holesAhead > 0 && lane.isHole(seq)) {
        cursor.holesAhead--;
      } else if (cursor.returned(seq) != null) {
        metReturned = true;
      } else {
        break;
      }
      seq++;
    }
    Cursors.moveTo(cursor, chunk, seq, chunk.offsetOf(seq));
  }

  /** Takes from a chunk; false if the first message is one that cannot be opened. */
  private boolean takeFrom(
      Subscription subscription, Lane lane, LaneCursor cursor, Chunk chunk, boolean tooLate) {
    long first = Math.max(cursor.nextSeq, chunk.firstSeq());
    long seq = first;
    int offset = chunk.offsetOf(seq);
    long end = chunk.endSeq();
    Rules rules = subscription.partition.queue.rules;
    long limit = rules.maxInFlight;
    long droppedAtMs = rules.droppedAtMs(chunk.enteredMs());
    while (seq < end
        && !isFull()
        && !metReturned
        && subscription.inFlight + subscription.returned < limit) {
      int next = chunk.after(offset);
      boolean hole = lane.isHole(seq);
      if (hole) {
        cursor.holesAhead--;
      } else if (cursor.returned(seq) != null) {
        metReturned = true;
      } else if (tooLate && !mayPass()) {
        break;
      } else if (!tooLate && isStuckAt(subscription, chunk, offset, droppedAtMs)) {
        break;
      } else {
        subscription.group.waiting--;
        if (tooLate) {
          DeadLetters.buryUnread(turn, subscription, lane.number, seq, chunk, offset);
        } else {
          take(subscription, cursor, chunk, offset, seq, null);
        }
      }
      seq++;
      offset = next;
      cursor.nextSeq = seq;
    }
    if (seq > first) {
      Cursors.moveTo(cursor, chunk, seq, offset);
    }
    return seq > first;
  }

  private void take(
      Subscription subscription,
      LaneCursor cursor,
      Chunk chunk,
      int offset,
      long seq,
      @Nullable Returned returned) {
    taken.add(taken(subscription.partition, cursor.lane, chunk, offset, seq, returned));
    bytes += chunk.after(offset) - offset;
    sealed |= chunk.isSealed(offset);
    lease.alone |= returned != null && returned.isAlone();
    hold(lease, lease.sliceOf(subscription), cursor, seq);
  }

  private static Taken taken(
      Partition partition,
      int lane,
      Chunk chunk,
      int offset,
      long seq,
      @Nullable Returned returned) {
    return new Taken(
        partition.queue.name,
        partition.name,
        partition.number,
        lane,
        seq,
        chunk,
        offset,
        returned == null ? 1 : returned.deliveries + 1,
        returned == null ? 0 : returned.failures,
        returned == null ? 0 : returned.expiries);
  }

  /**
   * Reads the open messages of a lease again, within the limits of a pop.
   *
   * @throws StoreException if the disk cannot give one of them
   */
  static List<Taken> openOf(Turn turn, Lease lease, int batch) {
    BackWalk walk = new BackWalk(turn);
    List<Taken> open = new ArrayList<>();
    long bytes = 0;
    for (Slice slice : lease.slices) {
      Partition partition = slice.subscription.partition;
      for (int i = 0; i < slice.items.size(); i++) {
        Lane lane = partition.lane(slice.items.lane(i));
        LaneCursor cursor = slice.subscription.cursor(slice.items.lane(i));
        if (slice.items.status(i) != Items.OPEN || lane == null || cursor == null) {
          continue;
        }
        if (open.size() == batch || bytes >= LogicLimits.POP_BYTES_MAX) {
          return open;
        }
        long seq = slice.items.seq(i);
        Returned returned = cursor.returned(seq);
        Chunk chunk =
            walk.chunkOf(
                slice.subscription, lane, seq, returned == null ? new Returned() : returned);
        if (chunk != null) {
          int offset = walk.offsetOf(chunk, seq);
          open.add(taken(partition, lane.number, chunk, offset, seq, returned));
          bytes += chunk.after(offset) - offset;
        }
      }
    }
    return open;
  }

  /** Puts a message into a lease. */
  static void hold(Lease lease, Slice slice, LaneCursor cursor, long seq) {
    slice.items.add(cursor.lane, seq);
    lease.open++;
    Subscription subscription = slice.subscription;
    subscription.inFlight++;
    subscription.group.inFlight++;
    Returned returned = cursor.returned(seq);
    if (returned != null) {
      returned.holder = lease;
      subscription.returned--;
      subscription.group.returned--;
    }
  }
}
