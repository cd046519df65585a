package io.holdfast.cluster.raft;

import static org.awaitility.Awaitility.await;

import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.cluster.security.NodeSecurity;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.Replica;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.Store;
import io.holdfast.testkit.SteadyPort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.ratis.thirdparty.io.grpc.BindableService;
import org.jspecify.annotations.Nullable;

/**
 * Nodes in this process, on loopback, each with a log and a broker. They ask each other for their
 * state and copy checkpoints within the process.
 */
final class TestNodes implements AutoCloseable {
  static final RaftTimes QUICK =
      new RaftTimes(Duration.ofMillis(300), Duration.ofMillis(600), Duration.ofSeconds(30));

  /** A leader leads on while the machine is busy with other work. */
  static final RaftTimes STEADY =
      new RaftTimes(Duration.ofSeconds(2), Duration.ofSeconds(4), QUICK.flushEvery());

  /** Small files, of which hardly any are kept. */
  static final LogLimits SMALL = new LogLimits(16 << 10, 1 << 20, 32 << 10, 20, Duration.ofDays(1));

  private final Path directory;
  private final List<NodeAddress> addresses = new ArrayList<>();
  private final Map<String, Running> running = new ConcurrentSkipListMap<>();
  private final AtomicInteger copies = new AtomicInteger();

  RaftTimes times = QUICK;
  LogLimits limits = LogLimits.SERVER;
  boolean inMemory;

  /** A node that was started. */
  final class Running implements NodeEvents {
    final String name;
    final RaftNode node;
    final EmbeddedBroker broker;
    volatile boolean mayLead = true;
    volatile @Nullable String failure;

    Running(String name, RaftNode node, EmbeddedBroker broker) {
      this.name = name;
      this.node = node;
      this.broker = broker;
    }

    @Override
    public void failed(String reason) {
      failure = reason;
    }

    boolean isLeading() {
      return broker.replica().isLeading();
    }

    LogPosition applied() {
      return broker.replica().applied();
    }

    Result<Pushed> push(String payload) {
      return broker.push(
          PushRequest.of(NewMessage.to("q", payload.getBytes(StandardCharsets.UTF_8))));
    }

    long stored() {
      return broker.queue("q").orThrow().counts().stored();
    }

    void close() {
      running.remove(name);
      node.close();
      broker.close();
    }
  }

  TestNodes(Path directory, int count) {
    this.directory = directory;
    IntStream.rangeClosed(1, count).forEach(i -> name("n" + i));
  }

  /** Nodes that have run before at these addresses. */
  TestNodes(Path directory, List<NodeAddress> known) {
    this.directory = directory;
    addresses.addAll(known);
  }

  List<NodeAddress> addresses() {
    return List.copyOf(addresses);
  }

  /** Names another node. */
  NodeAddress name(String name) {
    NodeAddress address = new NodeAddress(name, "127.0.0.1:" + SteadyPort.find());
    addresses.add(address);
    return address;
  }

  Path directory(String name) {
    return directory.resolve(name);
  }

  RaftConfig config(String name) {
    return new RaftConfig(
        name,
        directory(name),
        addresses,
        "127.0.0.1",
        "http://" + name + ".example:6632",
        false,
        false,
        times,
        limits);
  }

  Running start(String name) {
    return start(config(name), List.of(), NodeSecurity.none());
  }

  Running start(RaftConfig config, List<BindableService> services, NodeSecurity security) {
    RaftNode node = RaftNode.open(config, security);
    Store store = inMemory ? new MemoryStore() : null;
    EmbeddedBroker broker =
        EmbeddedBroker.openReplica(
            inMemory ? EngineConfig.inMemory() : EngineConfig.at(config.dataDirectory()),
            TimeSource.SYSTEM,
            store,
            node);
    Running started = new Running(config.name(), node, broker);
    running.put(config.name(), started);
    try {
      node.start(
          new NodeParts(
              stateOf(broker),
              services,
              this::ask,
              leader -> fetch(config.name(), leader),
              () -> started.mayLead,
              started));
    } catch (RuntimeException refused) {
      started.close();
      throw refused;
    }
    return started;
  }

  private static ReplicatedState stateOf(EmbeddedBroker broker) {
    return new ReplicatedState() {
      @Override
      public Replica replica() {
        return broker.replica();
      }

      @Override
      public LogPosition replaceWith(Path checkpoint) {
        return broker.replaceWith(checkpoint);
      }
    };
  }

  List<Running> startAll() {
    return addresses.stream().map(address -> start(address.name())).toList();
  }

  private NodeState ask(String address) throws IOException {
    for (Running node : List.copyOf(running.values())) {
      if (node.node.self().address().equals(address)) {
        return node.node.state();
      }
    }
    throw new IOException("no answer");
  }

  /** How many checkpoints were copied. */
  int copies() {
    return copies.get();
  }

  private Path fetch(String to, Member leader) {
    Path copy = directory(to).resolve("fetched-" + copies.incrementAndGet());
    get(leader.name()).broker.checkpoint(copy);
    return copy;
  }

  Running get(String name) {
    Running node = running.get(name);
    if (node == null) {
      throw new IllegalStateException(name + " does not run");
    }
    return node;
  }

  List<Running> all() {
    return List.copyOf(running.values());
  }

  /** Waits until a node leads and takes calls. */
  Running awaitLeader() {
    Running now = leader();
    return now != null ? now : await().until(this::leader, leader -> leader != null);
  }

  private @Nullable Running leader() {
    return running.values().stream()
        .filter(Running::isLeading)
        .max(Comparator.comparingLong(node -> node.node.status().term()))
        .orElse(null);
  }

  List<Running> followers() {
    Running leader = awaitLeader();
    return all().stream().filter(node -> node != leader).toList();
  }

  /** Waits until all nodes have applied the same entries. */
  void awaitEqual() {
    await().until(() -> all().stream().map(Running::applied).distinct().count() == 1);
  }

  @Override
  public void close() {
    all().parallelStream().forEach(Running::close);
  }
}
