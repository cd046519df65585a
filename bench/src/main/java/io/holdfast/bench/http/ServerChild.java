package io.holdfast.bench.http;

import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The program that is measured or killed: a server on a data directory, on a port or any free one.
 */
final class ServerChild {
  /** Before the number of the port, on standard output. */
  static final String PORT = "PORT ";

  private ServerChild() {}

  /**
   * Takes the data directory, the durability and the port, 0 for any; ends when its standard input
   * does.
   */
  public static void main(String[] args) throws IOException {
    EmbeddedBroker broker =
        EmbeddedBroker.open(
            EngineConfig.at(Path.of(args[0])).durability(Durability.valueOf(args[1])));
    HoldfastServer server =
        HoldfastServer.start(ServerConfig.defaults().port(Integer.parseInt(args[2])), broker);
    System.out.println(PORT + server.port());
    System.out.flush();
    while (System.in.read() >= 0) {
      // The parent lives.
    }
    server.close();
    System.exit(0);
  }
}
