package io.holdfast.engine.logic;

import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The producer sessions of a shard: the last sequence of each slot; the answers are in rows.
 *
 * <p>Invariant: a function of the tables sessions and slots. Sessions are in the order of their
 * last use. A session that is not known was dropped or never opened; its requests are refused.
 */
final class Sessions {
  /** One session. */
  static final class Session {
    final long id;
    private long usedIndex;
    private long usedMs;
    private long[] sequences = {};
    private int[] bytes = {};

    Session(long id) {
      this.id = id;
    }

    /** The sequence of the last request of a slot; 0 if there was none. */
    long sequence(int slot) {
      return slot < sequences.length ? sequences[slot] : 0;
    }
  }

  private final LinkedHashMap<Long, Session> byUse = new LinkedHashMap<>();

  /** The size of all answers. */
  private long bytes;

  int size() {
    return byUse.size();
  }

  /** The session of an id; null if it is not known, or was not used for too long. */
  @Nullable Session get(long id, long nowMs) {
    Session session = byUse.get(id);
    return session == null || isOver(session, nowMs) ? null : session;
  }

  private static boolean isOver(Session session, long nowMs) {
    return session.usedMs + LogicLimits.SESSION_MS <= nowMs;
  }

  /** Opens a session, and drops the least recently used one if there are too many. */
  Session open(Turn turn, long id) {
    if (byUse.size() >= turn.state().limits().sessionsMax()) {
      drop(turn, byUse.firstEntry().getValue());
    }
    Session session = new Session(id);
    used(session, turn.stamp().index(), turn.nowMs());
    return session;
  }

  boolean isKnown(long id) {
    return byUse.containsKey(id);
  }

  private void used(Session session, long index, long nowMs) {
    session.usedIndex = index;
    session.usedMs = nowMs;
    byUse.remove(session.id);
    byUse.put(session.id, session);
  }

  /**
   * A slot has executed a request whose answer takes so many bytes. If all answers take too many,
   * the least recently used sessions are dropped, a bounded number of them.
   */
  void answered(Turn turn, Session session, int slot, long sequence, int size) {
    set(session, slot, sequence, size);
    used(session, turn.stamp().index(), turn.nowMs());
    int left = LogicLimits.SESSION_DROPS_MAX;
    long bytesMax = turn.state().limits().sessionBytesMax();
    while (bytes > bytesMax && byUse.size() > 1 && left-- > 0) {
      drop(turn, byUse.firstEntry().getValue());
    }
  }

  private void set(Session session, int slot, long sequence, int size) {
    if (slot >= session.sequences.length) {
      session.sequences = Arrays.copyOf(session.sequences, slot + 1);
      session.bytes = Arrays.copyOf(session.bytes, slot + 1);
    }
    bytes += size - session.bytes[slot];
    session.sequences[slot] = sequence;
    session.bytes[slot] = size;
  }

  private void drop(Turn turn, Session session) {
    byUse.remove(session.id);
    turn.tx().delete(Tables.session(session.id));
    if (session.sequences.length > 0) {
      byte[] slots = Tables.slots(session.id);
      turn.tx().deleteRange(slots, Tables.after(slots));
    }
    for (int size : session.bytes) {
      bytes -= size;
    }
  }

  boolean hasExpired(long nowMs) {
    return !byUse.isEmpty() && isOver(byUse.firstEntry().getValue(), nowMs);
  }

  /** Drops sessions that were not used for too long until the budget is spent. */
  void dropExpired(Turn turn) {
    CommandBudget.Loop loop = turn.budget().loop();
    while (!byUse.isEmpty()
        && isOver(byUse.firstEntry().getValue(), turn.nowMs())
        && loop.mayContinue()) {
      turn.budget().spend(2, 0);
      drop(turn, byUse.firstEntry().getValue());
    }
  }

  /** Takes in a stored session. */
  void read(long id, long usedMs, long usedIndex) {
    used(new Session(id), usedIndex, usedMs);
  }

  /** Takes in a stored slot of a session that has been read. */
  void readSlot(long id, int slot, long usedMs, long usedIndex, long sequence, int size) {
    Session session = byUse.get(id);
    if (session == null) {
      throw new IllegalStateException("a slot belongs to a session that is not stored: " + id);
    }
    set(session, slot, sequence, size);
    if (usedIndex > session.usedIndex) {
      session.usedIndex = usedIndex;
      session.usedMs = usedMs;
    }
  }

  /** Sorts the sessions that have been read by their last use. */
  void sort() {
    List<Session> all = new ArrayList<>(byUse.values());
    all.sort(Comparator.comparingLong(session -> session.usedIndex));
    byUse.clear();
    for (Session session : all) {
      byUse.put(session.id, session);
    }
  }
}
