package io.holdfast.engine.logic;

import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A named queue: its options, its partitions by name, its groups, and its counts.
 *
 * <p>Only the rules of this package change it; other packages read its public fields.
 */
public final class Queue {
  public final int number;
  public final String name;
  long createdMs;

  /** The options as they are read on the hot path. */
  public Rules rules;

  public boolean paused;

  /** When the newest message entered that was trimmed and whose partition was dropped. */
  long droppedMs;

  public int nextGroup = 1;

  /** Counts changes that concern the subscriptions of all partitions. */
  long generation;

  /** The last partition by name that a refresh has reached; null if all are refreshed. */
  @Nullable String refreshedTo;

  /** Whether it is deleted; objects that outlive it may still refer to it. */
  boolean deleted;

  /** No dead letter has a lower number; may be too low, as it is after a restart. */
  long oldestDead;

  public final TreeMap<String, Partition> partitions = new TreeMap<>();
  public final List<Group> groups = new ArrayList<>(1);

  /** Stored messages and their bytes, delayed messages: sums over the partitions. */
  public long stored;

  long storedBytes;
  long retainedBytes;
  public long delayed;

  /** What happened since the shard was opened; not part of its state. */
  public long pushed;

  public long delivered;
  public long acked;
  public long nacked;
  public long died;

  boolean dirty;

  Queue(int number, String name, long createdMs, QueueOptions options) {
    this.number = number;
    this.name = name;
    this.createdMs = createdMs;
    this.rules = new Rules(options);
  }

  public @Nullable Group group(String wanted) {
    for (Group group : groups) {
      if (group.name.equals(wanted)) {
        return group;
      }
    }
    return null;
  }

  public @Nullable Group group(int wanted) {
    for (Group group : groups) {
      if (group.number == wanted) {
        return group;
      }
    }
    return null;
  }

  /** Unsettled messages by the slowest group, delayed ones included. */
  long unsettled() {
    return unsettled(group -> 0);
  }

  /** The same, if each group had settled some more. */
  long unsettled(ToLongFunction<Group> settled) {
    // A group that has not joined all partitions does not know yet what it has to settle.
    long most = groups.isEmpty() || refreshedTo != null ? stored : 0;
    for (Group group : groups) {
      most = Math.max(most, group.lag() - settled.applyAsLong(group));
    }
    return most + delayed;
  }

  /** The queue in the words of the api. */
  public QueueInfo describe() {
    long waiting = groups.isEmpty() ? stored : 0;
    long returned = 0;
    long inFlight = 0;
    long dead = 0;
    for (Group group : groups) {
      waiting = Math.max(waiting, group.waiting);
      returned += group.returned;
      inFlight += group.inFlight;
      dead += group.dead;
    }
    return new QueueInfo(
        name,
        number,
        rules.options,
        createdMs,
        paused,
        partitions.size(),
        groups.size(),
        new Counts(stored, waiting, returned, inFlight, delayed, dead, storedBytes));
  }

  byte[] row() {
    ByteWriter out = new ByteWriter(128);
    out.text(name).varint(createdMs).flag(paused).varint(nextGroup).varint(droppedMs);
    out.varint(generation).maybe(refreshedTo);
    OptionsRow.STORED.write(out, rules.options);
    return out.done();
  }

  public static Queue read(int number, byte[] row) {
    ByteReader in = new ByteReader(row);
    String name = in.text();
    long createdMs = in.varint();
    boolean paused = in.flag();
    int nextGroup = in.count();
    long droppedMs = in.varint();
    long generation = in.varint();
    String refreshedTo = in.maybe();
    Queue queue = new Queue(number, name, createdMs, OptionsRow.STORED.read(in, name));
    queue.paused = paused;
    queue.nextGroup = nextGroup;
    queue.droppedMs = droppedMs;
    queue.generation = generation;
    queue.refreshedTo = refreshedTo;
    return queue;
  }
}
