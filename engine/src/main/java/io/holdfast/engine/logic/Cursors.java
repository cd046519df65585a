package io.holdfast.engine.logic;

import io.holdfast.engine.command.Chunk;

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
        && subscription.cursor(lane).waiting(lane) == count) {
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

  /**
   * Forgets what came back before a seq and is not leased.
   *
   * @param all also what needs its lane no more, because its row carries the message
   */
  static void forgetReturned(
      Turn turn, Subscription subscription, Lane lane, long endSeq, boolean all) {
    LaneCursor cursor = subscription.cursor(lane);
    if (cursor.returned == null) {
      return;
    }
    var old = cursor.returned.headMap(endSeq, false).entrySet().iterator();
    while (old.hasNext()) {
      var entry = old.next();
      if (entry.getValue().holder != null || (entry.getValue().carries && !all)) {
        continue;
      }
      // Before it is removed: a TreeMap then uses its entry for another key.
      byte[] key = subscription.returnedKey(lane.number, entry.getKey());
      old.remove();
      subscription.returned--;
      subscription.group.returned--;
      turn.tx().delete(key);
    }
  }
}
