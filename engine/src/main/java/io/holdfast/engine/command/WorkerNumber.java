package io.holdfast.engine.command;

import io.holdfast.api.lease.PopRequest;

/**
 * The number of a worker: a hash of its name, short enough to be stored with every subscription.
 *
 * <p>Workers whose names have the same number count as one: each takes what is left to the other.
 */
public final class WorkerNumber {
  /** The number of no worker. */
  public static final int NONE = 0;

  /** Four bytes as a varint. */
  private static final int BITS = 28;

  private WorkerNumber() {}

  /** The number of the worker of a sticky pop; {@link #NONE} for any other pop. */
  public static int of(PopRequest request) {
    String worker = request.worker();
    if (request.stickyMs() == 0 || worker == null) {
      return NONE;
    }
    int hash = worker.hashCode();
    return Math.max(1, (hash ^ hash >>> BITS) & ((1 << BITS) - 1));
  }
}
