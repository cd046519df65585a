package io.holdfast.workflow.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The events of one execution that count: without what was rewound, each with its number.
 *
 * <p>Thread: one.
 */
public final class History {
  /** An event with its place in the journal. */
  public record Entry(long number, Event event) {}

  private final List<Entry> entries = new ArrayList<>();
  private long length;

  public static History of(List<Event> events) {
    History history = new History();
    events.forEach(history::add);
    return history;
  }

  /** A history that consists of some events of a journal of that length. */
  public static History numbered(List<Entry> some, long length) {
    History history = new History();
    history.entries.addAll(some);
    history.length = length;
    return history;
  }

  public void add(Event event) {
    if (event instanceof Event.Rewound rewound) {
      entries.removeIf(entry -> entry.number() >= rewound.to());
    }
    entries.add(new Entry(length++, event));
  }

  public List<Entry> entries() {
    return entries;
  }

  /** How many events the journal holds, void ones included. */
  public long length() {
    return length;
  }

  public Event.@Nullable Started started() {
    return !entries.isEmpty() && entries.getFirst().event() instanceof Event.Started started
        ? started
        : null;
  }

  /** The last event that counts; null if there is none. */
  public @Nullable Event last() {
    return entries.isEmpty() ? null : entries.getLast().event();
  }

  /** The tasks that were begun and have not ended, by number, in their order. */
  public SequencedMap<Long, Event> open() {
    SequencedMap<Long, Event> open = new LinkedHashMap<>();
    Map<String, List<Long>> waiting = new LinkedHashMap<>();
    Map<String, Integer> unread = new LinkedHashMap<>();
    for (Entry entry : entries) {
      Event event = entry.event();
      switch (event) {
        case Event.CallScheduled e -> open.put(entry.number(), e);
        case Event.SubStarted e -> open.put(entry.number(), e);
        case Event.TimerSet e -> open.put(entry.number(), e);
        case Event.EventAwaited e -> {
          if (unread.getOrDefault(e.name(), 0) > 0) {
            unread.merge(e.name(), -1, Integer::sum);
          } else {
            open.put(entry.number(), e);
            waiting.computeIfAbsent(e.name(), name -> new ArrayList<>()).add(entry.number());
          }
        }
        case Event.Received e -> {
          List<Long> waiters = waiting.get(e.name());
          if (waiters == null || waiters.isEmpty()) {
            unread.merge(e.name(), 1, Integer::sum);
          } else {
            open.remove(waiters.removeFirst());
          }
        }
        case Event.Completed e -> open.remove(e.task());
        case Event.Failed e -> open.remove(e.task());
        case Event.Fired e -> open.remove(e.task());
        case Event.TaskCancelled e -> {
          if (open.remove(e.task()) instanceof Event.EventAwaited awaited) {
            List<Long> waiters = waiting.get(awaited.name());
            if (waiters != null) {
              waiters.remove(e.task());
            }
          }
        }
        default -> {}
      }
    }
    return open;
  }
}
