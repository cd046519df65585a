package io.holdfast.cli;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What fits into the heap of this process: usual limits that would let clients fill it are lowered.
 * Whoever gives another number is taken at his word.
 */
final class HeapShare {
  private static final Logger LOG = LoggerFactory.getLogger(HeapShare.class);

  /** What a partition that one group reads takes, with its names: measured 850 bytes without. */
  private static final int PARTITION_BYTES = 1_024;

  private final long heapBytes;

  HeapShare(long heapBytes) {
    this.heapBytes = heapBytes;
  }

  static HeapShare ofThisProcess() {
    return new HeapShare(Runtime.getRuntime().maxMemory());
  }

  /** As many partitions as take a third of the heap. */
  long partitions(long given) {
    return fitting("--partitions-max", given, 10_000_000, heapBytes / 3 / PARTITION_BYTES);
  }

  long mailboxBytes(long given) {
    return fitting("--mailbox-bytes-max", given, 64L << 20, heapBytes / 16);
  }

  long tailCacheBytes(long given) {
    return fitting("--tail-cache", given, 16L << 20, heapBytes / 32);
  }

  /** A body is copied on its way: what it takes in all is several times its size. */
  int bodyBytes(int given) {
    return (int) fitting("--body-max", given, 24L << 20, heapBytes / 16);
  }

  private long fitting(String option, long given, long usual, long fits) {
    if (given != usual || fits >= usual) {
      return given;
    }
    LOG.debug("{} is {}, because the heap has {} MiB.", option, fits, heapBytes >> 20);
    return fits;
  }
}
