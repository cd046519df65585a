package io.holdfast.bench.flows.provider;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.testkit.ManualClock;
import org.junit.jupiter.api.Tag;

/** The rules, kept by a broker that is asked over HTTP. */
@Tag("slow")
class RemoteProviderTest extends ProviderContract {
  @Override
  Broker start(ManualClock clock) {
    Broker engine = EmbeddedBroker.open(EngineConfig.inMemory(), clock);
    return new Served(HoldfastServer.start(ServerConfig.defaults().port(0), engine, clock));
  }

  /** A remote broker that takes its server with it. */
  private static final class Served extends ForwardingBroker {
    private final HoldfastServer server;

    Served(HoldfastServer server) {
      super(RemoteBroker.at("http://127.0.0.1:" + server.port()));
      this.server = server;
    }

    @Override
    public void close() {
      super.close();
      server.close();
    }
  }
}
