package io.holdfast.cluster.raft;

import io.holdfast.engine.Replica;
import io.holdfast.engine.command.LogPosition;
import java.nio.file.Path;

/** The broker of this node, as the log sees it. */
public interface ReplicatedState {
  /** Takes the committed entries. */
  Replica replica();

  /**
   * Replaces all data by a checkpoint of another node.
   *
   * @return the position that the checkpoint contains
   */
  LogPosition replaceWith(Path checkpoint);
}
