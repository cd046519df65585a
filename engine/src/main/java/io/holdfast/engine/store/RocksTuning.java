package io.holdfast.engine.store;

/**
 * How much memory a store on a disk takes outside the heap, and how it begins.
 *
 * @param cacheBytes blocks, indexes and filters of what is on the disk
 * @param writeBufferBytes one of the buffers that collect rows before they go to a sorted file;
 *     there are at most {@link #WRITE_BUFFERS}
 * @param writesLogAhead whether a log file is written in full when the store is opened, and then
 *     recycled: syncs are faster from the first on, and opening takes longer
 */
public record RocksTuning(long cacheBytes, long writeBufferBytes, boolean writesLogAhead) {
  /** One fills while another is flushed; the third absorbs a slow flush. */
  public static final int WRITE_BUFFERS = 3;

  private static final long MIB = 1024 * 1024;

  /** At most 64 MiB, fit for a heap of 256 MiB. */
  public static final RocksTuning MODEST = new RocksTuning(16 * MIB, 16 * MIB);

  /** The same for a process that runs for long. */
  public static final RocksTuning SERVER = new RocksTuning(16 * MIB, 16 * MIB, true);

  public RocksTuning(long cacheBytes, long writeBufferBytes) {
    this(cacheBytes, writeBufferBytes, false);
  }

  public RocksTuning {
    if (cacheBytes < MIB || writeBufferBytes < MIB) {
      throw new IllegalArgumentException("a cache and a write buffer take at least 1 MiB each");
    }
  }
}
