package io.holdfast.engine.logic;

import io.holdfast.api.lease.Popped;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.WorkerNumber;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import io.holdfast.engine.store.View;
import org.jspecify.annotations.Nullable;

/**
 * One group on one partition: its cursors, what came back, and the leases that hold messages.
 *
 * <p>Only the rules of this package change it; other packages read its public fields.
 */
public final class Subscription {
  /** Where the group keeps it: see {@link Group}. */
  public enum Place {
    OUT,
    READY,
    LATER
  }

  /** In place of an index in a heap. */
  static final int NOT_IN_HEAP = -1;

  public final Group group;
  public final Partition partition;

  /**
   * The cursor of the first lane; the others follow it, one for each lane of the partition, by lane
   * number, ascending. Null while the group has taken nothing: then it is at the oldest message of
   * each lane, and has no rows. Whoever changes what the oldest message of a lane is calls {@link
   * Partition#openCursors} before.
   */
  public @Nullable LaneCursor firstCursor;

  /** Those that hold something of it. */
  public LeaseSet leases = LeaseSet.NONE;

  /** How many live leases name it, also those that hold nothing of it any more. */
  int slices;

  /** The log index of the pop that last took from it. */
  long lastServed;

  /** The number of the worker that last took from it, if by a sticky pop; else 0. */
  int worker;

  /**
   * When it first got a message while it was leased or had none; 0 if it has no worker, or got none
   * since that worker took from it.
   */
  long availableMs;

  /** Its index in the heap of the rotation, if it was added to that; see {@link TurnHeap}. */
  int heapIndex = NOT_IN_HEAP;

  /** Messages that came back and are not leased. */
  public int returned;

  public int inFlight;
  public long notBeforeMs;
  Popped.Reason postponedFor = Popped.Reason.EMPTY;

  /** While it is postponed: whether a pop met a message that it could not open. */
  boolean isStuck;

  /** In place of a key: the message could not be read. */
  static final int READ_FAILED = 0;

  /** The key of the message it last stopped at because that could not be opened. */
  int missingKey;

  /** What the group keeps it in; has no meaning once the group has replaced that by another. */
  private @Nullable Iterable<Subscription> keptIn;

  boolean dirty;

  Subscription(Group group, Partition partition) {
    this.group = group;
    this.partition = partition;
  }

  // Which set it is in, not what else is in that set.
  @SuppressWarnings("ReferenceEquality")
  public Place place() {
    if (keptIn == null) {
      return Place.OUT;
    }
    if (keptIn == group.ready) {
      return Place.READY;
    }
    return keptIn == group.later ? Place.LATER : Place.OUT;
  }

  /**
   * Notes what the group keeps it in; null for nothing.
   *
   * @see Group#takeOut
   */
  void keptIn(@Nullable Iterable<Subscription> now) {
    keptIn = now;
  }

  /** Makes the cursors, if it has none yet. */
  void openCursors() {
    if (firstCursor == null) {
      partition.lanes.forEach(this::openCursor);
    }
  }

  /** The partition got a lane. */
  void laneAdded(Lane lane) {
    if (firstCursor != null) {
      openCursor(lane);
    }
  }

  @Nullable LaneCursor cursor(int lane) {
    openCursors();
    return find(lane);
  }

  private @Nullable LaneCursor find(int lane) {
    LaneCursor cursor = firstCursor;
    while (cursor != null && cursor.lane != lane) {
      cursor = cursor.next;
    }
    return cursor;
  }

  /**
   * The cursor of a lane of the partition. Makes the cursors if it has none yet; code that visits
   * many partitions to read asks for {@link #nextSeq} or {@link #waiting(Lane)} instead.
   */
  public LaneCursor cursor(Lane lane) {
    LaneCursor cursor = cursor(lane.number);
    if (cursor == null) {
      throw new IllegalStateException(
          "lane " + lane.number + " of partition " + partition.number + " has no cursor");
    }
    return cursor;
  }

  /** Makes the cursor of a lane, at the oldest message, unless there is one. */
  void openCursor(Lane lane) {
    if (find(lane.number) == null) {
      LaneCursor cursor =
          new LaneCursor(lane.number, lane.firstSeq, lane.trimmed, lane.trimmedBytes);
      cursor.holesAhead = lane.holesFrom(lane.firstSeq);
      add(cursor);
    }
  }

  /** The first seq of a lane that the group has not taken. */
  public long nextSeq(Lane lane) {
    return firstCursor == null ? lane.firstSeq : cursor(lane).nextSeq;
  }

  /** The bytes of a lane that the group has taken, from the lane's first message ever. */
  long takenBytes(Lane lane) {
    return firstCursor == null ? lane.trimmedBytes : cursor(lane).takenBytes;
  }

  /** How many messages of a lane wait for the group. */
  public long waiting(Lane lane) {
    return firstCursor == null
        ? lane.stored() - lane.holesFrom(lane.firstSeq)
        : cursor(lane).waiting(lane);
  }

  /** Adds the cursor of a lane that has none yet. */
  void add(LaneCursor cursor) {
    LaneCursor before = null;
    LaneCursor after = firstCursor;
    while (after != null && after.lane < cursor.lane) {
      before = after;
      after = after.next;
    }
    cursor.next = after;
    follow(before, cursor);
  }

