package io.holdfast.bench.peers;

import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.http.BrokerSession;
import io.holdfast.bench.http.ServeProcess;
import io.holdfast.bench.http.Session;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Holdfast itself: {@code holdfast serve}, through its Java client. */
final class HoldfastKind implements PeerKind {
  static final String NAME = "holdfast";

  private final List<String> serve;
  private final Durability durability;

  /**
   * @param serve the command that starts a server with its default settings
   */
  HoldfastKind(List<String> serve, Durability durability) {
    this.serve = List.copyOf(serve);
    this.durability = durability;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String durability() {
    return durability.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String use() {
    return "holdfast serve with default settings; one client for all threads: push, pop, settle";
  }

  @Override
  public @Nullable String missing() {
    return null;
  }

  @Override
  public Peer start(Path directory) throws IOException, InterruptedException {
    ServeProcess server = ServeProcess.start(serve, directory, durability);
    return new Running(server, RemoteBroker.at(server.url()));
  }

  private record Running(ServeProcess server, RemoteBroker broker) implements Peer {
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
      return server.process();
    }

    @Override
    public void close() {
      try (server) {
        broker.close();
      }
    }
  }
}
