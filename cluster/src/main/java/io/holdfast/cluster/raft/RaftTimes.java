package io.holdfast.cluster.raft;

import java.time.Duration;

/**
 * How long a node waits.
 *
 * @param electionMin a follower that hears nothing for a random time from here
 * @param electionMax to here, asks to become leader
 * @param flushEvery applied entries are stored at least that often
 */
public record RaftTimes(Duration electionMin, Duration electionMax, Duration flushEvery) {
  /** For servers. */
  public static final RaftTimes SERVER =
      new RaftTimes(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(30));
}
