package io.holdfast.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.peers.Peer;
import io.holdfast.bench.peers.PeerKind;
import io.holdfast.bench.peers.PeerPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A quorum queue of a single RabbitMQ node. */
public final class RabbitKind implements PeerKind {
  /** Before the PATH, where Debian has a script that changes the user and writes to /var. */
  private static final String DEBIAN = "/usr/lib/rabbitmq/bin";

  @Override
  public String name() {
    return "rabbitmq";
  }

  @Override
  public String durability() {
    return "fsync";
  }

  @Override
  public String use() {
    return "rabbitmq-server, one node, quorum queue; amqp-client, one connection, a channel for each"
        + " thread: persistent messages with publisher confirms, prefetch of 200, one ack for a"
        + " batch without waiting for an answer";
  }

  @Override
  public @Nullable String missing() {
    if (PeerPrograms.find("rabbitmq-server", DEBIAN) == null) {
      return "rabbitmq-server is not installed (apt-get install rabbitmq-server)";
    }
    return PeerPrograms.find("epmd") == null
        ? "epmd is not on the PATH (apt-get install erlang-base)"
        : null;
  }

  @Override
  public Peer start(Path directory) throws IOException, InterruptedException {
    int names = PeerPrograms.freePort();
    ProcessBuilder epmd =
        new ProcessBuilder(
            String.valueOf(PeerPrograms.find("epmd")),
            "-port",
            Integer.toString(names),
            "-address",
            "127.0.0.1");
    // Otherwise the node starts one that outlives it.
    ChildProcess nameServer =
        ChildProcess.start("epmd", epmd, Files.createFile(directory.resolve("epmd.log")));
    try {
      int port = PeerPrograms.freePort();
      ChildProcess server = startNode(directory, port, names);
      ConnectionFactory factory = new ConnectionFactory();
      factory.setHost("127.0.0.1");
      factory.setPort(port);
      factory.setAutomaticRecoveryEnabled(false);
      Connection connection = PeerPrograms.connect(server, factory::newConnection);
      return new RabbitPeer(server, nameServer, connection);
    } catch (IOException | InterruptedException | RuntimeException failed) {
      nameServer.close();
      throw failed;
    }
  }

  private ChildProcess startNode(Path directory, int port, int names) throws IOException {
    Path config =
        Files.writeString(
            directory.resolve("rabbitmq.conf"),
            "listeners.tcp.1 = 127.0.0.1:" + port + "\n",
            UTF_8);
    Path plugins = Files.writeString(directory.resolve("plugins"), "[].\n", UTF_8);
    ProcessBuilder program =
        new ProcessBuilder(String.valueOf(PeerPrograms.find("rabbitmq-server", DEBIAN)))
            .directory(directory.toFile());
    program
        .environment()
        .putAll(
            Map.of(
                "HOME", directory.toString(),
                "RABBITMQ_NODENAME", "bench" + port + "@localhost",
                "RABBITMQ_DIST_PORT", Integer.toString(PeerPrograms.freePort()),
                "RABBITMQ_MNESIA_BASE", directory.resolve("mnesia").toString(),
                "RABBITMQ_LOG_BASE", directory.resolve("log").toString(),
                "RABBITMQ_CONF_ENV_FILE", directory.resolve("none.conf").toString(),
                "RABBITMQ_CONFIG_FILE", config.toString(),
                "RABBITMQ_ENABLED_PLUGINS_FILE", plugins.toString(),
                "ERL_EPMD_PORT", Integer.toString(names),
                "ERL_EPMD_ADDRESS", "127.0.0.1"));
    return ChildProcess.start(name(), program, directory.resolve("rabbitmq-server.log"));
  }
}
