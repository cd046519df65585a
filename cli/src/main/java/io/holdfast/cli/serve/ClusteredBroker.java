package io.holdfast.cli.serve;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingAsyncBroker;
import io.holdfast.api.Result;
import io.holdfast.cli.store.Checkpoints;
import io.holdfast.cluster.ClusterNode;
import io.holdfast.cluster.ClusterView;
import io.holdfast.cluster.peer.NodeStatus;
import io.holdfast.cluster.raft.ClusterException;
import io.holdfast.cluster.raft.Member;
import io.holdfast.cluster.raft.RaftStatus;
import io.holdfast.server.Cluster;
import io.holdfast.server.Upkeep;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The broker of a cluster, which is operated through this node. */
final class ClusteredBroker extends ForwardingAsyncBroker implements Upkeep, Cluster {
  private final ClusterNode node;
  private final Checkpoints checkpoints;

  ClusteredBroker(ClusterNode node, Path checkpoints) {
    super(node.broker());
    this.node = node;
    this.checkpoints = new Checkpoints(checkpoints, node.own()::checkpoint, Clock.systemUTC());
  }

  @Override
  public Result<Checkpoint> checkpoint(@Nullable String name) {
    return checkpoints.make(name);
  }

  @Override
  public Result<List<Checkpoint>> checkpoints() {
    return checkpoints.list();
  }

  @Override
  public Result<Status> status() {
    RaftStatus log = node.log();
    Member leader = log.leader();
    return Result.ok(
        new Status(
            leader == null ? null : leader.name(),
            log.term(),
            log.committedIndex(),
            node.leaderChanges(),
            node.view().unready(),
            node.view().nodes().stream().map(one -> describe(one, log)).toList()));
  }

  private Node describe(ClusterView.Node one, RaftStatus log) {
    Member member = one.member();
    Member leader = log.leader();
    NodeStatus status = one.status();
    long applied = status == null ? 0 : status.appliedIndex();
    return new Node(
        member.name(),
        member.id(),
        member.address(),
        member.clientAddress(),
        status == null ? null : status.version(),
        member.id().equals(node.self().id()),
        leader != null && member.id().equals(leader.id()),
        one.isReachable(),
        applied,
        Math.max(0, log.committedIndex() - applied),
        one.lagMs(),
        status == null ? 0 : status.dataBytes(),
        status == null ? 0 : status.logBytes(),
        status == null ? 0 : status.freeBytes(),
        one.ageMs());
  }

  @Override
  public Result<Status> change(Change change) {
    String name = change.node() == null ? "" : change.node();
    String address = change.address() == null ? "" : change.address();
    try {
      switch (change.kind()) {
        case ADD -> node.add(address);
        case REMOVE -> node.remove(name);
        case REPLACE -> node.replace(name, address);
        case TRANSFER -> node.transfer(name);
        case SNAPSHOT -> node.snapshot();
      }
    } catch (ClusterException refused) {
      return Result.refused(ErrorCode.WRONG_STATE, String.valueOf(refused.getMessage()));
    }
    return status();
  }

  @Override
  public @Nullable String unready() {
    return node.view().unready();
  }
}
