package io.holdfast.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.BenchDirectory;
import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.peers.Peer;
import io.holdfast.bench.peers.PeerPrograms;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamOptions;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts nats-server with JetStream. */
final class NatsServer {
  static final String USE =
      " jnats, one connection: publish (publishAsync for batches), consume from a durable"
          + " pull consumer, ack without waiting for an answer";
  static final String SYNC_ALWAYS = ", sync_interval: always";

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long PROBE_SECONDS_MAX = 10;

  private NatsServer() {}

  static @Nullable String missing() {
    return PeerPrograms.find("nats-server") == null
        ? "nats-server is not installed (apt-get install nats-server)"
        : null;
  }

  /** Why the installed version refuses a setting; null if it accepts it. */
  static @Nullable String refusal(String setting) {
    try (BenchDirectory directory =
        BenchDirectory.in(Path.of(System.getProperty("java.io.tmpdir")))) {
      Path config = configure(directory.path(), 4222, setting);
      List<String> command = new ArrayList<>(command(config));
      command.add("-t");
      ProcessBuilder test = new ProcessBuilder(command);
      try (ChildProcess probe =
          ChildProcess.start("nats-server -t", test, directory.path().resolve("probe.log"))) {
        return probe.await(PROBE_SECONDS_MAX) == 0
            ? null
            : "the installed nats-server has no sync_interval: always (2.10 and newer have)";
      }
    } catch (IOException e) {
      return "nats-server cannot be run: " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  private static List<String> command(Path config) {
    return List.of(String.valueOf(PeerPrograms.find("nats-server")), "-c", config.toString());
  }

  static Peer start(String name, Path directory, String setting)
      throws IOException, InterruptedException {
    int port = PeerPrograms.freePort();
    Path config = configure(directory, port, setting);
    ProcessBuilder program = new ProcessBuilder(command(config));
    ChildProcess server = ChildProcess.start(name, program, directory.resolve("nats-server.log"));
    Options options =
        Options.builder()
            .server("nats://127.0.0.1:" + port)
            .connectionTimeout(TIMEOUT)
            .noReconnect()
            // It would log each deletion of a stream as an error.
            .errorListener(new ErrorListener() {})
            .build();
    Connection connection = PeerPrograms.connect(server, () -> Nats.connect(options));
    JetStreamOptions patient = JetStreamOptions.builder().requestTimeout(TIMEOUT).build();
    return new NatsPeer(
        server, connection, connection.jetStream(patient), connection.jetStreamManagement(patient));
  }

  private static Path configure(Path directory, int port, String setting) throws IOException {
    String text =
        "listen: \"127.0.0.1:%d\"\njetstream { store_dir: \"%s\"%s }\n"
            .formatted(port, directory.resolve("jetstream"), setting);
    return Files.writeString(directory.resolve("nats.conf"), text, UTF_8);
  }
}
