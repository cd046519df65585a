package io.holdfast.cluster;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.TimerThread;
import io.holdfast.cluster.peer.CheckpointDirectory;
import io.holdfast.cluster.peer.MemberChange;
import io.holdfast.cluster.peer.NodeStatus;
import io.holdfast.cluster.peer.PeerConnection;
import io.holdfast.cluster.peer.PeerException;
import io.holdfast.cluster.peer.PeerHost;
import io.holdfast.cluster.peer.PeerServer;
import io.holdfast.cluster.raft.ClusterException;
import io.holdfast.cluster.raft.Member;
import io.holdfast.cluster.raft.NodeEvents;
import io.holdfast.cluster.raft.NodeParts;
import io.holdfast.cluster.raft.NodeState;
import io.holdfast.cluster.raft.RaftNode;
import io.holdfast.cluster.raft.RaftStatus;
import io.holdfast.cluster.raft.ReplicatedState;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.Replica;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of a cluster: a broker, the log that it shares with other nodes, and the calls between
 * them.
 *
 * <p>Thread: any.
 */
public final class ClusterNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

  private static final int CONNECT_MS_MAX = 3_000;

  /** The largest request: an entry of the log, of 19 MiB, has room for it and smaller ones. */
  private static final long REQUEST_BYTES_MAX = 16L << 20;

  /** How long a node that is added may take to find the cluster. */
  private static final Duration START_MAX = Duration.ofSeconds(30);

  private static final Duration START_PAUSE = Duration.ofMillis(100);

  /** How often silent nodes are looked for. */
  private static final Duration CHECK = Duration.ofSeconds(1);

  private final ClusterConfig config;
  private final RaftNode raft;
  private final EmbeddedBroker own;
  private final PeerConnections peers;
  private final PeerServer service;
  private final CallRouter router;
  private final ClusterBroker broker;
  private final ClusterView view;
  private final NodeEvents events;
  private final TimerThread timer;
  private final AtomicLong leaderChanges = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();

  private ClusterNode(
      ClusterConfig config,
      TimeSource time,
      RaftNode raft,
      EmbeddedBroker own,
      CheckpointDirectory outgoing,
      ClockWatch clocks,
      NodeEvents events) {
    this.config = config;
    this.raft = raft;
    this.own = own;
    this.events = events;
    this.peers = new PeerConnections(address -> channel(raft, address));
    this.service = new PeerServer(new Host(), outgoing);
    this.router =
        new CallRouter(own, own.replica(), time, config.leaderPatience(), raft.self().id(), peers);
    this.broker = new ClusterBroker(router, this::close);
    this.view =
        new ClusterView(
            raft, this::status, own.replica()::isLeading, peers, clocks, events::failed);
    this.timer =
        new TimerThread(
            TimeSource.SYSTEM,
            "holdfast-cluster-check",
            failure -> LOG.error("Looking for silent nodes failed.", failure));
  }

  private static org.apache.ratis.thirdparty.io.grpc.ManagedChannel channel(
      RaftNode raft, String address) {
    NettyChannelBuilder builder = raft.channel(address);
    return builder.withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MS_MAX).build();
  }

  /**
   * Opens the data of a node, and starts it. It joins its cluster in the background.
   *
   * @param events hears of failures after which the process has to end
   * @throws ClusterException if it cannot start; the message is for the operator
   */
  public static ClusterNode start(ClusterConfig config, NodeEvents events) {
    return start(config, TimeSource.SYSTEM, null, events);
  }

  /**
   * The same under another clock, for tests.
   *
   * @param store where the data lives; null for the directory of the node
   */
  public static ClusterNode start(
      ClusterConfig config, TimeSource time, @Nullable Store store, NodeEvents events) {
    if (config.engine().requestBytesMax() > REQUEST_BYTES_MAX) {
      throw new ClusterException(
          "Requests of "
              + config.engine().requestBytesMax()
              + " bytes do not fit into the log of a cluster. Set --request-max to at most "
              + REQUEST_BYTES_MAX
              + ".");
    }
    RaftNode raft = RaftNode.open(config.raft(), config.security());
    ClusterNode node;
    try {
      ClockWatch clocks = new ClockWatch();
      EmbeddedBroker own =
          EmbeddedBroker.openReplica(
              config.engine().directory(store == null ? config.raft().dataDirectory() : null),
              clocks.corrected(time),
              store,
              raft);
      // Only now: the store may just have moved its rows out of one of them.
      Path directory = config.raft().directory();
      CheckpointDirectory outgoing = CheckpointDirectory.at(directory.resolve("outgoing"));
      CheckpointDirectory incoming = CheckpointDirectory.at(directory.resolve("incoming"));
      node = new ClusterNode(config, time, raft, own, outgoing, clocks, events);
      node.start(incoming);
    } catch (IOException | RuntimeException failed) {
      raft.close();
      throw failed instanceof RuntimeException unchecked
          ? unchecked
          : new ClusterException("The directory of the node cannot be used: " + failed, failed);
    }
    return node;
  }

  private void start(CheckpointDirectory incoming) {
    try {
      raft.start(
          new NodeParts(
              new State(),
              List.of(service),
              this::probe,
              leader -> peers.to(leader).fetchCheckpoint(incoming),
              view::mayLead,
              new Events()));
    } catch (RuntimeException failed) {
      close();
      throw failed;
    }
    timer.after(CHECK, this::check);
  }

  private void check() {
    // In case that a change was not reported.
    router.leaderChanged(raft.leader());
    peers.check();
    service.check();
    String failure = own.failure();
    if (failure != null) {
      // Otherwise it would go on leading the log, and no node could take calls.
      events.failed(failure);
    }
    timer.after(CHECK, this::check);
  }

  private NodeState probe(String address) throws IOException {
    try (PeerConnection once = peers.once(address)) {
      return once.status().state();
    }
  }

  /** The broker of the whole cluster. Closing it closes the node. */
  public ClusterBroker broker() {
    return broker;
  }

  /** The broker of this node itself, which takes calls only while it leads. */
  public EmbeddedBroker own() {
    return own;
  }

  /** The state of all nodes. */
  public ClusterView view() {
    return view;
  }

  /** How often the leader has changed while this node ran. */
  public long leaderChanges() {
    return leaderChanges.get();
  }

  public RaftStatus log() {
    return raft.status();
  }

  public Member self() {
    return raft.self();
  }

  /** The status of this node. */
  public NodeStatus status() {
    RaftStatus log = raft.status();
    LogPosition applied = own.replica().applied();
    return new NodeStatus(
        raft.state(),
        config.version(),
        FormatLevels.KNOWN.oldest(),
        FormatLevels.KNOWN.newest(),
        own.replica().isLeading(),
        log.term(),
        applied.index(),
        own.replica().appliedMs(),
        System.currentTimeMillis(),
        own.diskBytes(),
        log.logBytes(),
        freeBytes(),
        own.replica().marks(),
        log.started());
  }

  private long freeBytes() {
    try {
      return Files.getFileStore(config.raft().directory()).getUsableSpace();
    } catch (IOException unknown) {
      return 0;
    }
  }

  /**
   * Changes the members of the cluster, whichever node leads. Waits until it is done.
   *
   * @throws ClusterException if it cannot be done; the message says why
   */
  public void change(MemberChange change) {
    Member leader = raft.leader();
    if (leader == null) {
      throw new ClusterException("The cluster has no leader at the moment. Try again later.");
    }
    if (leader.id().equals(raft.self().id())) {
      Changes.await(Changes.apply(raft, change));
      return;
    }
    try {
      peers.to(leader).change(change);
    } catch (PeerException refused) {
      throw new ClusterException(String.valueOf(refused.getMessage()), refused);
    }
  }

  /** Adds the node at an address, which has started with an empty directory. */
  public void add(String address) {
    change(new MemberChange.Add(memberAt(address)));
  }

  /** Removes a member. */
  public void remove(String name) {
    change(new MemberChange.Remove(name));
  }

  /** Puts the node at an address in the place of a member. */
  public void replace(String name, String address) {
    change(new MemberChange.Replace(name, memberAt(address)));
  }

  /** Makes another member the leader. */
  public void transfer(String name) {
    change(new MemberChange.Transfer(name));
  }

  /** Waits until the log of the node has started: without one it cannot take what it is sent. */
  private Member memberAt(String address) {
    long deadline = System.nanoTime() + START_MAX.toNanos();
    while (true) {
      try (PeerConnection once = peers.once(address)) {
        NodeStatus status = once.status();
        if (status.started()) {
          return status.state().self();
        }
      } catch (IOException silent) {
        throw new ClusterException(
            "The node at "
                + address
                + " does not answer. Start it first, with an empty directory: "
                + silent.getMessage(),
            silent);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new ClusterException(
            "The node at "
                + address
                + " has not found the cluster: name a member of it in its --cluster.");
      }
      LockSupport.parkNanos(START_PAUSE.toNanos());
    }
  }

  /** Stores what this node has applied, and deletes the log that is not needed any more. */
  public long snapshot() {
    return Changes.await(raft.snapshot());
  }

  /** Ends the log first, so that nothing comes for a broker that is closed. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    timer.close();
    view.close();
    router.close();
    service.close();
    raft.close();
    own.close();
    peers.close();
    config.security().close();
  }

  private final class Events implements NodeEvents {
    @Override
    public void leaderChanged(@Nullable Member leader) {
      if (leader != null && !leader.equals(router.leader())) {
        leaderChanges.incrementAndGet();
      }
      router.leaderChanged(leader);
      events.leaderChanged(leader);
    }

    @Override
    public void failed(String reason) {
      events.failed(reason);
    }
  }

  private final class State implements ReplicatedState {
    @Override
    public Replica replica() {
      return own.replica();
    }

    @Override
    public LogPosition replaceWith(Path checkpoint) {
      return own.replaceWith(checkpoint);
    }
  }

  private final class Host implements PeerHost {
    @Override
    public Broker broker() {
      return own;
    }

    @Override
    public NodeStatus status() {
      return ClusterNode.this.status();
    }

    @Override
    public CompletableFuture<Void> change(MemberChange change) {
      return Changes.apply(raft, change);
    }

    @Override
    public LogPosition checkpoint(Path directory) {
      return own.checkpoint(directory);
    }
  }
}
