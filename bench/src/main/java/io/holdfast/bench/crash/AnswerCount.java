package io.holdfast.bench.crash;

/**
 * The number of answers that the workers of one round got.
 *
 * <p>A kill waits for answers rather than for time, so that a busy machine kills no fewer answers
 * in flight than a quiet one.
 *
 * <p>Thread: any.
 */
final class AnswerCount {
  private static final long WAIT_MS_MAX = 60_000;

  private int count;
  private boolean ended;

  /** Counts a line if it is an answer. */
  synchronized void add(String line) {
    if (line.contains(Line.Kind.DONE.name())) {
      count++;
      notifyAll();
    }
  }

  /** There will be no more answers. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Waits until there are so many answers, or no more will come. */
  synchronized void await(int wanted) throws InterruptedException {
    long until = System.nanoTime() + WAIT_MS_MAX * 1_000_000;
    while (count < wanted && !ended) {
      long leftMs = (until - System.nanoTime()) / 1_000_000;
      if (leftMs <= 0) {
        throw new IllegalStateException(
            "expected %d answers in %d ms, but got %d".formatted(wanted, WAIT_MS_MAX, count));
      }
      wait(leftMs);
    }
  }
}
