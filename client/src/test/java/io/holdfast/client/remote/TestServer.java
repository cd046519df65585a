package io.holdfast.client.remote;

import io.holdfast.api.Broker;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import java.io.IOException;

/** A server of a broker, which is closed with it. */
public record TestServer(int port, Runnable closer) implements AutoCloseable {
  static TestServer overHttp(Broker broker) {
    HoldfastServer server = HoldfastServer.start(ServerConfig.defaults().port(0), broker);
    return new TestServer(server.port(), server::close);
  }

  static TestServer overFrames(Broker broker) throws IOException {
    FrameServer server = new FrameServer(broker);
    return new TestServer(
        server.port(),
        () -> {
          server.close();
          broker.close();
        });
  }

  @Override
  public void close() {
    closer.run();
  }
}