  /** Removes the cursor of a lane, if it has one. */
  void removeCursor(int lane) {
    LaneCursor before = null;
    LaneCursor cursor = firstCursor;
    while (cursor != null && cursor.lane != lane) {
      before = cursor;
      cursor = cursor.next;
    }
    if (cursor != null) {
      follow(before, cursor.next);
    }
  }

  private void follow(@Nullable LaneCursor before, @Nullable LaneCursor next) {
    if (before == null) {
      firstCursor = next;
    } else {
      before.next = next;
    }
  }

  void add(Lease lease) {
    if (leases == LeaseSet.NONE) {
      leases = new LeaseSet();
    }
    leases.add(lease);
  }

  /** Removes a lease; returns whether it was there. */
  boolean remove(Lease lease) {
    boolean there = leases.remove(lease);
    if (leases.isEmpty()) {
      leases = LeaseSet.NONE;
    }
    return there;
  }

  /** The key of the row of a message that came back. */
  public byte[] returnedKey(int lane, long seq) {
    return Tables.returned(partition.queue.number, group.number, partition.number, lane, seq);
  }

  /** The key of the row with the bytes of a requeued message. */
  private byte[] requeuedKey(int lane, long seq) {
    return Tables.requeued(partition.queue.number, group.number, partition.number, lane, seq);
  }

  /** The message of a row of requeued messages, as a chunk of one; null if there is none. */
  @Nullable Chunk requeued(View view, int lane, long seq) {
    byte[] row = view.get(requeuedKey(lane, seq));
    return row == null ? null : new Chunk(seq, row);
  }

  /** Stores the bytes of a requeued message. */
  void putRequeued(Tx tx, int lane, long seq, byte[] chunk) {
    tx.put(requeuedKey(lane, seq), chunk);
  }

  /** Deletes the rows of a message that came back. */
  void deleteReturned(Tx tx, int lane, long seq, Returned returned) {
    tx.delete(returnedKey(lane, seq));
    if (returned.isRequeued()) {
      tx.delete(requeuedKey(lane, seq));
    }
  }

  /** Deletes the rows of all messages of a lane before a seq that came back. */
  void deleteReturned(Tx tx, int lane, long endSeq) {
    long end = Math.min(endSeq, MessageId.SEQ_END - 1);
    tx.deleteRange(returnedKey(lane, 0), returnedKey(lane, end));
    tx.deleteRange(requeuedKey(lane, 0), requeuedKey(lane, end));
  }

  public long waiting() {
    long waiting = 0;
    for (Lane lane : partition.lanes) {
      waiting += waiting(lane);
    }
    return waiting;
  }

  boolean hasWork() {
    if (returned > 0) {
      return true;
    }
    for (Lane lane : partition.lanes) {
      if (waiting(lane) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether no further lease may be granted. */
  public boolean isLocked() {
    return partition.queue.rules.ordered && !leases.isEmpty();
  }

  /**
   * Whether its worker is preferred. Not if it has messages that came back: that worker failed, or
   * gave them up.
   */
  boolean isSticky() {
    return worker != WorkerNumber.NONE && returned == 0;
  }

  /** A pop took from it. */
  void served(Turn turn, int byWorker) {
    lastServed = turn.stamp().index();
    worker = byWorker;
    availableMs = 0;
    turn.state().touch(this);
  }

  /** Prefers no worker from here on. */
  void forgetWorker(Turn turn) {
    if (worker != WorkerNumber.NONE) {
      worker = WorkerNumber.NONE;
      availableMs = 0;
      turn.state().touch(this);
    }
  }

  /** A message enters: notes since when it has something to give, if somebody will ask. */
  void entering(Turn turn) {
    if (worker != WorkerNumber.NONE && (isLocked() || !hasWork())) {
      // The rotation is ordered by this time; who stores the message puts it back.
      group.takeOut(this);
      availableMs = turn.nowMs();
      turn.state().touch(this);
    }
  }

  boolean holdsNothing() {
    return slices == 0 && returned == 0;
  }

  /** The first stored seq of a lane that a lease of this group holds. */
  long lowestHeld(Lane lane) {
    return lowestHeld(lane, Integer.MAX_VALUE);
  }

  private long lowestHeld(Lane lane, int leasesMax) {
    long lowest = Long.MAX_VALUE;
    int left = leasesMax;
    for (Lease lease : leases) {
      if (left-- == 0) {
        break;
      }
      lowest = Math.min(lowest, lease.lowestOpen(this, lane.number, lane.firstSeq));
    }
    return lowest;
  }

  /** The first stored seq of a lane that this group has not settled. */
  long lowestUnsettled(Lane lane) {
    return lowestUnsettled(lane, Integer.MAX_VALUE);
  }

  /** The same, as far as its oldest leases tell. */
  public long lowestUnsettled(Lane lane, int leasesMax) {
    if (firstCursor == null) {
      return lane.firstSeq;
    }
    LaneCursor cursor = cursor(lane);
    long lowest = cursor.nextSeq;
    if (cursor.returned != null && !cursor.returned.isEmpty()) {
      Long back = cursor.returned.ceilingKey(lane.firstSeq);
      lowest = back == null ? lowest : Math.min(lowest, back);
    }
    return Math.min(lowest, lowestHeld(lane, leasesMax));
  }
}
