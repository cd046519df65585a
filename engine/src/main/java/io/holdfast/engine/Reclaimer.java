package io.holdfast.engine;

import io.holdfast.engine.command.Effect;
import io.holdfast.engine.store.Store;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees the disk space of trimmed ranges in the background. A range that finds no room among those
 * that wait is left to the store's own compaction.
 */
final class Reclaimer {
  private static final Logger LOG = LoggerFactory.getLogger(Reclaimer.class);

  private final Store store;
  private final StoreThreads threads;

  Reclaimer(Store store, StoreThreads threads) {
    this.store = store;
    this.threads = threads;
  }

  void run(List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.ReclaimSpace range && !threads.later(() -> reclaim(range))) {
        LOG.debug("A trimmed range is left to the store's own compaction: too many wait.");
      }
    }
  }

  private void reclaim(Effect.ReclaimSpace range) {
    if (threads.isClosing()) {
      return;
    }
    try {
      store.reclaim(range.from(), range.to());
    } catch (Throwable error) {
      LOG.warn("Disk space was not freed; the store's own compaction will do so.", error);
    }
  }
}
