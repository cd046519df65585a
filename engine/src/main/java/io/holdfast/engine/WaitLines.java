package io.holdfast.engine;

import io.holdfast.engine.Waiters.Waiter;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.WorkerNumber;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Parked calls in lines: calls of one line wait for the same key and find the same work, and stand
 * in the order in which they came.
 *
 * <p>No operation visits calls other than those that it returns, except that {@link #next} may skip
 * one.
 *
 * <p>Thread: one at a time.
 */
final class WaitLines {
  /**
   * Calls of one kind that wait for the same key find the same work.
   *
   * @param group of a pop; empty for other calls
   * @param lease the lease that new messages join, which another's lock does not keep out
   * @param stickyMs how long pops leave partitions to other workers; 0 if they do not
   */
  record Kind(String group, @Nullable String lease, long stickyMs) {
    static final Kind NO_POP = new Kind("", null, 0);
  }

  /** Calls of one kind that wait for the same key, by number. */
  private static final class Line {
    private final NavigableMap<Long, Waiter> all = new TreeMap<>();

    /** Sticky pops once more, by worker. */
    private final Map<Integer, NavigableMap<Long, Waiter>> byWorker = new HashMap<>();

    void add(Waiter waiter) {
      all.put(waiter.number, waiter);
      if (waiter.worker != WorkerNumber.NONE) {
        byWorker.computeIfAbsent(waiter.worker, any -> new TreeMap<>()).put(waiter.number, waiter);
      }
    }

    void remove(Waiter waiter) {
      all.remove(waiter.number);
      byWorker.computeIfPresent(
          waiter.worker,
          (any, own) -> {
            own.remove(waiter.number);
            return own.isEmpty() ? null : own;
          });
    }

    /** The first call of a worker, or the first of all if it has none here. */
    Waiter first(int worker) {
      return byWorker.getOrDefault(worker, all).firstEntry().getValue();
    }
  }

  /** By the whole of their key, by key, and by kind. Nothing in it is empty. */
  private final Map<WaitKey, Map<WaitKey, Map<Kind, Line>>> lines = new HashMap<>();

  private long visited;

  /** The number of calls visited so far; tests limit it. */
  long visited() {
    return visited;
  }

  boolean hasPartsOf(WaitKey whole) {
    return lines.containsKey(whole);
  }

  void add(Waiter waiter) {
    lines
        .computeIfAbsent(waiter.key.whole(), any -> new HashMap<>())
        .computeIfAbsent(waiter.key, any -> new HashMap<>())
        .computeIfAbsent(waiter.kind, any -> new Line())
        .add(waiter);
  }

  void remove(Waiter waiter) {
    lines.computeIfPresent(
        waiter.key.whole(),
        (whole, parts) -> {
          parts.computeIfPresent(
              waiter.key,
              (key, kinds) -> {
                kinds.computeIfPresent(
                    waiter.kind,
                    (kind, line) -> {
                      line.remove(waiter);
                      return line.all.isEmpty() ? null : line;
                    });
                return kinds.isEmpty() ? null : kinds;
              });
          return parts.isEmpty() ? null : parts;
        });
  }

  /** The first call of each line that waits for a key; that of the preferred worker if it waits. */
  List<Waiter> firsts(WaitKey key, Effect.WakePops wake) {
    List<Waiter> firsts = new ArrayList<>();
    kinds(key).forEach((kind, line) -> firsts.add(line.first(wake.preferredBy(kind.group))));
    visited += firsts.size();
    return firsts;
  }

  /** The first call of a call's line, other than itself. */
  @Nullable Waiter next(Waiter from) {
    Line line = kinds(from.key).get(from.kind);
    if (line != null) {
      for (Waiter waiter : line.all.values()) {
        visited++;
        if (waiter != from) {
          return waiter;
        }
      }
    }
    return null;
  }

  private Map<Kind, Line> kinds(WaitKey key) {
    return lines.getOrDefault(key.whole(), Map.of()).getOrDefault(key, Map.of());
  }

  /** All calls that wait for a key or for a part of it. */
  List<Waiter> all(WaitKey whole) {
    List<Waiter> all = new ArrayList<>();
    for (Map<Kind, Line> kinds : lines.getOrDefault(whole, Map.of()).values()) {
      kinds.values().forEach(line -> all.addAll(line.all.values()));
    }
    visited += all.size();
    return all;
  }

  List<Waiter> all() {
    List<Waiter> all = new ArrayList<>();
    lines.keySet().forEach(whole -> all.addAll(all(whole)));
    return all;
  }
}
