package io.holdfast.workflow.replay;

import io.holdfast.api.TimeSource;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.History;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of an execution in one line: what happened before, then what is new.
 *
 * <p>Thread: whoever runs, code or driver.
 */
final class Tape {
  private final TimeSource time;
  private final ArrayDeque<History.Entry> past = new ArrayDeque<>();
  private final ArrayDeque<Event> inputs = new ArrayDeque<>();
  private final List<Event> fresh = new ArrayList<>();
  private long position;
  private long passed;
  private long nowMs;

  Tape(History history, TimeSource time) {
    this.time = time;
    for (History.Entry entry : history.entries()) {
      if (!(entry.event() instanceof Event.Note)) {
        past.add(entry);
      }
    }
    this.position = history.length();
  }

  /** Not even the start is stored. */
  void nothingStored(Event start) {
    position = 0;
    fresh.add(start);
  }

  boolean isReplaying() {
    return !past.isEmpty();
  }

  /** The next event that happened before; null if all have been told. */
  History.@Nullable Entry peek() {
    return past.peek();
  }

  History.Entry pass() {
    History.Entry entry = past.remove();
    passed = entry.number() + 1;
    nowMs = Math.max(nowMs, entry.event().timeMs());
    return entry;
  }

  void give(Collection<? extends Event> more) {
    inputs.addAll(more);
  }

  @Nullable Event nextInput() {
    return inputs.poll();
  }

  /** What came and has not been taken. */
  Collection<Event> inputs() {
    return inputs;
  }

  /** Records something new, and answers its number. */
  long add(Event event) {
    long number = nextNumber();
    fresh.add(event);
    nowMs = Math.max(nowMs, event.timeMs());
    return number;
  }

  long nextNumber() {
    return position + fresh.size();
  }

  /** How many events there were when the code was here first. */
  long told() {
    return isReplaying() ? passed : nextNumber();
  }

  /** What is not stored yet. */
  List<Event> fresh() {
    return fresh;
  }

  /** How many events are stored. */
  long position() {
    return position;
  }

  void stored(int notes) {
    position += fresh.size() + notes;
    fresh.clear();
  }

  /** The time of the last event. */
  long nowMs() {
    return nowMs;
  }

  /** The time for an event that happens now; never before the last one. */
  long stampMs() {
    return Math.max(nowMs, time.wallMs());
  }
}
