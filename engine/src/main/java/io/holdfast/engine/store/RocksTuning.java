package io.holdfast.engine.store;

/**
 * How much memory a store on a disk takes outside the heap.
 *
 * @param cacheBytes blocks, indexes and filters of what is on the disk
 * @param writeBufferBytes one of the buffers that collect rows before they go to a sorted file;
 *     there are at most {@link #WRITE_BUFFERS}
 */
public record RocksTuning(long cacheBytes, long writeBufferBytes) {
  /** One fills while another is flushed; the third absorbs a slow flush. */
  public static final int WRITE_BUFFERS = 3;

  private static final long MIB = 1024 * 1024;

  /** At most 128 MiB, fit for a heap of 256 MiB. */
  public static final RocksTuning MODEST = new RocksTuning(16 * MIB, 16 * MIB);

  public RocksTuning {
    if (cacheBytes < MIB || writeBufferBytes < MIB) {
      throw new IllegalArgumentException("a cache and a write buffer take at least 1 MiB each");
    }
  }
}
