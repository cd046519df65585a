package io.holdfast.client;

import io.holdfast.api.lease.AttemptId;
import java.util.concurrent.ThreadLocalRandom;

/** Ids for pops, so that a repeated pop gets the lease of its first attempt. */
public final class AttemptIds {
  private static final int RADIX = 36;

  /** How much the number rises with each request that a node of a cluster may have repeated. */
  public static final long AFTER_A_SEND = 1_000;

  /** How much the number rises with each request that was sent again until nobody answered. */
  public static final long AFTER_A_REQUEST = 1_000_000;

  private AttemptIds() {}

  /** An id that no other pop of the same group has. */
  public static String next() {
    return AttemptId.first(Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), RADIX));
  }
}
