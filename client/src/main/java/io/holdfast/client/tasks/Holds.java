package io.holdfast.client.tasks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that this process holds, for acks that name only a task and a device: a bounded memory.
 * What it forgot is asked of the broker.
 *
 * <p>Thread: any; the lock is held for the memory alone.
 */
final class Holds {
  /** Most tasks that are remembered. */
  static final int REMEMBERED_MAX = 100_000;

  private final Map<UUID, List<Hold>> held =
      new LinkedHashMap<>(64, 0.75f, false) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, List<Hold>> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  /** Remembers a hold, instead of an earlier one of the same subscriber. */
  synchronized void add(Hold hold) {
    // Taken out first, so that the newest is the last to be forgotten.
    List<Hold> others = held.remove(hold.taskId());
    List<Hold> all = new ArrayList<>(others == null ? List.of() : others);
    all.removeIf(hold::isSameDelivery);
    all.add(hold);
    held.put(hold.taskId(), all);
  }

  /** Forgets a hold whose delivery has ended. */
  synchronized void end(Hold hold) {
    hold.end();
    List<Hold> all = held.get(hold.taskId());
    if (all != null && all.remove(hold) && all.isEmpty()) {
      held.remove(hold.taskId());
    }
  }

  /** The hold that a device's ack is about: its own, else one that no device has spoken of yet. */
  synchronized @Nullable Hold find(UUID taskId, String deviceId) {
    List<Hold> all = held.get(taskId);
    if (all == null) {
      return null;
    }
    for (Hold hold : all) {
      if (hold.isOf(deviceId)) {
        return hold;
      }
    }
    for (Hold hold : all) {
      if (hold.isFree() && hold.bind(deviceId)) {
        return hold;
      }
    }
    return null;
  }

  synchronized int size() {
    return held.size();
  }
}
