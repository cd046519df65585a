package io.holdfast.engine.logic;

import io.holdfast.api.group.StartFrom;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.View;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the index of a shard from its tables: everything but messages, dead letters and history.
 */
public final class StateReader {
  private final View view;
  private final ShardState state;

  /** Stands for the groups of leases whose groups are deleted. */
  private final Group deleted =
      new Group(new Queue(0, "", 0, QueueOptions.DEFAULTS), 0, "", StartFrom.ALL, 0);

  private StateReader(View view, long tailCacheBytes, FormatLevels known) {
    this.view = view;
    this.state = new ShardState(tailCacheBytes, known);
  }

  /**
   * Reads the state.
   *
   * @param tailCacheBytes recently used chunks that the state keeps in memory
   * @param known the format levels that this version knows
   */
  public static ShardState read(View view, long tailCacheBytes, FormatLevels known) {
    return new StateReader(view, tailCacheBytes, known).read();
  }

  /**
   * Makes sure that this version knows the format level of a store.
   *
   * @throws StoreException if it does not
   */
  public static void checkFormat(View view) {
    FormatRow.read(view, FormatLevels.KNOWN);
  }

  private interface Row {
    void read(byte[] key, byte[] value);
  }

  private void each(byte table, Row row) {
    try (Rows rows = view.scan(Tables.start(table), Tables.end(table))) {
      while (rows.next()) {
        row.read(rows.key(), rows.value());
      }
    }
  }

  private ShardState read() {
    state.format.read(view);
    if (view.get(ClockShift.META_REPAIR) != null) {
      throw new StoreException(
          "A repair of the clock was interrupted. Run holdfast repair-clock on the data directory"
              + " again: it finishes what it began.",
          null);
    }
    deleted.deleted = true;
    state.readMeta(view);
    each(Tables.QUEUES, (key, row) -> state.add(Queue.read(Tables.int4(key, 1), row)));
    each(Tables.GROUPS, this::readGroup);
    each(Tables.PARTITIONS, this::readPartition);
    each(Tables.HOLES, this::readHole);
    each(Tables.CURSORS, this::readCursor);
    state.partitions().forEach(StateReader::openCursors);
    each(Tables.RETURNED, this::readReturned);
    each(Tables.LEASES, this::readLease);
    state.orphanLeasesOf(deleted);
    state.ended.open(view);
    state.requests.open(view);
    state.requestBytes.open(view, state.lastMs);
    each(Tables.SESSIONS, this::readSession);
    each(Tables.SLOTS, this::readSlot);
    state.sessions.sort();
    state.partitions().forEach(this::count);
    try (Rows rows = view.scan(Tables.start(Tables.AGENDA), Tables.end(Tables.AGENDA))) {
      state.agendaFrom(rows.next() ? rows.key() : null);
    }
    return state;
  }

  private Queue queueOf(byte[] key) {
    return there(state.queue(Tables.int4(key, 1)), key);
  }

  private void readGroup(byte[] key, byte[] row) {
    Queue queue = queueOf(key);
    queue.groups.add(Group.read(queue, Tables.int4(key, 5), row));
    state.groupCount++;
  }

  private void readPartition(byte[] key, byte[] row) {
    state.add(Partition.read(queueOf(key), Tables.partitionOf(key), row));
  }

  private void readHole(byte[] key, byte[] row) {
    Partition partition = there(state.partition(Tables.partitionOf(key)), key);
    Lane lane = there(partition.lane(Tables.laneOf(key)), key);
    TreeSet<Long> holes = lane.holes;
    if (holes == null) {
      holes = new TreeSet<>();
      lane.holes = holes;
    }
    holes.add(Tables.lastSeq(key));
  }

  private Subscription subscriptionOf(byte[] key) {
    Group group = there(queueOf(key).group(Tables.int4(key, 5)), key);
    Partition partition = there(state.partition(Tables.subscribedPartition(key)), key);
    return there(partition.subscription(group), key);
  }

  private void readCursor(byte[] key, byte[] row) {
    Subscription subscription = subscriptionOf(key);
    ByteReader in = new ByteReader(row);
    LaneCursor cursor = LaneCursor.read(Tables.subscribedLane(key), in);
    LaneCursor.readShared(subscription, in);
    Lane lane = there(subscription.partition.lane(cursor.lane), key);
    cursor.holesAhead = lane.holesFrom(cursor.nextSeq);
    subscription.add(cursor);
  }

  /** A group that has not taken anything from a lane has no row for it. */
  private static void openCursors(Partition partition) {
    for (Subscription subscription : partition.subscriptions) {
      if (subscription.firstCursor != null) {
        partition.lanes.forEach(subscription::openCursor);
      }
    }
  }

  private void readReturned(byte[] key, byte[] row) {
    Subscription subscription = subscriptionOf(key);
    Lane lane = there(subscription.partition.lane(Tables.subscribedLane(key)), key);
    LaneCursor cursor = subscription.cursor(lane);
    Map<Long, Returned> returned = cursor.returnedOrNew();
    returned.put(Tables.lastSeq(key), Returned.read(row));
    subscription.returned++;
  }

  private void readLease(byte[] key, byte[] row) {
    LeaseRow leased = LeaseRow.read(row);
    Queue queue = state.queue(leased.queue());
    Group group = queue == null ? null : queue.group(leased.group());
    Lease lease = Lease.read(Tables.long8(key, 1), leased, group == null ? deleted : group, state);
    state.add(lease);
    if (group == null) {
      return;
    }
    for (Slice slice : lease.slices) {
      Subscription subscription = slice.subscription;
      slice.enter(lease);
      subscription.inFlight += slice.items.open();
      for (int i = 0; i < slice.items.size(); i++) {
        if (slice.items.status(i) == Items.OPEN) {
          hold(subscription, slice.items.lane(i), slice.items.seq(i), lease);
        }
      }
    }
  }

  private void readSession(byte[] key, byte[] row) {
    ByteReader in = new ByteReader(row);
    state.sessions.read(Tables.long8(key, 1), in.varint(), in.varint());
  }

  private void readSlot(byte[] key, byte[] row) {
    SlotRow slot = SlotRow.read(row);
    state.sessions.readSlot(
        Tables.long8(key, 1),
        Tables.int4(key, 9),
        slot.usedMs(),
        slot.usedIndex(),
        slot.sequence(),
        row.length);
  }

  private static void hold(Subscription subscription, int lane, long seq, Lease lease) {
    LaneCursor cursor = subscription.cursor(lane);
    Returned returned = cursor == null ? null : cursor.returned(seq);
    if (returned != null) {
      returned.holder = lease;
      subscription.returned--;
    }
  }

  private void count(Partition partition) {
    Queue queue = partition.queue;
    for (Lane lane : partition.lanes) {
      queue.stored += lane.stored();
      queue.storedBytes += lane.storedBytes();
      state.storedBytes += lane.storedBytes();
    }
    queue.delayed += partition.delayed;
    state.recount(partition);
    for (Subscription subscription : partition.subscriptions) {
      Group group = subscription.group;
      group.waiting += subscription.waiting();
      group.returned += subscription.returned;
      group.inFlight += subscription.inFlight;
      group.place(subscription);
    }
  }

  private static <T> T there(@Nullable T thing, byte[] key) {
    if (thing == null) {
      throw new IllegalStateException(
          "a row of table "
              + key[0]
              + " names a queue, partition, lane or group that is not there");
    }
    return thing;
  }
}
