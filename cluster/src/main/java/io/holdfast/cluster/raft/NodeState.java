package io.holdfast.cluster.raft;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a node to another that starts: who it is, and which cluster it belongs to.
 *
 * @param self the node that answers
 * @param cluster the cluster that it belongs to, null if it has not started yet
 * @param members the members of the cluster, as far as the node knows; empty if it has not started
 */
public record NodeState(Member self, @Nullable UUID cluster, List<Member> members) {
  public NodeState {
    members = List.copyOf(members);
  }
}
