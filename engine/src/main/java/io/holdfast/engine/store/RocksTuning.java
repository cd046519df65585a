package io.holdfast.engine.store;

/**
 * How much memory a store on a disk takes outside the heap, and which log it has.
 *
 * @param cacheBytes blocks, indexes and filters of what is on the disk
 * @param writeBufferBytes one of the buffers that collect rows before they go to a sorted file;
 *     there are at most {@link #WRITE_BUFFERS}
 */
public record RocksTuning(long cacheBytes, long writeBufferBytes, Log log) {
  /** The log of a store. */
  public enum Log {
    /** Batches are written to it before they are stored. */
    NORMAL,
    /**
     * The same, and two files of it are written in full when the store is opened and then recycled
     * by turns: syncs are faster from the first on, and opening takes longer.
     */
    WRITTEN_AHEAD,
    /** None: a crash loses the batches after the last flush, so another log must have them. */
    NONE
  }

  /** One fills while another is flushed; the third absorbs a slow flush. */
  public static final int WRITE_BUFFERS = 3;

  private static final long MIB = 1024 * 1024;

  /** At most 64 MiB, fit for a heap of 256 MiB. */
  public static final RocksTuning MODEST = new RocksTuning(16 * MIB, 16 * MIB);

  /** The same for a process that runs for long. */
  public static final RocksTuning SERVER = new RocksTuning(16 * MIB, 16 * MIB, Log.WRITTEN_AHEAD);

  /** For a node of a cluster, whose log is that of the cluster. */
  public static final RocksTuning REPLICA = new RocksTuning(16 * MIB, 16 * MIB, Log.NONE);

  public RocksTuning(long cacheBytes, long writeBufferBytes) {
    this(cacheBytes, writeBufferBytes, Log.NORMAL);
  }

  public RocksTuning {
    if (cacheBytes < MIB || writeBufferBytes < MIB) {
      throw new IllegalArgumentException("a cache and a write buffer take at least 1 MiB each");
    }
  }
}
