package io.holdfast.cluster.raft;

import io.holdfast.cluster.security.NodeSecurity;
import io.holdfast.engine.EntryLog;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster: its log, which Apache Ratis keeps the same on all members.
 *
 * <p>Order of calls: {@link #open}, then the broker is opened with this as its log, then {@link
 * #start}. Close this before the broker. Proposals before the start are refused.
 *
 * <p>Thread: any.
 */
public final class RaftNode implements EntryLog, AutoCloseable {
  private final RaftConfig config;
  private final NodeDirectory directory;
  private final NodeChannels channels;
  private final Proposals proposals = new Proposals();
  private volatile @Nullable RunningNode running;

  private RaftNode(RaftConfig config, NodeDirectory directory, NodeChannels channels) {
    this.config = config;
    this.directory = directory;
    this.channels = channels;
  }

  /**
   * Checks the files of the node, and makes the node file at the first start. Nothing listens yet.
   *
   * @throws ClusterException if files are missing or do not belong together, or other machines
   *     could reach the node without a proof
   */
  public static RaftNode open(RaftConfig config, NodeSecurity security) {
    NodeDirectory.checkReach(config, security.tls() != null);
    return new RaftNode(config, NodeDirectory.open(config), new NodeChannels(security));
  }

  /**
   * Makes a directory whose data directory contains the data of a single node the first member of a
   * new cluster. Other nodes are added to it.
   *
   * @param directory the directory of the node, not started yet
   * @param self where this node is reached
   * @throws ClusterException if it belongs to a node already
   */
  public static void found(Path directory, NodeAddress self, String clientAddress) {
    NodeDirectory.found(directory, self, clientAddress);
  }

  /**
   * Listens, and joins the cluster: a node that has started before at once, one with an empty
   * directory in the background, when the other nodes have answered.
   *
   * @throws ClusterException if it cannot listen, or its log is damaged
   */
  public synchronized void start(NodeParts parts) {
    if (running != null) {
      throw new IllegalStateException("The node was started already.");
    }
    RunningNode started = new RunningNode(config, directory, channels, proposals, parts);
    running = started;
    try {
      started.start();
    } catch (RuntimeException failed) {
      started.close();
      throw failed;
    }
  }

  /** This node. */
  public Member self() {
    return new Member(directory.identity().id(), config.self().address(), config.clientAddress());
  }

  /** The answer to another node that starts. */
  public NodeState state() {
    return new NodeState(self(), directory.identity().cluster(), members());
  }

  /** The leader, null if it is unknown. */
  public @Nullable Member leader() {
    RunningNode node = running;
    return node == null ? null : node.leader();
  }

  /** The members of the cluster, also this node if it is one; empty before the first start. */
  public List<Member> members() {
    Membership membership = membership();
    return membership == null ? directory.identity().members() : membership.members();
  }

  /** The state of the log. */
  public RaftStatus status() {
    RunningNode node = running;
    return node == null ? RaftStatus.NONE : node.status();
  }

  /** Builds a channel to the services of another node, with the security of the cluster. */
  public NettyChannelBuilder channel(String address) {
    return channels.to(address);
  }

  @Override
  public void propose(long term, byte[] entry, Proposal proposal) {
    proposals.propose(term, entry, proposal);
  }

  /**
   * Adds a node that has started with an empty directory and waits. Only the leader can; the result
   * fails with a {@link ClusterException} if this node does not lead or the node does not catch up.
   */
  public CompletableFuture<Void> add(Member member) {
    return change(membership -> membership.add(member));
  }

  /** Removes a member, which then ends by itself. Only the leader can. */
  public CompletableFuture<Void> remove(String name) {
    return change(membership -> membership.remove(name));
  }

  /** Puts a new node in the place of a member that has lost its data. Only the leader can. */
  public CompletableFuture<Void> replace(String name, Member by) {
    return change(membership -> membership.replace(name, by));
  }

  /** Makes another member the leader. Only the leader can. */
  public CompletableFuture<Void> transfer(String name) {
    return change(membership -> membership.transfer(name));
  }

  /**
   * Stores what was applied, and deletes the log that is not needed any more.
   *
   * @return the index up to which entries are stored
   */
  public CompletableFuture<Long> snapshot() {
    RunningNode node = running;
    return node == null ? notStarted() : node.snapshot();
  }

  private @Nullable Membership membership() {
    RunningNode node = running;
    return node == null ? null : node.membership();
  }

  private CompletableFuture<Void> change(Function<Membership, CompletableFuture<Void>> change) {
    Membership membership = membership();
    return membership == null ? notStarted() : change.apply(membership);
  }

  static <T> CompletableFuture<T> notStarted() {
    return CompletableFuture.failedFuture(
        new ClusterException("This node does not belong to a cluster yet."));
  }

  /** Leaves the members as they are; this node continues when it is started again. */
  @Override
  public synchronized void close() {
    RunningNode node = running;
    if (node != null) {
      node.close();
    }
  }
}
