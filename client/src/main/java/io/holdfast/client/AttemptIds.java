package io.holdfast.client;

import java.util.concurrent.ThreadLocalRandom;

/** Ids for pops, so that a repeated pop gets the lease of its first attempt. */
public final class AttemptIds {
  private static final int RADIX = 36;

  private AttemptIds() {}

  /** An id that no other pop of the same group has. */
  public static String next() {
    return Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), RADIX);
  }
}
