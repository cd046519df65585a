package io.holdfast.server.status;

import org.jspecify.annotations.Nullable;

/**
 * Numbers at equal steps of time, the newest of them: each new one takes the place of the oldest.
 *
 * <p>Room is taken in blocks as time goes by.
 *
 * <p>Thread: one at a time.
 */
final class Ring {
  private static final int BLOCKS = 24;

  /** Some steps: the number of each step, and its values. */
  private static final class Block {
    private final long[] steps;
    private final float[] values;

    private Block(int size, int fields) {
      steps = new long[size];
      values = new float[size * fields];
    }
  }

  private final long stepMs;
  private final int fields;
  private final int blockSize;
  private final @Nullable Block[] blocks = new @Nullable Block[BLOCKS];

  /**
   * @param steps how many are kept; a multiple of {@link #BLOCKS}
   */
  Ring(long stepMs, int steps, int fields) {
    this.stepMs = stepMs;
    this.fields = fields;
    this.blockSize = steps / BLOCKS;
  }

  long stepMs() {
    return stepMs;
  }

  /** How far back it reaches. */
  long spanMs() {
    return stepMs * blockSize * BLOCKS;
  }

  void put(long timeMs, float... values) {
    long step = timeMs / stepMs;
    int at = (int) (step % ((long) blockSize * BLOCKS));
    Block block = blocks[at / blockSize];
    if (block == null) {
      block = new Block(blockSize, fields);
      blocks[at / blockSize] = block;
    }
    block.steps[at % blockSize] = step;
    System.arraycopy(values, 0, block.values, (at % blockSize) * fields, fields);
  }

  /** Copies the values of a step; false if there are none. */
  boolean get(long step, float[] into) {
    int at = (int) (step % ((long) blockSize * BLOCKS));
    Block block = blocks[at / blockSize];
    if (block == null || block.steps[at % blockSize] != step || step == 0) {
      return false;
    }
    System.arraycopy(block.values, (at % blockSize) * fields, into, 0, fields);
    return true;
  }
}
