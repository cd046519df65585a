package io.holdfast.bench.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/** Lives of an embedded broker whose workers die with it. */
final class EmbeddedLives implements Lives {
  private static final int WORKERS = 6;
  private static final int EARLY_KILL_ONE_IN = 8;
  private static final int START_MS = 500;
  private static final long ROUND_MS_MIN = 20;

  private final Path root;
  private final long roundMs;
  private final long seed;

  EmbeddedLives(Path root, long roundMs, long seed) {
    this.root = root;
    this.roundMs = roundMs;
    this.seed = seed;
  }

  @Override
  public End live(int round, Random chance) throws IOException, InterruptedException {
    ChildRun child = ChildRun.start(root, round, WORKERS, seed + round);
    if (chance.nextInt(EARLY_KILL_ONE_IN) == 0) {
      Thread.sleep(chance.nextInt(START_MS));
    } else {
      child.awaitReady();
      Thread.sleep(ROUND_MS_MIN + chance.nextLong(Math.max(1, roundMs - ROUND_MS_MIN)));
    }
    boolean killed = child.kill();
    return new End(child.lines(), killed ? "" : ChildRun.complaint(root));
  }
}
