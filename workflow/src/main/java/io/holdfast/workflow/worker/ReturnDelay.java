package io.holdfast.workflow.worker;

/** How long a message that a worker could not handle is kept back before it is delivered again. */
final class ReturnDelay {
  private static final long FIRST_MS = 1_000;
  private static final long MAX_MS = 60_000;
  private static final int DOUBLINGS_MAX = 10;

  private ReturnDelay() {}

  /**
   * The delay after a delivery.
   *
   * @param attempt which delivery it was, from 1
   */
  static long ms(int attempt) {
    return Math.min(MAX_MS, FIRST_MS << Math.min(DOUBLINGS_MAX, attempt - 1));
  }
}
