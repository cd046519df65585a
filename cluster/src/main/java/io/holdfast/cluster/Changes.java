package io.holdfast.cluster;

import io.holdfast.cluster.peer.MemberChange;
import io.holdfast.cluster.raft.ClusterException;
import io.holdfast.cluster.raft.RaftNode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Carries out operations on the members of a cluster. */
final class Changes {
  private Changes() {}

  /** Carries out an operation on the leader. */
  static CompletableFuture<Void> apply(RaftNode raft, MemberChange change) {
    try {
      return switch (change) {
        case MemberChange.Add add -> raft.add(add.member());
        case MemberChange.Remove remove -> raft.remove(remove.name());
        case MemberChange.Replace replace -> raft.replace(replace.name(), replace.by());
        case MemberChange.Transfer transfer -> raft.transfer(transfer.name());
      };
    } catch (ClusterException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  /**
   * Waits for the end of an operation.
   *
   * @throws ClusterException if it failed
   */
  static <T> T await(CompletableFuture<T> operation) {
    try {
      return operation.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof ClusterException refused
          ? refused
          : new ClusterException("The operation failed: " + failed.getCause(), failed);
    }
  }
}
