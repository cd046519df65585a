package io.holdfast.cluster;

import io.holdfast.api.TimeSource;
import io.holdfast.api.TimerThread;
import io.holdfast.cluster.peer.NodeStatus;
import io.holdfast.cluster.peer.PeerException;
import io.holdfast.cluster.raft.Member;
import io.holdfast.cluster.raft.RaftNode;
import io.holdfast.engine.Replica.AnswersMark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node knows of all nodes: it asks each for its status every few seconds.
 *
 * <p>Thread: any.
 */
public final class ClusterView implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterView.class);

  /** How often the other nodes are asked. */
  static final Duration ASK_EVERY = Duration.ofSeconds(2);

  /** An answer that is older does not show that a node is reachable. */
  static final Duration FRESH = Duration.ofSeconds(7);

  /**
   * A node of the cluster.
   *
   * @param status its last answer; null if it has never answered
   * @param ageMs how old the answer is
   * @param lagMs how much older the last command was that it had applied then than that of this
   *     node
   */
  public record Node(Member member, @Nullable NodeStatus status, long ageMs, long lagMs) {
    /** Whether it has answered lately. */
    public boolean isReachable() {
      return status != null && ageMs < FRESH.toMillis();
    }
  }

  private record Known(NodeStatus status, long nanos, long lagMs) {}

  private final RaftNode raft;
  private final Supplier<NodeStatus> own;
  private final BooleanSupplier leading;
  private final PeerConnections peers;
  private final ClockWatch clocks;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final Map<String, Long> clocksAheadMs = new ConcurrentHashMap<>();
  private final Consumer<String> onDifference;
  private final TimerThread timer;

  /**
   * @param own returns the status of this node
   * @param leading returns whether the broker of this node takes calls
   * @param onDifference is told why this node has to end, because its data differ from the others'
   */
  ClusterView(
      RaftNode raft,
      Supplier<NodeStatus> own,
      BooleanSupplier leading,
      PeerConnections peers,
      ClockWatch clocks,
      Consumer<String> onDifference) {
    this.clocks = clocks;
    this.onDifference = onDifference;
    this.raft = raft;
    this.own = own;
    this.leading = leading;
    this.peers = peers;
    this.timer =
        new TimerThread(
            TimeSource.SYSTEM,
            "holdfast-cluster-view",
            failure -> LOG.error("Asking the nodes of the cluster failed.", failure));
    timer.after(ASK_EVERY, this::askAll);
  }

  private void askAll() {
    try {
      List<Member> others = others();
      known.keySet().retainAll(others.stream().map(Member::id).toList());
      clocksAheadMs.keySet().retainAll(known.keySet());
      List<Thread> asking =
          others.stream()
              .map(one -> Thread.ofVirtual().name("holdfast-ask-node").start(() -> ask(one)))
              .toList();
      for (Thread one : asking) {
        one.join();
      }
      clocks.compare(List.copyOf(clocksAheadMs.values()), others.size() + 1);
      compareAnswers(others.size() + 1);
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } finally {
      timer.after(ASK_EVERY, this::askAll);
    }
  }

  private void compareAnswers(int members) {
    List<List<AnswersMark>> marks =
        known.values().stream().map(one -> one.status().marks()).toList();
    String difference = AnswersCheck.difference(own.get().marks(), marks, members);
    if (difference != null) {
      onDifference.accept(difference);
    }
  }

  private List<Member> others() {
    String self = raft.self().id();
    return raft.members().stream().filter(member -> !member.id().equals(self)).toList();
  }

  private void ask(Member member) {
    long begun = System.nanoTime();
    try {
      NodeStatus status = peers.to(member).status();
      long now = System.nanoTime();
      long halfMs = (now - begun) / 2_000_000;
      long lagMs = Math.max(0, own.get().appliedMs() - status.appliedMs());
      known.put(member.id(), new Known(status, now, lagMs));
      clocksAheadMs.put(member.id(), status.wallMs() + halfMs - System.currentTimeMillis());
    } catch (PeerException silent) {
      clocksAheadMs.remove(member.id());
    }
  }

  /** All members, with their last answers; this node first. */
  public List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    nodes.add(new Node(raft.self(), own.get(), 0, 0));
    long now = System.nanoTime();
    for (Member member : others()) {
      Known one = known.get(member.id());
      nodes.add(
          one == null
              ? new Node(member, null, 0, 0)
              : new Node(member, one.status(), (now - one.nanos()) / 1_000_000, one.lagMs()));
    }
    return nodes;
  }

  /** Whether the clock of this node is near enough to those of most others. */
  boolean mayLead() {
    return clocks.mayLead();
  }

  /** How far the clock of this node is ahead of most others. */
  public long clockOffMs() {
    return clocks.offMs();
  }

  /** Why this node should get no calls; null if it leads, or if the leader has answered lately. */
  public @Nullable String unready() {
    Member leader = raft.leader();
    if (leader == null) {
      return "this node does not know a leader of the cluster";
    }
    if (leader.id().equals(raft.self().id())) {
      return leading.getAsBoolean() ? null : "this node has begun to lead, and is not ready yet";
    }
    Known last = known.get(leader.id());
    if (last == null || System.nanoTime() - last.nanos() > FRESH.toNanos()) {
      return "the leader of the cluster, " + leader.name() + ", does not answer this node";
    }
    return last.status().leading()
        ? null
        : "the leader of the cluster, " + leader.name() + ", is not ready yet";
  }

  @Override
  public void close() {
    timer.close();
  }
}
