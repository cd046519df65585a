package io.holdfast.engine;

import io.holdfast.engine.Waiters.Waiter;
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
   */
  record Kind(String group, @Nullable String lease) {
    static final Kind NO_POP = new Kind("", null);
  }

  /** By the whole of their key, by key, by kind, and by number. Nothing in it is empty. */
  private final Map<WaitKey, Map<WaitKey, Map<Kind, NavigableMap<Long, Waiter>>>> lines =
      new HashMap<>();

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
        .computeIfAbsent(waiter.kind, any -> new TreeMap<>())
        .put(waiter.number, waiter);
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
                      line.remove(waiter.number);
                      return line.isEmpty() ? null : line;
                    });
                return kinds.isEmpty() ? null : kinds;
              });
          return parts.isEmpty() ? null : parts;
        });
  }

  /** The first call of each line that waits for a key. */
  List<Waiter> firsts(WaitKey key) {
    List<Waiter> firsts = new ArrayList<>();
    kinds(key).values().forEach(line -> firsts.add(line.firstEntry().getValue()));
    visited += firsts.size();
    return firsts;
  }

  /** The first call of a call's line, other than itself. */
  @Nullable Waiter next(Waiter from) {
    NavigableMap<Long, Waiter> line = kinds(from.key).get(from.kind);
    if (line != null) {
      for (Waiter waiter : line.values()) {
        visited++;
        if (waiter != from) {
          return waiter;
        }
      }
    }
    return null;
  }

  private Map<Kind, NavigableMap<Long, Waiter>> kinds(WaitKey key) {
    return lines.getOrDefault(key.whole(), Map.of()).getOrDefault(key, Map.of());
  }

  /** All calls that wait for a key or for a part of it. */
  List<Waiter> all(WaitKey whole) {
    List<Waiter> all = new ArrayList<>();
    for (Map<Kind, NavigableMap<Long, Waiter>> kinds : lines.getOrDefault(whole, Map.of()).values()) {
      kinds.values().forEach(line -> all.addAll(line.values()));
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
