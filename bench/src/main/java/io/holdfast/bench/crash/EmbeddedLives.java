package io.holdfast.bench.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/** Lives of an embedded broker whose workers die with it. */
final class EmbeddedLives implements Lives {
  private static final int WORKERS = 6;
  private static final int EARLY_KILL_ONE_IN = 8;
  private static final int START_MS = 500;

  private final Path root;
  private final int answersMax;
  private final long seed;

  EmbeddedLives(Path root, int answersMax, long seed) {
    this.root = root;
    this.answersMax = answersMax;
    this.seed = seed;
  }

  @Override
  public End live(int round, Random chance) throws IOException, InterruptedException {
    ChildRun child = ChildRun.start(root, round, WORKERS, seed + round);
    if (chance.nextInt(EARLY_KILL_ONE_IN) == 0) {
      Thread.sleep(chance.nextInt(START_MS));
    } else {
      child.awaitReady();
      child.awaitAnswers(1 + chance.nextInt(answersMax));
    }
    boolean killed = child.kill();
    return new End(child.lines(), killed ? "" : ChildRun.complaint(root));
  }
}
