package io.holdfast.engine.verify;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.logic.Group;
import io.holdfast.engine.logic.Items;
import io.holdfast.engine.logic.Lane;
import io.holdfast.engine.logic.LaneCursor;
import io.holdfast.engine.logic.LaneLog;
import io.holdfast.engine.logic.LeaseRow;
import io.holdfast.engine.logic.Partition;
import io.holdfast.engine.logic.Queue;
import io.holdfast.engine.logic.Returned;
import io.holdfast.engine.store.Tables;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must hold of how far groups have come, what came back to them, and what they hold. */
final class GroupInvariants {
  private record Place(int queue, int group, long partition) {}

  private record Item(Place place, long seq) {}

  private final Inspection inspection;
  private final Inventory inventory;
  private final Map<Place, Map<Integer, Long>> cursors = new HashMap<>();
  private final Set<Item> held = new HashSet<>();

  GroupInvariants(Inspection inspection, Inventory inventory) {
    this.inspection = inspection;
    this.inventory = inventory;
  }

  void check() {
    inspection.each(Tables.CURSORS, this::checkCursor);
    inspection.each(Tables.RETURNED, this::checkReturned);
    inspection.each(Tables.REQUEUED, this::checkRequeued);
    inspection.each(Tables.LEASES, this::checkLease);
  }

  /** The partition of a key of cursors or returned; null, and noted, if something is missing. */
  private @Nullable Partition partitionOf(byte[] key) {
    int number = Tables.int4(key, 1);
    Queue queue = inventory.queues.get(number);
    if (queue == null || queue.group(Tables.int4(key, 5)) == null) {
      inspection.note(key[0], key, "its group is not there");
      return null;
    }
    return inventory.partition(key, number, Tables.subscribedPartition(key));
  }

  private static Place place(byte[] key) {
    return new Place(Tables.int4(key, 1), Tables.int4(key, 5), Tables.subscribedPartition(key));
  }

  private void checkCursor(byte[] key, byte[] row) {
    Partition partition = partitionOf(key);
    Lane lane = partition == null ? null : partition.lane(Tables.subscribedLane(key));
    if (partition == null || lane == null) {
      inspection.require(partition == null, Tables.CURSORS, key, "its lane is not there");
      return;
    }
    LaneCursor cursor = LaneCursor.read(lane.number, new ByteReader(row));
    cursors.computeIfAbsent(place(key), any -> new HashMap<>()).put(lane.number, cursor.nextSeq);
    boolean inside = cursor.nextSeq >= lane.firstSeq && cursor.nextSeq <= lane.endSeq;
    inspection.require(
        inside,
        Tables.CURSORS,
        key,
        cursor.nextSeq + " is not within " + lane.firstSeq + " and " + lane.endSeq);
    if (!inside) {
      return;
    }
    Chunk next = LaneLog.search(inspection.view, LaneLog.range(partition, lane), cursor.nextSeq);
    long taken = lane.entered;
    long takenBytes = lane.enteredBytes;
    if (next != null) {
      long seq = Math.max(next.firstSeq(), cursor.nextSeq);
      taken = next.ordinal() + seq - next.firstSeq();
      takenBytes = next.bytesAt(next.offsetOf(seq));
    }
    String where = partition.title() + ", lane " + lane.number + ", group " + Tables.int4(key, 5);
    inspection.same(where, "the count of messages before the cursor", cursor.taken, taken);
    inspection.same(where, "the count of bytes before the cursor", cursor.takenBytes, takenBytes);
  }

  private void checkReturned(byte[] key, byte[] row) {
    Partition partition = partitionOf(key);
    Lane lane = partition == null ? null : partition.lane(Tables.subscribedLane(key));
    if (partition == null || lane == null) {
      inspection.require(partition == null, Tables.RETURNED, key, "its lane is not there");
      return;
    }
    long seq = Tables.lastSeq(key);
    boolean there =
        Returned.read(row).isRequeued()
            ? inspection.view.get(Tables.sameIn(Tables.REQUEUED, key)) != null
            : isStored(partition, lane, seq);
    inspection.require(there, Tables.RETURNED, key, "the message that came back is not stored");
  }

  private void checkRequeued(byte[] key, byte[] row) {
    Partition partition = partitionOf(key);
    if (partition == null) {
      return;
    }
    byte[] returned = inspection.view.get(Tables.sameIn(Tables.RETURNED, key));
    inspection.require(
        returned != null && Returned.read(returned).isRequeued(),
        Tables.REQUEUED,
        key,
        "no row of returned belongs to it");
    long seq = Tables.lastSeq(key);
    Chunk chunk = new Chunk(seq, row);
    inspection.require(
        chunk.after(Chunk.HEADER_BYTES) == row.length,
        Tables.REQUEUED,
        key,
        "its message does not fill it");
    inspection.seal(key, partition, Tables.subscribedLane(key), seq, chunk, Chunk.HEADER_BYTES);
  }

  /** Whether a message can be delivered: it lies in its lane, not cancelled and not purged. */
  private boolean isStored(Partition partition, Lane lane, long seq) {
    byte[] hole = Tables.hole(partition.queue.number, partition.number, lane.number, seq);
    return seq >= lane.purgedSeq
        && inventory.chunk(partition, lane, seq) != null
        && inspection.view.get(hole) == null;
  }

  private void checkLease(byte[] key, byte[] bytes) {
    LeaseRow row = LeaseRow.read(bytes);
    Queue queue = inventory.queues.get(row.queue());
    Group group = queue == null ? null : queue.group(row.group());
    if (queue == null || group == null) {
      // The leases of a deleted group are ended one after the other.
      boolean deleted = queue == null || row.group() < queue.nextGroup;
      inspection.require(deleted, Tables.LEASES, key, "its group is yet to come");
      return;
    }
    int open = 0;
    for (LeaseRow.Part part : row.parts()) {
      Items items = part.items();
      open += items.open();
      Partition partition = inventory.partition(key, queue.number, part.partition());
      for (int i = 0; partition != null && i < items.size(); i++) {
        if (items.status(i) == Items.OPEN) {
          checkHeld(key, group, partition, items.lane(i), items.seq(i));
        }
      }
    }
    inspection.require(open > 0, Tables.LEASES, key, "it holds nothing, and is not ended");
  }

  private void checkHeld(byte[] key, Group group, Partition partition, int number, long seq) {
    Lane lane = partition.lane(number);
    if (lane == null) {
      inspection.note(Tables.LEASES, key, "it holds a message of a lane that is not there");
      return;
    }
    Place place = new Place(group.queue.number, group.number, partition.number);
    inspection.require(
        held.add(new Item(place, seq)), Tables.LEASES, key, "another lease holds seq " + seq);
    long nextSeq = cursors.getOrDefault(place, Map.of()).getOrDefault(number, lane.firstSeq);
    inspection.require(
        seq < nextSeq, Tables.LEASES, key, "seq " + seq + " is not before the cursor " + nextSeq);
    byte[] returned =
        inspection.view.get(
            Tables.returned(group.queue.number, group.number, partition.number, number, seq));
    boolean requeued = returned != null && Returned.read(returned).isRequeued();
    inspection.require(
        requeued || isStored(partition, lane, seq),
        Tables.LEASES,
        key,
        "the message at seq " + seq + " is not stored");
  }
}
