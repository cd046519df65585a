package io.holdfast.cluster.raft;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.LeaderElectionManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the members of the cluster, and its leader.
 *
 * <p>Thread: any.
 */
final class Membership {
  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

  /** How long a member may take to become the leader; new entries are refused meanwhile. */
  private static final Duration TRANSFER = Duration.ofSeconds(2);

  private static final int TRANSFERS_MAX = 5;

  private static final long TRANSFER_PAUSE_MS = 500;

  private final RaftServer server;
  private final RaftServer.Division division;
  private final ClientId client = ClientId.randomId();
  private final AtomicBoolean transferring = new AtomicBoolean();

  Membership(RaftServer server, RaftServer.Division division) {
    this.server = server;
    this.division = division;
  }

  /** The members that vote. */
  List<Member> members() {
    return division.getRaftConf().getCurrentPeers().stream()
        .map(Peers::member)
        .sorted(Comparator.comparing(Member::name))
        .toList();
  }

  CompletableFuture<Void> add(Member member) {
    return change(
        members -> {
          if (members.stream().anyMatch(other -> other.name().equals(member.name()))) {
            throw new ClusterException(
                "The cluster has a member "
                    + member.name()
                    + " already. If it has lost its data, replace it.");
          }
          members.add(member);
          return members;
        });
  }

  CompletableFuture<Void> remove(String name) {
    return change(
        members -> {
          if (members.size() == 1) {
            throw new ClusterException("The last member of a cluster cannot be removed.");
          }
          members.remove(find(members, name));
          return members;
        });
  }

  CompletableFuture<Void> replace(String name, Member by) {
    return change(
        members -> {
          members.remove(find(members, name));
          members.add(by);
          return members;
        });
  }

  private static Member find(Collection<Member> members, String name) {
    return members.stream()
        .filter(member -> member.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new ClusterException("The cluster has no member " + name + "."));
  }

  private CompletableFuture<Void> change(UnaryOperator<List<Member>> change) {
    try {
      requireLeader();
      List<RaftPeer> current = List.copyOf(division.getRaftConf().getCurrentPeers());
      List<RaftPeer> changed =
          change.apply(new ArrayList<>(members())).stream().map(Peers::of).toList();
      SetConfigurationRequest request =
          new SetConfigurationRequest(
              client,
              self(),
              group(),
              CallId.getAndIncrement(),
              SetConfigurationRequest.Arguments.newBuilder()
                  .setServersInCurrentConf(current)
                  .setServersInNewConf(changed)
                  .setListenersInCurrentConf(List.of())
                  .setListenersInNewConf(List.of())
                  .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                  .build());
      return result(server.setConfigurationAsync(request), "The members were not changed");
    } catch (ClusterException refused) {
      return CompletableFuture.failedFuture(refused);
    } catch (IOException | RuntimeException failed) {
      return CompletableFuture.failedFuture(
          new ClusterException("The members were not changed: " + failed.getMessage(), failed));
    }
  }

  private void requireLeader() {
    if (!division.getInfo().isLeader()) {
      throw new ClusterException("This node does not lead the cluster; ask the leader.");
    }
  }

  /**
   * Makes a member the leader. Ratis asks it once, and a connection to a node that was away may
   * just be waiting before it is opened again: so it is asked a few times.
   */
  CompletableFuture<Void> transfer(String name) {
    return transfer(name, TRANSFERS_MAX);
  }

  private CompletableFuture<Void> transfer(String name, int tries) {
    CompletableFuture<Void> done = transferOnce(name);
    if (tries == 1) {
      return done;
    }
    return done.handle((yes, failure) -> failure == null || !division.getInfo().isLeader())
        .thenCompose(ended -> ended ? done : transferLater(name, tries - 1));
  }

  /** A connection to a node that has just started again is tried after a second only. */
  private CompletableFuture<Void> transferLater(String name, int tries) {
    Executor later = CompletableFuture.delayedExecutor(TRANSFER_PAUSE_MS, TimeUnit.MILLISECONDS);
    return CompletableFuture.supplyAsync(() -> tries, later)
        .thenCompose(left -> transfer(name, left));
  }

  private CompletableFuture<Void> transferOnce(String name) {
    try {
      requireLeader();
      RaftPeerId target = RaftPeerId.valueOf(find(members(), name).id());
      TransferLeadershipRequest request =
          new TransferLeadershipRequest(
              client, self(), group(), CallId.getAndIncrement(), target, TRANSFER.toMillis());
      return result(server.transferLeadershipAsync(request), "The leader was not changed");
    } catch (ClusterException refused) {
      return CompletableFuture.failedFuture(refused);
    } catch (IOException | RuntimeException failed) {
      return CompletableFuture.failedFuture(
          new ClusterException("The leader was not changed: " + failed.getMessage(), failed));
    }
  }

  /** Sets whether this node asks for votes when it hears of no leader. */
  void setCandidate(boolean candidate) {
    long call = CallId.getAndIncrement();
    LeaderElectionManagementRequest request =
        candidate
            ? LeaderElectionManagementRequest.newResume(client, self(), group(), call)
            : LeaderElectionManagementRequest.newPause(client, self(), group(), call);
    try {
      server.leaderElectionManagement(request);
    } catch (IOException failed) {
      LOG.warn("Elections could not be {}.", candidate ? "resumed" : "paused", failed);
    }
  }

  /** If this node leads, makes the member that is furthest the leader. Does not wait. */
  void giveLeadershipAway() {
    LogStatus status = LogStatus.of(division);
    if (!status.leading() || !transferring.compareAndSet(false, true)) {
      return;
    }
    CompletableFuture<?> _ =
        status.followers().stream()
            .max(
                Comparator.comparingLong(FollowerStatus::matchIndex)
                    .thenComparing(FollowerStatus::silentMs, Comparator.reverseOrder()))
            .map(follower -> transfer(follower.member().name()))
            .orElseGet(() -> CompletableFuture.completedFuture(null))
            .whenComplete(
                (done, failure) -> {
                  transferring.set(false);
                  if (failure != null) {
                    LOG.warn("Leadership could not be given away; it is tried again.", failure);
                  }
                });
  }

  private static CompletableFuture<Void> result(
      CompletableFuture<RaftClientReply> asked, String failed) {
    return asked.handle(
        (reply, failure) -> {
          Throwable cause = failure != null ? failure : reply.getException();
          if (cause != null) {
            throw new ClusterException(failed + ": " + cause.getMessage(), cause);
          }
          return null;
        });
  }

  private RaftPeerId self() {
    return division.getMemberId().getPeerId();
  }

  private RaftGroupId group() {
    return division.getMemberId().getGroupId();
  }
}
