package io.holdfast.bench.crash;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/** Lives of a broker under load, each from its start to its death by SIGKILL. */
interface Lives {
  /**
   * What one life left.
   *
   * @param lines what the workers did and were answered
   * @param complaint what it said if it ended by itself; empty if it was killed
   */
  record End(List<String> lines, String complaint) {}

  /**
   * One life.
   *
   * @param chance decides when the kill comes
   */
  End live(int round, Random chance) throws IOException, InterruptedException;
}
