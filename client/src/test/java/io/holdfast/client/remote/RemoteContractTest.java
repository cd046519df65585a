package io.holdfast.client.remote;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.seal.Keys;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.testkit.BrokerContract;
import io.holdfast.testkit.ManualClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/**
 * The contract of brokers, kept by one that is asked over HTTP. The engine behind it has its rows
 * in memory: {@code EmbeddedBrokerTest} holds the contract on a data directory.
 */
@Tag("slow")
class RemoteContractTest extends BrokerContract {
  private static final Keys KEYS = Keys.of(new byte[32]);

  private MemoryStore rows = new MemoryStore();
  private @Nullable ManualClock clock;
  private @Nullable Broker served;

  @Override
  protected Broker start(ManualClock time) {
    clock = time;
    rows = new MemoryStore();
    return serve(time);
  }

  @Override
  protected Broker restart() {
    if (served == null || clock == null) {
      throw new IllegalStateException("nothing was started");
    }
    served.close();
    rows = rows.reopen();
    return serve(clock);
  }

  private Broker serve(ManualClock time) {
    Broker engine = EmbeddedBroker.open(EngineConfig.inMemory().keys(KEYS), time, rows);
    Broker remote = serve(engine, time);
    served = remote;
    return remote;
  }

  /** Serves an engine, and returns a client that closes both. */
  Broker serve(Broker engine, ManualClock time) {
    HoldfastServer server = HoldfastServer.start(ServerConfig.defaults().port(0), engine, time);
    return new Served(address(server.port()).frames(false), server::close);
  }

  static RemoteConfig address(int port) {
    return RemoteConfig.of("http://127.0.0.1:" + port);
  }

  /** A remote broker that takes its server with it. */
  static final class Served extends ForwardingBroker {
    private final Runnable closer;

    Served(RemoteConfig config, Runnable closer) {
      super(RemoteBroker.at(config));
      this.closer = closer;
    }

    @Override
    public void close() {
      super.close();
      closer.run();
    }
  }
}
