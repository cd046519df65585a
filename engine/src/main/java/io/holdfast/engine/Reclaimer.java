package io.holdfast.engine;

import io.holdfast.engine.command.Effect;
import io.holdfast.engine.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives the disk space of trimmed ranges back, in the background, one range at a time. */
final class Reclaimer {
  private static final Logger LOG = LoggerFactory.getLogger(Reclaimer.class);

  /** Ranges beyond this are left to the store's own compaction. */
  private static final int WAITING_MAX = 1_000;

  private final Store store;
  private final Readers readers;
  private final List<Effect.ReclaimSpace> waiting = new ArrayList<>();
  private final AtomicBoolean busy = new AtomicBoolean();

  Reclaimer(Store store, Readers readers) {
    this.store = store;
    this.readers = readers;
  }

  void run(List<Effect> effects) {
    boolean any = false;
    for (Effect effect : effects) {
      if (effect instanceof Effect.ReclaimSpace reclaim) {
        any |= add(reclaim);
      }
    }
    if (any && busy.compareAndSet(false, true) && !readers.later(this::work)) {
      busy.set(false);
    }
  }

  private boolean add(Effect.ReclaimSpace reclaim) {
    synchronized (waiting) {
      return waiting.size() < WAITING_MAX && waiting.add(reclaim);
    }
  }

  private void work() {
    List<Effect.ReclaimSpace> ranges;
    do {
      synchronized (waiting) {
        ranges = new ArrayList<>(waiting);
        waiting.clear();
      }
      for (Effect.ReclaimSpace range : ranges) {
        reclaim(range);
      }
    } while (!ranges.isEmpty());
    busy.set(false);
  }

  private void reclaim(Effect.ReclaimSpace range) {
    if (readers.isClosing()) {
      return;
    }
    try {
      store.reclaim(range.from(), range.to());
    } catch (RuntimeException error) {
      LOG.warn("Disk space was not given back; the store's own compaction will do so.", error);
    }
  }
}
