package io.holdfast.engine.verify;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.logic.Delayed;
import io.holdfast.engine.logic.Finder;
import io.holdfast.engine.logic.Lane;
import io.holdfast.engine.logic.NameRow;
import io.holdfast.engine.logic.Partition;
import io.holdfast.engine.store.Tables;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must hold of the messages of lanes, and of the rows that lead to them. */
final class LaneInvariants {
  private final Inspection inspection;
  private final Inventory inventory;
  private final Set<Lane> seen = new HashSet<>();

  private @Nullable Partition partition;
  private @Nullable Lane lane;
  private long seq;
  private long ordinal;
  private long bytes;
  private long enteredMs;
  private long index;
  private long indexed;

  LaneInvariants(Inspection inspection, Inventory inventory) {
    this.inspection = inspection;
    this.inventory = inventory;
  }

  void check() {
    inspection.each(Tables.MESSAGES, this::checkChunk);
    endLane();
    for (Partition each : inventory.partitions.values()) {
      for (Lane empty : each.lanes) {
        if (!seen.contains(empty)) {
          String where = each.title() + ", lane " + empty.number;
          inspection.same(where, "the count of messages", empty.stored(), 0);
          inspection.same(where, "the count of bytes", empty.storedBytes(), 0);
          inspection.same(where, "the count of indexed messages", empty.indexed, 0);
        }
      }
    }
    inspection.each(Tables.HOLES, this::checkHole);
    inspection.each(Tables.NAMES, this::checkName);
    inspection.each(Tables.MOVED, this::checkMoved);
    inspection.each(Tables.DELAYED, this::checkDelayed);
    inspection.each(Tables.AGENDA, this::checkAgenda);
  }

  private void checkChunk(byte[] key, byte[] row) {
    Partition at = inventory.partitionOf(key);
    Lane of = at == null ? null : at.lane(Tables.laneOf(key));
    if (at == null || of == null) {
      inspection.require(at == null, Tables.MESSAGES, key, "its lane is not there");
      return;
    }
    if (of != lane) {
      endLane();
      beginLane(at, of);
    }
    Chunk chunk = new Chunk(Tables.lastSeq(key), row);
    inspection.messages += chunk.count();
    require(
        chunk.count() > 0 && walk(key, at, of, chunk) == chunk.laneBytes(),
        key,
        "its messages do not fill it");
    require(chunk.firstSeq() >= seq, key, "it begins before " + seq);
    require(chunk.endSeq() <= of.endSeq, key, "it ends behind its lane, at " + chunk.endSeq());
    require(chunk.ordinal() == ordinal, key, "ordinal " + chunk.ordinal() + " is not " + ordinal);
    require(chunk.bytesBefore() == bytes, key, chunk.bytesBefore() + " bytes before, not " + bytes);
    require(chunk.enteredMs() >= enteredMs, key, "it is older than the chunk before");
    require(chunk.index() >= index, key, "its log index is less than that of the chunk before");
    require(chunk.index() <= inventory.appliedIndex, key, "its log index is yet to come");
    seq = chunk.endSeq();
    ordinal = chunk.ordinal() + chunk.count();
    bytes = chunk.bytesBefore() + chunk.laneBytes();
    enteredMs = chunk.enteredMs();
    index = chunk.index();
  }

  private void require(boolean holds, byte[] key, String otherwise) {
    inspection.require(holds, Tables.MESSAGES, key, otherwise);
  }

  /** Steps over the messages of a chunk; answers where the last one ends. */
  private int walk(byte[] key, Partition at, Lane of, Chunk chunk) {
    int offset = Chunk.HEADER_BYTES;
    for (int i = 0; i < chunk.count(); i++) {
      if (chunk.isMoved(offset) || chunk.name(offset) != null) {
        indexed++;
      }
      inspection.seal(key, at, of.number, chunk.firstSeq() + i, chunk, offset);
      offset = chunk.after(offset);
    }
    return offset;
  }

