package io.holdfast.engine.verify;

import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.logic.DeadRow;
import io.holdfast.engine.logic.Group;
import io.holdfast.engine.logic.Partition;
import io.holdfast.engine.logic.TaskRow;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import java.util.Arrays;

/** What must hold of dead letters and tasks. */
final class DeadInvariants {
  private final Inspection inspection;
  private final Inventory inventory;

  DeadInvariants(Inspection inspection, Inventory inventory) {
    this.inspection = inspection;
    this.inventory = inventory;
  }

  void check() {
    inspection.each(Tables.DEAD, this::checkDead);
    inspection.each(Tables.DEAD_IDS, this::checkDeadId);
    inspection.each(Tables.TASKS, this::checkTask);
  }

  private void checkDead(byte[] key, byte[] row) {
    DeadRow dead = DeadRow.read(row);
    int queue = Tables.int4(key, 1);
    Partition partition = inventory.partition(key, queue, dead.partition());
    if (partition == null) {
      return;
    }
    Chunk chunk = new Chunk(dead.seq(), dead.chunk());
    inspection.require(
        chunk.after(Chunk.HEADER_BYTES) == dead.chunk().length,
        Tables.DEAD,
        key,
        "its message does not fill it");
    inspection.seal(key, partition, dead.lane(), dead.seq(), chunk, Chunk.HEADER_BYTES);
    inventory.kept.merge(dead.partition(), 1L, Long::sum);
    inspection.require(
        Tables.long8(key, 5) < inventory.nextDead,
        Tables.DEAD,
        key,
        "its number will be given again");
    boolean found = false;
    byte[] from = Tables.deadId(queue, dead.partition(), dead.idSeq(), 0);
    byte[] to = Tables.deadId(queue, dead.partition(), dead.idSeq() + 1, 0);
    try (Rows ids = inspection.view.scan(from, to)) {
      while (ids.next()) {
        found |= Arrays.equals(ids.value(), key);
      }
    }
    inspection.require(found, Tables.DEAD, key, "no row of deadIds leads to it");
  }

  private void checkDeadId(byte[] key, byte[] row) {
    Partition partition = inventory.partitionOf(key);
    inspection.require(
        inspection.view.get(row) != null, Tables.DEAD_IDS, key, "its dead letter is not there");
    Group group =
        partition == null ? null : partition.queue.group(Tables.int4(key, key.length - 4));
    if (group != null) {
      inventory.dead.merge(group, 1L, Long::sum);
    }
  }

  private void checkTask(byte[] key, byte[] row) {
    Partition partition = inventory.partitionOf(key);
    if (partition != null) {
      inventory.kept.merge(partition.number, 1L, Long::sum);
      TaskRow.read(row);
    }
  }
}
