package io.holdfast.engine;

import io.holdfast.engine.store.Store;

/**
 * The threads for all work on the store besides that of the shard. Each kind of work has its own,
 * so that none waits for another: what flows wait for is as quick during a checkpoint, a compaction
 * and a search through all dead letters.
 */
final class StoreWork implements AutoCloseable {
  private static final int READ_THREADS = 2;
  private static final int READS_WAITING_MAX = 1_024;
  private static final int SEARCH_THREADS = 2;
  private static final int SEARCHES_WAITING_MAX = 256;
  private static final int CHECKPOINTS_WAITING_MAX = 16;

  /** Ranges beyond this are left to the store's own compaction. */
  private static final int RANGES_WAITING_MAX = 1_000;

  /** Reads of records, journals, and pages that visit few rows besides those they return. */
  final StoreThreads reads;

  /** Pages and counts that visit many rows to find those they want. */
  final StoreThreads searches;

  final StoreThreads checkpoints;

  /** Compaction of trimmed ranges. */
  final StoreThreads compactions;

  StoreWork(Store store) {
    this.reads = new StoreThreads(store, "holdfast-read", READ_THREADS, READS_WAITING_MAX);
    this.searches =
        new StoreThreads(store, "holdfast-search", SEARCH_THREADS, SEARCHES_WAITING_MAX);
    this.checkpoints = new StoreThreads(store, "holdfast-checkpoint", 1, CHECKPOINTS_WAITING_MAX);
    this.compactions = new StoreThreads(store, "holdfast-compact", 1, RANGES_WAITING_MAX);
  }

  /** Waits for the work under way: the store may be closed only after it. */
  @Override
  public void close() {
    reads.close();
    searches.close();
    checkpoints.close();
    compactions.close();
  }
}
