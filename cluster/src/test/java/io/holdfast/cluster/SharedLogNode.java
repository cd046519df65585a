package io.holdfast.cluster;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.VerbBroker;
import io.holdfast.cluster.peer.CheckpointDirectory;
import io.holdfast.cluster.peer.MemberChange;
import io.holdfast.cluster.peer.NodeStatus;
import io.holdfast.cluster.peer.PeerConnection;
import io.holdfast.cluster.peer.PeerHost;
import io.holdfast.cluster.peer.PeerServer;
import io.holdfast.cluster.raft.Member;
import io.holdfast.cluster.raft.NodeAddress;
import io.holdfast.cluster.raft.NodeEvents;
import io.holdfast.cluster.raft.NodeParts;
import io.holdfast.cluster.raft.NodeState;
import io.holdfast.cluster.raft.RaftNode;
import io.holdfast.cluster.raft.ReplicatedState;
import io.holdfast.cluster.security.NodeSecurity;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.Replica;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.testkit.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A node whose log and connections outlive its broker, so that many tests share them. */
final class SharedLogNode implements AutoCloseable {
  final RaftNode raft;
  private final PeerConnections peers;
  private final SwitchedReplica replica = new SwitchedReplica();
  private volatile @Nullable EmbeddedBroker own;
  private @Nullable MemoryStore store;
  private @Nullable CallRouter router;

  SharedLogNode(Path directory, String name, List<NodeAddress> addresses) {
    raft = RaftNode.open(TestNodes.raft(directory, name, addresses), NodeSecurity.none());
    peers = new PeerConnections(address -> raft.channel(address).build());
    PeerServer service;
    try {
      service =
          new PeerServer(new Host(), CheckpointDirectory.at(directory.resolve(name + "-outgoing")));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    raft.start(
        new NodeParts(
            new State(),
            List.of(service),
            this::probe,
            leader -> {
              throw new IOException("rows in memory have no checkpoints");
            },
            () -> true,
            new Events()));
  }

  private NodeState probe(String address) throws IOException {
    try (PeerConnection once = peers.once(address)) {
      return once.status().state();
    }
  }

  /** Opens an empty broker, or the one that was closed. */
  void open(ManualClock clock, boolean again) {
    MemoryStore last = store;
    MemoryStore rows = again && last != null ? last.reopen() : new MemoryStore();
    store = rows;
    EmbeddedBroker opened =
        EmbeddedBroker.openReplica(EngineConfig.inMemory().keys(TestNodes.KEYS), clock, rows, raft);
    own = opened;
    CallRouter routing =
        new CallRouter(
            opened,
            opened.replica(),
            clock,
            ClusterConfig.LEADER_PATIENCE,
            raft.self().id(),
            peers);
    routing.leaderChanged(raft.leader());
    router = routing;
    replica.use(opened.replica());
  }

  /** The broker of the cluster, as this node offers it. */
  ClusterBroker broker(Runnable onClose) {
    CallRouter routing = router;
    if (routing == null) {
      throw new IllegalStateException("nothing was opened");
    }
    return new ClusterBroker(routing, onClose);
  }

  boolean isLeading() {
    return replica.isLeading();
  }

  void leave() {
    replica.leave();
  }

  void closeBroker() {
    CallRouter routing = router;
    EmbeddedBroker opened = own;
    if (routing != null && opened != null) {
      routing.close();
      opened.close();
    }
  }

  @Override
  public void close() {
    raft.close();
    peers.close();
  }

  private final class Events implements NodeEvents {
    @Override
    public void leaderChanged(@Nullable Member leader) {
      CallRouter routing = router;
      if (routing != null) {
        routing.leaderChanged(leader);
      }
    }

    @Override
    public void failed(String reason) {
      throw new IllegalStateException(reason);
    }
  }

  private final class State implements ReplicatedState {
    @Override
    public Replica replica() {
      return replica;
    }

    @Override
    public LogPosition replaceWith(Path checkpoint) {
      throw new UnsupportedOperationException("rows in memory have no checkpoints");
    }
  }

  /** The broker that is open at the moment. */
  private final class Current extends VerbBroker {
    private Broker now() {
      Broker broker = own;
      if (broker == null) {
        throw new IllegalStateException("nothing was opened");
      }
      return broker;
    }

    @Override
    protected <I, O> Result<O> ask(Verb<I, O> verb, I request) {
      return verb.ask(now(), request);
    }

    @Override
    protected <I, O> AsyncResult<O> askAsync(Verb<I, O> verb, I request) {
      return verb.askAsync(now(), request);
    }

    @Override
    public void close() {}
  }

  private final class Host implements PeerHost {
    private final Broker current = new Current();

    @Override
    public Broker broker() {
      return current;
    }

    @Override
    public NodeStatus status() {
      return new NodeStatus(
          raft.state(), "test", 1, 1, isLeading(), 0, 0, 0, 0, 0, 0, 0, List.of(), true);
    }

    @Override
    public CompletableFuture<Void> change(MemberChange change) {
      return Changes.apply(raft, change);
    }

    @Override
    public LogPosition checkpoint(Path directory) {
      throw new UnsupportedOperationException("rows in memory have no checkpoints");
    }
  }
}
