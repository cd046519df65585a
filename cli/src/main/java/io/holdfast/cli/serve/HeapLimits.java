package io.holdfast.cli.serve;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lowers default limits that would let clients fill the heap of this process. Values that differ
 * from the default are not changed.
 */
final class HeapLimits {
  private static final Logger LOG = LoggerFactory.getLogger(HeapLimits.class);

  /** Memory of a partition with one group and its names; measured: 850 bytes without names. */
  private static final int PARTITION_BYTES = 1_024;

  private final long heapBytes;

  HeapLimits(long heapBytes) {
    this.heapBytes = heapBytes;
  }

  static HeapLimits ofThisProcess() {
    return new HeapLimits(Runtime.getRuntime().maxMemory());
  }

  /** At most a third of the heap. */
  long partitions(long given) {
    return fitting("--partitions-max", given, 10_000_000, heapBytes / 3 / PARTITION_BYTES);
  }

  long mailboxBytes(long given) {
    return fitting("--mailbox-bytes-max", given, 64L << 20, heapBytes / 16);
  }

  long tailCacheBytes(long given) {
    return fitting("--tail-cache", given, 16L << 20, heapBytes / 32);
  }

  /** A body is copied, so that it needs several times its size. */
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
