package io.holdfast.engine.query;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * When messages that stood first entered their lanes, as far as it is remembered: who asks again
 * and again how old the oldest is need not read it again and again.
 *
 * <p>Invariant: what is remembered never changes: a seq is used once in its partition.
 *
 * <p>Thread: any.
 */
public final class HeadTimes {
  /** Most of them that are remembered. */
  private static final int KEPT_MAX = 20_000;

  private record Place(long partition, long seq) {}

  private static final class Kept extends LinkedHashMap<Place, Long> {
    private static final long serialVersionUID = 1L;

    private Kept() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Place, Long> eldest) {
      return size() > KEPT_MAX;
    }
  }

  private final Kept kept = new Kept();

  /** When it entered, or -1 if that is not remembered. */
  synchronized long get(Looks.Head head) {
    Long enteredMs = kept.get(place(head));
    return enteredMs == null ? -1 : enteredMs;
  }

  synchronized void put(Looks.Head head, long enteredMs) {
    kept.put(place(head), enteredMs);
  }

  private static Place place(Looks.Head head) {
    return new Place(head.range().partition(), head.seq());
  }
}
