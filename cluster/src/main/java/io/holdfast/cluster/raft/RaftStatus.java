package io.holdfast.cluster.raft;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The log of this node.
 *
 * @param started false while the node waits for the other nodes at its first start
 * @param leading whether this node leads
 * @param leader the leader, null if unknown
 * @param committedIndex the last entry known as committed
 * @param lastIndex the last entry in the log of this node
 * @param appliedIndex the last entry that was handed over to be applied
 * @param snapshotIndex the last entry that the stored rows contain for sure
 * @param logBytes the size of the log on disk
 * @param followers on the leader, the other members
 */
public record RaftStatus(
    boolean started,
    boolean leading,
    @Nullable Member leader,
    long term,
    long committedIndex,
    long lastIndex,
    long appliedIndex,
    long snapshotIndex,
    long logBytes,
    List<FollowerStatus> followers) {
  /** The state of a node that waits for its cluster. */
  static final RaftStatus NONE =
      new RaftStatus(false, false, null, 0, -1, -1, -1, -1, 0, List.of());

  public RaftStatus {
    followers = List.copyOf(followers);
  }
}
