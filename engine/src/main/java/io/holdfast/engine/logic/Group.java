package io.holdfast.engine.logic;

import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.AttemptId;
import io.holdfast.api.lease.Popped;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A consumer group of one queue: where it began, its counts, and its subscriptions that have work,
 * in the order of their turn.
 *
 * <p>Invariant: a subscription is in {@code ready} or {@code later} only if its partition is
 * current, it has work and no lease keeps it locked; it is in {@code later} only if a pop found
 * that nothing can be taken before a time. {@code later} only saves looking again: before that time
 * a look would take nothing and change nothing, so the rows are the same whether a subscription is
 * in {@code ready} or in {@code later}.
 *
 * <p>Only the rules of this package change it; other packages read its public fields.
 */
public final class Group {
  static final Comparator<Subscription> BY_TIME =
      Comparator.<Subscription>comparingLong(s -> s.notBeforeMs)
          .thenComparingLong(s -> s.partition.number);

  public final Queue queue;
  public final int number;
  public final String name;
  public long createdMs;

  /** Where it begins on partitions that come next. */
  public StartFrom start;

  final Starts starts = new Starts();

  /** The generation of its queue in which it was made. */
  long generation;

  /** Whether it is deleted; objects that outlive it may still refer to it. */
  public boolean deleted;

  public Rotation ready = new Rotation();
  public TreeSet<Subscription> later = new TreeSet<>(BY_TIME);

  /** The keys of the last pop: what it could not open, another pop may be able to. */
  private Set<Integer> lookedWith = Set.of();

  /** Sums over the subscriptions. */
  public long waiting;

  public long returned;
  public long inFlight;
  public long dead;

  /** Its leases by id. */
  public final TreeMap<Long, Lease> leases = new TreeMap<>();

  /** Those that were granted to a pop with an attempt id, by the name in it. */
  final Map<String, Lease> attempts = new HashMap<>();

  boolean dirty;

  Group(Queue queue, int number, String name, StartFrom start, long createdMs) {
    this.queue = queue;
    this.number = number;
    this.name = name;
    this.start = start;
    this.createdMs = createdMs;
  }

  void add(Lease lease) {
    leases.put(lease.id, lease);
    if (lease.attemptId != null) {
      attempts.put(AttemptId.name(lease.attemptId), lease);
    }
  }

  void remove(Lease lease) {
    leases.remove(lease.id);
    if (lease.attemptId != null) {
      attempts.remove(AttemptId.name(lease.attemptId));
    }
  }

  public long lag() {
    return waiting + returned + inFlight;
  }

  /** Puts the subscription where it belongs after something about it changed. */
  void place(Subscription subscription) {
    takeOut(subscription);
    subscription.notBeforeMs = 0;
    if (subscription.partition.isCurrent() && subscription.hasWork() && !subscription.isLocked()) {
      ready.add(subscription);
      subscription.keptIn(ready);
    }
  }

  /**
   * Nothing can be taken from the subscription before a time.
   *
   * @param isStuck whether it has a message that could not be opened, whatever the reason is
   */
  void postpone(Subscription subscription, long untilMs, Popped.Reason reason, boolean isStuck) {
    takeOut(subscription);
    subscription.isStuck = isStuck;
    subscription.notBeforeMs = untilMs;
    subscription.postponedFor = reason;
    later.add(subscription);
    subscription.keptIn(later);
  }

  void takeOut(Subscription subscription) {
    switch (subscription.place()) {
      case READY -> ready.remove(subscription);
      case LATER -> later.remove(subscription);
      case OUT -> {}
    }
    subscription.keptIn(null);
  }

  /** Takes out all subscriptions at once. */
  void clearRotation() {
    ready = new Rotation();
    later = new TreeSet<>(BY_TIME);
  }

  /** Whether subscriptions were postponed by pops with these keys. */
  boolean hasLookedWith(Set<Integer> keys) {
    return keys.equals(lookedWith);
  }

  /**
   * Brings back what was postponed up to now, and what pops with other keys could not open.
   *
   * @param keys those of the pop that comes
   */
  void awaken(long nowMs, Set<Integer> keys) {
    if (!hasLookedWith(keys)) {
      lookedWith = keys;
      later.stream().filter(subscription -> subscription.isStuck).toList().forEach(this::place);
    }
    while (!later.isEmpty() && later.first().notBeforeMs <= nowMs) {
      place(later.first());
    }
  }

  byte[] row() {
    ByteWriter out = new ByteWriter(32 + name.length());
    out.text(name).varint(createdMs).varint(dead).varint(generation);
    switch (start) {
      case StartFrom.All all -> out.byte1('a');
      case StartFrom.New fresh -> out.byte1('n');
      case StartFrom.Time time -> out.byte1('t').varint(time.fromMs());
    }
    if (!starts.isEmpty()) {
      starts.write(out);
    }
    return out.done();
  }

  public static Group read(Queue queue, int number, byte[] row) {
    ByteReader in = new ByteReader(row);
    String name = in.text();
    long createdMs = in.varint();
    long dead = in.varint();
    long generation = in.varint();
    StartFrom start =
        switch (in.byte1()) {
          case 'n' -> StartFrom.NEW;
          case 't' -> new StartFrom.Time(in.varint());
          default -> StartFrom.ALL;
        };
    Group group = new Group(queue, number, name, start, createdMs);
    group.dead = dead;
    group.generation = generation;
    if (!in.atEnd()) {
      group.starts.read(in);
    }
    return group;
  }
}
