package io.holdfast.api;

import java.util.function.Supplier;

/**
 * Marks reads that a node of a cluster may answer from its own state, without asking the leader.
 * Such an answer is quick and needs no majority, but other nodes may have changed the state since.
 * A broker on a node of its own ignores it.
 *
 * <p>Thread: the mark holds for blocking reads on the calling thread.
 */
public final class StaleReads {
  private static final ThreadLocal<Boolean> WANTED = ThreadLocal.withInitial(() -> false);

  private StaleReads() {}

  /** Whether the calling thread takes stale answers. */
  public static boolean areWanted() {
    return WANTED.get();
  }

  /** Reads with the mark. */
  public static <T> T with(Supplier<T> reads) {
    boolean before = WANTED.get();
    WANTED.set(true);
    try {
      return reads.get();
    } finally {
      if (before) {
        WANTED.set(true);
      } else {
        WANTED.remove();
      }
    }
  }
}
