package io.holdfast.bench.peers;

import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.cluster.ServeCluster;
import io.holdfast.bench.http.BrokerSession;
import io.holdfast.bench.http.Session;
import io.holdfast.client.remote.RemoteBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holdfast as a cluster of three nodes on this machine, through its Java client. */
final class ClusterKind implements PeerKind {
  static final String NAME = "holdfast-cluster";

  private static final int NODES = 3;

  private final List<String> serve;

  /**
   * @param serve the command that starts a server with its default settings
   */
  ClusterKind(List<String> serve) {
    this.serve = List.copyOf(serve);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String durability() {
    return "fsync on a majority";
  }

  @Override
  public String use() {
    return "three nodes of holdfast serve with default settings, asked at the leader; one client"
        + " for all threads: push, pop, settle";
  }

  @Override
  public @Nullable String missing() {
    return null;
  }

  @Override
  public Peer start(Path directory) throws IOException, InterruptedException {
    ServeCluster cluster = ServeCluster.start(serve, directory, NODES);
    int leader = cluster.awaitLeader();
    return new Running(cluster, leader, RemoteBroker.at(cluster.urls()[leader]));
  }

  private record Running(ServeCluster cluster, int leader, RemoteBroker broker) implements Peer {
    @Override
    public Session session() {
      return new BrokerSession(broker);
    }

    @Override
    public void createQueue(String queue) {
      broker.configure(ConfigureRequest.queue(queue)).orThrow();
    }

    @Override
    public void deleteQueue(String queue) {
      broker.deleteQueue(queue).orThrow();
    }

    @Override
    public long unacked(String queue) {
      Counts counts = broker.queue(queue).orThrow().counts();
      return counts.waiting() + counts.returned() + counts.inFlight();
    }

    @Override
    public ChildProcess process() {
      return cluster.process(leader);
    }

    @Override
    public void close() {
      try (cluster) {
        broker.close();
      }
    }
  }
}
