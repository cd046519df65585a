package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.WorkerNumber;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far a group has come on one lane.
 *
 * <p>Invariant: every message before {@code nextSeq} is leased, in {@code returned}, or settled;
 * {@code taken} and {@code takenBytes} count what lies before {@code nextSeq}, from the lane's
 * first message ever.
 *
 * <p>Only the rules of this package change it; other packages read its public fields.
 */
public final class LaneCursor {
  public final int lane;

  /** The cursor of the next lane that the group has one for; null for the last. */
  public @Nullable LaneCursor next;

  public long nextSeq;
  public long taken;
  public long takenBytes;

  /** Cancelled messages at or after {@code nextSeq}. */
  int holesAhead;

  /** What came back, by seq; null for nothing. */
  public @Nullable TreeMap<Long, Returned> returned;

  /** Whether it has a row; one without has never left the lane's oldest message. */
  boolean stored;

  /** The first seq of the chunk the cursor stands in; 0 if it has to be looked up. */
  long chunkSeq;

  LaneCursor(int lane, long nextSeq, long taken, long takenBytes) {
    this.lane = lane;
    this.nextSeq = nextSeq;
    this.taken = taken;
    this.takenBytes = takenBytes;
  }

  public long waiting(Lane log) {
    return log.entered - taken - holesAhead - returnedAhead();
  }

  /** Messages at or after the cursor that were rescheduled and so came back before they left. */
  int returnedAhead() {
    return returned == null || returned.isEmpty() || returned.lastKey() < nextSeq
        ? 0
        : returned.tailMap(nextSeq, true).size();
  }

  /** What came back, to add to. */
  Map<Long, Returned> returnedOrNew() {
    TreeMap<Long, Returned> all = returned;
    if (all == null) {
      all = new TreeMap<>();
      returned = all;
    }
    return all;
  }

  @Nullable Returned returned(long seq) {
    return returned == null ? null : returned.get(seq);
  }

  /** The row; what a subscription has once is in the rows of all its cursors. */
  byte[] row(Subscription subscription) {
    ByteWriter out = new ByteWriter(32).varint(nextSeq).varint(taken).varint(takenBytes);
    out.varint(subscription.lastServed);
    if (subscription.worker != WorkerNumber.NONE) {
      out.varint(subscription.worker).varint(subscription.availableMs);
    }
    return out.done();
  }

  /** Reads what a row has of the subscription, behind what it has of the cursor. */
  static void readShared(Subscription subscription, ByteReader in) {
    subscription.lastServed = Math.max(subscription.lastServed, in.varint());
    if (!in.atEnd()) {
      subscription.worker = in.count();
      subscription.availableMs = in.varint();
    }
  }

  public static LaneCursor read(int lane, ByteReader in) {
    LaneCursor cursor = new LaneCursor(lane, in.varint(), in.varint(), in.varint());
    cursor.stored = true;
    return cursor;
  }
}
