package io.holdfast.engine.logic;

import io.holdfast.api.Popped;
import io.holdfast.api.StartFrom;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A consumer group of one queue: where it began, its counts, and its subscriptions that have work,
 * in the order of their turn.
 *
 * <p>Invariant: a subscription is in {@code ready} or {@code later} only if its partition is
 * current, it has work and no lease keeps it locked; it is in {@code later} only if a pop found that nothing can be taken
 * before a time. Both are a function of the tables: {@code later} only saves looking again.
 */
final class Group {
  static final Comparator<Subscription> BY_TIME =
      Comparator.<Subscription>comparingLong(s -> s.notBeforeMs)
          .thenComparingLong(s -> s.partition.number);

  final Queue queue;
  final int number;
  final String name;
  long createdMs;

  /** Where it begins on partitions that come next. */
  StartFrom start;

  final Starts starts = new Starts();

  /** The generation of its queue in which it was made. */
  long generation;

  /** Whether it is deleted; objects that outlive it may still refer to it. */
  boolean deleted;

  Rotation ready = new Rotation();
  TreeSet<Subscription> later = new TreeSet<>(BY_TIME);

  /** Sums over the subscriptions. */
  long waiting;

  long returned;
  long inFlight;
  long dead;

  /** Its leases by id. */
  final TreeMap<Long, Lease> leases = new TreeMap<>();

  /** Those that were granted to a pop with an attempt id, by that id. */
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
      attempts.put(lease.attemptId, lease);
    }
  }

  void remove(Lease lease) {
    leases.remove(lease.id);
    if (lease.attemptId != null) {
      attempts.remove(lease.attemptId);
    }
  }

  long lag() {
    return waiting + returned + inFlight;
  }

  /** Puts the subscription where it belongs after something about it changed. */
  void place(Subscription subscription) {
    takeOut(subscription);
    subscription.notBeforeMs = 0;
    if (subscription.partition.isCurrent()
        && subscription.hasWork()
        && !subscription.isLocked()) {
      ready.add(subscription);
      subscription.place(Subscription.Place.READY);
    }
  }

  /** Nothing can be taken from the subscription before a time. */
  void postpone(Subscription subscription, long untilMs, Popped.Reason reason) {
    takeOut(subscription);
    subscription.notBeforeMs = untilMs;
    subscription.postponedFor = reason;
    later.add(subscription);
    subscription.place(Subscription.Place.LATER);
  }

  void takeOut(Subscription subscription) {
    switch (subscription.place()) {
      case READY -> ready.remove(subscription);
      case LATER -> later.remove(subscription);
      case OUT -> {}
    }
    subscription.place(Subscription.Place.OUT);
  }

  /** Takes out all subscriptions at once. */
  void clearRotation() {
    ready = new Rotation();
    later = new TreeSet<>(BY_TIME);
  }

  /** Brings back what was postponed up to now. */
  void awaken(long nowMs) {
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

  static Group read(Queue queue, int number, byte[] row) {
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