  private void beginLane(Partition at, Lane of) {
    partition = at;
    lane = of;
    seen.add(of);
    seq = of.firstSeq;
    ordinal = of.trimmed;
    bytes = of.trimmedBytes;
    enteredMs = 0;
    index = 0;
    indexed = 0;
  }

  private void endLane() {
    Lane of = lane;
    Partition at = partition;
    if (of == null || at == null) {
      return;
    }
    String where = at.title() + ", lane " + of.number;
    inspection.same(where, "the count of messages ever", of.entered, ordinal);
    inspection.same(where, "the count of bytes ever", of.enteredBytes, bytes);
    inspection.same(where, "the count of indexed messages", of.indexed, indexed);
    inspection.same(where, "its end", of.endSeq, seq);
    inspection.same(where, "its last entry", of.lastEnteredMs, enteredMs);
  }

  private void checkHole(byte[] key, byte[] row) {
    Partition at = inventory.partitionOf(key);
    Lane of = at == null ? null : at.lane(Tables.laneOf(key));
    if (at != null) {
      boolean there = of != null && inventory.chunk(at, of, Tables.lastSeq(key)) != null;
      inspection.require(there, Tables.HOLES, key, "the cancelled message is not stored");
    }
  }

  private void checkName(byte[] key, byte[] row) {
    Partition at = inventory.partitionOf(key);
    if (at != null) {
      checkIndexed(at, key);
      long idSeq = NameRow.read(row).idSeq();
      inspection.require(
          idSeq < at.nextSeq, Tables.NAMES, key, "no message of its partition had seq " + idSeq);
    }
  }

  private void checkIndexed(Partition at, byte[] key) {
    inspection.require(at.indexed, key[0], key, "its partition does not know of such rows");
  }

  private void checkMoved(byte[] key, byte[] row) {
    Partition at = inventory.partitionOf(key);
    if (at == null) {
      return;
    }
    checkIndexed(at, key);
    ByteReader in = new ByteReader(row);
    Lane of = at.lane(in.count());
    long to = in.varint();
    long idSeq = Tables.lastSeq(key);
    inspection.require(
        idSeq < to && to < at.nextSeq, Tables.MOVED, key, "it cannot have moved to seq " + to);
    Chunk chunk = of == null ? null : inventory.chunk(at, of, to);
    inspection.require(
        chunk == null || chunk.idSeq(to, chunk.offsetOf(to)) == idSeq,
        Tables.MOVED,
        key,
        "another message lies at seq " + to);
  }

  private void checkDelayed(byte[] key, byte[] row) {
    Partition at = inventory.partitionOf(key);
    if (at == null) {
      return;
    }
    inventory.delayed.merge(at.number, 1L, Long::sum);
    Delayed delayed = Delayed.read(row);
    byte[] due = Tables.agenda(delayed.visibleAtMs(), key);
    inspection.require(
        inspection.view.get(due) != null,
        Tables.DELAYED,
        key,
        "the agenda does not name it at " + delayed.visibleAtMs());
    long idSeq = Tables.lastSeq(key);
    inspection.require(idSeq < at.nextSeq, Tables.DELAYED, key, "its seq is yet to come");
    Chunk chunk = Finder.alone(delayed.entry(), delayed.createdMs(), idSeq, idSeq);
    inspection.require(
        chunk.after(Chunk.HEADER_BYTES) == chunk.bytes().length,
        Tables.DELAYED,
        key,
        "its message does not fill it");
    inspection.seal(key, at, delayed.lane(), idSeq, chunk, Chunk.HEADER_BYTES);
  }

  /** Rows of the agenda may outlive what they are about. */
  private void checkAgenda(byte[] key, byte[] row) {
    byte[] what = Tables.agendaWhat(key);
    switch (what[0]) {
      case Tables.NAMES -> inventory.kept.merge(Tables.partitionOf(what), 1L, Long::sum);
      case Tables.DELAYED, Tables.TASKS, Tables.GROUPS -> {}
      default -> inspection.note(Tables.AGENDA, key, "it names table " + what[0]);
    }
  }
}
