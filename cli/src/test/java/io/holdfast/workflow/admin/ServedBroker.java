package io.holdfast.workflow.admin;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;

/** A broker that is asked over HTTP, and takes its server with it. */
final class ServedBroker extends ForwardingBroker {
  private final HoldfastServer server;

  private ServedBroker(HoldfastServer server) {
    super(RemoteBroker.at("http://127.0.0.1:" + server.port()));
    this.server = server;
  }

  static Broker start() {
    return new ServedBroker(
        HoldfastServer.start(
            ServerConfig.defaults().port(0), EmbeddedBroker.open(EngineConfig.inMemory())));
  }

  @Override
  public void close() {
    super.close();
    server.close();
  }
}
