package io.holdfast.workflow.replay;

import io.holdfast.workflow.history.Event;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/**
 * The events that were raised for a flow and that nobody has taken, and the tasks that wait for
 * one.
 *
 * <p>Invariant: a name has events or waiters, never both.
 */
final class Signals {
  /** Most ids of events that are remembered, so that repeats are known. */
  static final int SEEN_MAX = 1_000;

  private final Map<String, Deque<Event.Received>> unread = new LinkedHashMap<>();
  private final Map<String, Deque<Leaf<?>>> waiters = new LinkedHashMap<>();
  private final SequencedSet<String> seen = new LinkedHashSet<>();

  void remember(Collection<String> ids) {
    ids.forEach(this::remember);
  }

  private void remember(String id) {
    seen.addLast(id);
    if (seen.size() > SEEN_MAX) {
      seen.removeFirst();
    }
  }

  boolean isKnown(String id) {
    return seen.contains(id);
  }

  void receive(Event.Received event) {
    remember(event.id());
    Deque<Leaf<?>> waiting = waiters.get(event.name());
    if (waiting == null) {
      unread.computeIfAbsent(event.name(), name -> new ArrayDeque<>()).add(event);
      return;
    }
    Leaf<?> first = waiting.removeFirst();
    if (waiting.isEmpty()) {
      waiters.remove(event.name());
    }
    first.complete(event.data());
  }

  void await(String name, Leaf<?> task) {
    Deque<Event.Received> events = unread.get(name);
    if (events == null) {
      waiters.computeIfAbsent(name, key -> new ArrayDeque<>()).add(task);
      return;
    }
    Event.Received first = events.removeFirst();
    if (events.isEmpty()) {
      unread.remove(name);
    }
    task.complete(first.data());
  }

  void forget(Leaf<?> task) {
    waiters
        .entrySet()
        .removeIf(
            entry -> {
              entry.getValue().remove(task);
              return entry.getValue().isEmpty();
            });
  }

  /** What nobody has taken, name by name, each in its order. */
  List<Event.Received> unread() {
    return unread.values().stream().flatMap(Collection::stream).toList();
  }

  List<String> seen() {
    return List.copyOf(seen);
  }
}
