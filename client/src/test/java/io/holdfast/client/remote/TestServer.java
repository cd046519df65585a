package io.holdfast.client.remote;

import io.holdfast.api.Broker;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;

/** A server of a broker, which is closed with it. */
public record TestServer(int port, Runnable closer) implements AutoCloseable {
  static TestServer of(Broker broker) {
    HoldfastServer server = HoldfastServer.start(ServerConfig.defaults().port(0), broker);
    return new TestServer(server.port(), server::close);
  }

  @Override
  public void close() {
    closer.run();
  }
}
