package io.holdfast.engine.logic;

import io.holdfast.engine.command.Chunk;
import java.util.SortedMap;

/** Moves of a group's cursor that deliver nothing, with their counts. */
final class Cursors {
  private Cursors() {}

  /** Steps over what is left of a chunk: too old to be delivered. */
  static void pass(
      Turn turn, Subscription subscription, Lane lane, LaneCursor cursor, Chunk chunk) {
    long before = cursor.waiting(lane);
    set(
        lane,
        cursor,
        chunk.endSeq(),
        chunk.ordinal() + chunk.count(),
        chunk.bytesBefore() + chunk.laneBytes());
    long dropped = before - cursor.waiting(lane);
    subscription.group.waiting -= dropped;
    turn.totals().dropped += dropped;
    turn.state().touch(subscription);
    turn.state().recount(subscription.partition);
  }

  /** Steps over what has just entered if the group begins later, and waits for nothing before. */
  static void passEarly(Turn turn, Subscription subscription, Lane lane, int count) {
    if (subscription.group.starts.isEarly(subscription.partition, turn.nowMs())
        && subscription.waiting(lane) == count) {
      toEnd(turn, subscription, lane);
      turn.state().recount(subscription.partition);
    }
  }

  /** Moves a cursor to the first message of a chunk. */
  static void toStart(Turn turn, Subscription subscription, Lane lane, Chunk chunk) {
    move(turn, subscription, lane, chunk.firstSeq(), chunk.ordinal(), chunk.bytesBefore());
  }

  /** Moves a cursor to the oldest message that is kept. */
  static void toOldest(Turn turn, Subscription subscription, Lane lane) {
    move(turn, subscription, lane, lane.firstSeq, lane.trimmed, lane.trimmedBytes);
  }

  /** Moves a cursor behind what was purged. */
  static void toPurged(Turn turn, Subscription subscription, Lane lane) {
    move(turn, subscription, lane, lane.purgedSeq, lane.purged, lane.purgedBytes);
  }

  /** Moves a cursor behind the newest message. */
  static void toEnd(Turn turn, Subscription subscription, Lane lane) {
    move(turn, subscription, lane, lane.endSeq, lane.entered, lane.enteredBytes);
  }

  private static void move(
      Turn turn, Subscription subscription, Lane lane, long seq, long taken, long takenBytes) {
    LaneCursor cursor = subscription.cursor(lane);
    long before = cursor.waiting(lane);
    set(lane, cursor, seq, taken, takenBytes);
    subscription.group.waiting += cursor.waiting(lane) - before;
    turn.state().touch(subscription);
  }

  private static void set(Lane lane, LaneCursor cursor, long seq, long taken, long takenBytes) {
    cursor.nextSeq = seq;
    cursor.taken = taken;
    cursor.takenBytes = takenBytes;
    cursor.holesAhead = lane.holesFrom(seq);
    cursor.chunkSeq = 0;
  }

  /** Catches up with a lane whose oldest messages were trimmed. */
  static void catchUp(Turn turn, Subscription subscription, Lane lane) {
    LaneCursor cursor = subscription.cursor(lane);
    if (cursor.nextSeq < lane.firstSeq) {
      long before = subscription.group.waiting;
      toOldest(turn, subscription, lane);
      turn.totals().dropped += before - subscription.group.waiting;
    }
  }

  /** Forgets what came back before a seq and is not leased, but not requeued messages. */
  static void forgetReturned(Turn turn, Subscription subscription, Lane lane, long endSeq) {
    LaneCursor cursor = subscription.cursor(lane);
    if (cursor.returned != null) {
      SortedMap<Long, Returned> old = cursor.returned.headMap(endSeq);
      boolean all = old.values().stream().noneMatch(Cursors::staysBehind);
      forgetReturned(turn, subscription, lane.number, old, all ? endSeq : 0);
    }
  }

  /** Whether a message that came back needs its lane no more. */
  private static boolean staysBehind(Returned returned) {
    return returned.holder != null || returned.isRequeued();
  }

  /** Forgets all that came back on a lane; no lease may hold any of it. */
  static void forgetAllReturned(Turn turn, Subscription subscription, Lane lane) {
    LaneCursor cursor = subscription.cursor(lane);
    if (cursor.returned != null) {
      forgetReturned(turn, subscription, lane.number, cursor.returned, Long.MAX_VALUE);
    }
  }

  /**
   * Forgets messages that came back.
   *
   * @param rangeEnd the seq before which all rows of the lane may be deleted; 0 if some must stay
   */
  private static void forgetReturned(
      Turn turn, Subscription of, int lane, SortedMap<Long, Returned> old, long rangeEnd) {
    boolean asRange = rangeEnd > 0 && old.size() > LogicLimits.TRIM_POINTS_MAX;
    if (asRange) {
      of.deleteReturned(turn.tx(), lane, rangeEnd);
    }
    for (var each = old.entrySet().iterator(); each.hasNext(); ) {
      var entry = each.next();
      if (rangeEnd > 0 || !staysBehind(entry.getValue())) {
        // Before it is removed: a TreeMap then uses its entry for another key.
        if (!asRange) {
          of.deleteReturned(turn.tx(), lane, entry.getKey(), entry.getValue());
        }
        each.remove();
        of.returned--;
        of.group.returned--;
      }
    }
  }

  /** Moves a cursor to a message of a chunk, or behind the chunk; its counts are the caller's. */
  static void moveTo(LaneCursor cursor, Chunk chunk, long seq, int offset) {
    boolean whole = seq == chunk.endSeq();
    cursor.nextSeq = seq;
    cursor.taken = chunk.ordinal() + (seq - chunk.firstSeq());
    cursor.takenBytes = whole ? chunk.bytesBefore() + chunk.laneBytes() : chunk.bytesAt(offset);
    cursor.chunkSeq = whole ? 0 : chunk.firstSeq();
  }
}
