package io.holdfast.cluster.raft;

import java.io.IOException;
import java.nio.file.Path;

/** Copies a checkpoint of the leader to this node. */
@FunctionalInterface
public interface CheckpointFetcher {
  /**
   * Copies a new checkpoint into a new directory on the file system of the data. The copy would
   * survive a power cut when this returns.
   *
   * @param leader the node that has the data
   * @throws IOException if it cannot be copied; the caller asks again later
   */
  Path fetch(Member leader) throws IOException;
}
