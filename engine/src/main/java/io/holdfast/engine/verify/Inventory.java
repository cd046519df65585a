package io.holdfast.engine.verify;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.logic.AnswersHash;
import io.holdfast.engine.logic.AppliedRow;
import io.holdfast.engine.logic.ClockShift;
import io.holdfast.engine.logic.FormatRow;
import io.holdfast.engine.logic.Group;
import io.holdfast.engine.logic.Lane;
import io.holdfast.engine.logic.LaneLog;
import io.holdfast.engine.logic.Partition;
import io.holdfast.engine.logic.Queue;
import io.holdfast.engine.logic.ShardState;
import io.holdfast.engine.store.Tables;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The queues, groups and partitions of a store as their rows say, and counts of other rows. */
final class Inventory {
  final Map<Integer, Queue> queues = new TreeMap<>();
  final Map<Long, Partition> partitions = new TreeMap<>();

  /** Rows that a partition counts, by its number. */
  final Map<Long, Long> delayed = new HashMap<>();

  final Map<Long, Long> kept = new HashMap<>();

  /** Dead letters by group. */
  final Map<Group, Long> dead = new HashMap<>();

  private final Inspection inspection;
  long appliedIndex;
  long nextQueue = 1;
  long nextPartition = 1;
  long nextDead = 1;

  Inventory(Inspection inspection) {
    this.inspection = inspection;
  }

  void read() {
    inspection.each(Tables.META, this::readMeta);
    inspection.each(Tables.QUEUES, this::readQueue);
    inspection.each(Tables.GROUPS, this::readGroup);
    inspection.each(Tables.PARTITIONS, this::readPartition);
  }

  private void readMeta(byte[] key, byte[] row) {
    ByteReader in = new ByteReader(row);
    if (Arrays.equals(key, AppliedRow.KEY)) {
      appliedIndex = in.varint();
    } else if (Arrays.equals(key, ShardState.META_NUMBERS)) {
      nextQueue = in.varint();
      nextPartition = in.varint();
      nextDead = in.varint();
    } else if (Arrays.equals(key, ClockShift.META_REPAIR)) {
      inspection.note(Tables.META, key, "a repair of the clock was interrupted: run it again");
    } else if (!Arrays.equals(key, ShardState.META_LIMITS)) {
      inspection.require(
          Arrays.equals(key, Tables.meta("format"))
              || Arrays.equals(key, FormatRow.KEY)
              || Arrays.equals(key, AnswersHash.KEY),
          Tables.META,
          key,
          "nobody knows it");
    }
  }

  private void readQueue(byte[] key, byte[] row) {
    Queue queue = Queue.read(Tables.int4(key, 1), row);
    boolean fresh = queues.values().stream().noneMatch(other -> other.name.equals(queue.name));
    inspection.require(fresh, Tables.QUEUES, key, "a second queue of the name " + queue.name);
    inspection.require(
        queue.number < nextQueue, Tables.QUEUES, key, "its number will be given again");
    queues.put(queue.number, queue);
  }

  private void readGroup(byte[] key, byte[] row) {
    Queue queue = queues.get(Tables.int4(key, 1));
    if (queue == null) {
      inspection.note(Tables.GROUPS, key, "its queue is not there");
      return;
    }
    Group group = Group.read(queue, Tables.int4(key, 5), row);
    inspection.require(
        queue.group(group.name) == null, Tables.GROUPS, key, "a second group " + group.name);
    inspection.require(
        group.number < queue.nextGroup, Tables.GROUPS, key, "its number will be given again");
    queue.groups.add(group);
  }

  private void readPartition(byte[] key, byte[] row) {
    Queue queue = queues.get(Tables.int4(key, 1));
    if (queue == null) {
      inspection.note(Tables.PARTITIONS, key, "its queue is not there");
      return;
    }
    Partition partition = Partition.read(queue, Tables.partitionOf(key), row);
    Partition twin = queue.partitions.put(partition.name, partition);
    inspection.require(
        twin == null, Tables.PARTITIONS, key, "a second partition " + partition.name);
    inspection.require(
        partition.number < nextPartition, Tables.PARTITIONS, key, "its number will be given again");
    Set<Integer> lanes = new HashSet<>();
    int last = -1;
    for (Lane lane : partition.lanes) {
      boolean sound =
          lanes.add(lane.number)
              && lane.number > last
              && lane.firstSeq <= lane.endSeq
              && lane.endSeq <= partition.nextSeq
              && lane.purgedSeq <= lane.endSeq
              && lane.trimmed <= lane.entered
              && lane.trimmedBytes <= lane.enteredBytes;
      inspection.require(
          sound, Tables.PARTITIONS, key, "lane " + lane.number + " contradicts itself");
      last = lane.number;
    }
    partitions.put(partition.number, partition);
  }

  /** The partition of a queue; null, and noted, if it is not there. */
  @Nullable Partition partition(byte[] key, int queue, long number) {
    Partition partition = partitions.get(number);
    if (partition == null || partition.queue.number != queue) {
      inspection.note(key[0], key, "its partition " + number + " of queue " + queue + " is gone");
      return null;
    }
    return partition;
  }

  /** The partition at the front of a key; null, and noted, if it is not there. */
  @Nullable Partition partitionOf(byte[] key) {
    return partition(key, Tables.int4(key, 1), Tables.partitionOf(key));
  }

  /** The chunk that holds a seq of a lane, whether or not the message counts; else null. */
  @Nullable Chunk chunk(Partition partition, Lane lane, long seq) {
    Chunk chunk = LaneLog.search(inspection.view, LaneLog.range(partition, lane), seq);
    return chunk != null && chunk.covers(seq) ? chunk : null;
  }

  void checkCounts() {
    for (Partition partition : partitions.values()) {
      String where = partition.title();
      long number = partition.number;
      inspection.same(where, "delayed", partition.delayed, delayed.getOrDefault(number, 0L));
      inspection.same(where, "kept", partition.kept, kept.getOrDefault(number, 0L));
    }
    for (Queue queue : queues.values()) {
      for (Group group : queue.groups) {
        inspection.same(
            "group " + group.name + " of queue " + queue.name,
            "dead",
            group.dead,
            dead.getOrDefault(group, 0L));
      }
    }
  }
}
