package io.holdfast.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.bench.http.PushLoad;
import io.holdfast.bench.http.Session;
import io.holdfast.bench.peers.Peer;
import io.holdfast.bench.peers.PeerKind;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.SafeEncoder;

/** Every peer, as far as it is installed: a real server, through its client. */
@Tag("slow")
class PeerKindTest {
  private static final String QUEUE = "a-queue";
  private static final String PARTITION = "p";
  private static final int MESSAGES = 301;
  private static final int BATCH = 100;
  private static final long WAIT_MS = WaitLimits.EVENT.toMillis();

  private static final Set<PosixFilePermission> REACHABLE =
      PosixFilePermissions.fromString("rwxr-xr-x");

  @TempDir Path directory;

  static List<PeerKind> kinds() {
    return ServiceLoader.load(PeerKind.class).stream().map(ServiceLoader.Provider::get).toList();
  }

  @Test
  void shouldFindEveryPeer() {
    assertThat(kinds())
        .extracting(PeerKind::name)
        .containsExactly("redis", "nats", "nats-sync", "postgres", "rabbitmq");
  }

  @Test
  void shouldNameThePackageOfAPeerThatIsNotInstalled() {
    for (PeerKind kind : kinds()) {
      String missing = kind.missing();
      if (missing != null) {
        assertThat(missing).containsAnyOf("apt-get install", "2.10 and newer", "setpriv");
      }
    }
  }

  static Stream<Named<PeerKind>> named() {
    return kinds().stream().map(kind -> Named.of(kind.name(), kind));
  }

  /** Skips the test with the reason if a peer is not installed. */
  private Peer start(PeerKind kind) throws IOException, InterruptedException {
    String missing = kind.missing();
    assumeTrue(missing == null, () -> "Not run: " + kind.name() + ": " + missing);
    // A peer may run as a user of its own, who has to reach its directory.
    Files.setPosixFilePermissions(directory, REACHABLE);
    return kind.start(Files.createDirectory(directory.resolve("own")));
  }

  @ParameterizedTest
  @MethodSource("named")
  void shouldDeliverInOrderWhatWasPushedUntilItIsAcked(PeerKind kind) throws Exception {
    ProcessHandle server;
    try (Peer peer = start(kind)) {
      server = peer.process().handle();
      assertThat(peer.process().residentMb()).isPositive();
      // given
      List<byte[]> payloads = PushLoad.payloads(0, 0, MESSAGES);
      peer.createQueue(QUEUE);
      try (Session producer = peer.session()) {
        producer.push(QUEUE, PARTITION, payloads.subList(0, 1));
        producer.push(QUEUE, PARTITION, payloads.subList(1, MESSAGES));
      }
      assertThat(peer.unacked(QUEUE)).isEqualTo(MESSAGES);

      // when
      List<String> received = new ArrayList<>();
      try (Session consumer = peer.session()) {
        while (received.size() < MESSAGES) {
          Session.Got got = consumer.pop(QUEUE, BATCH, WAIT_MS);
          assertThat(got.messages()).hasSizeBetween(1, BATCH);
          got.messages().forEach(held -> received.add(held.text()));
          consumer.ack(got);
        }

        // then
        assertThat(consumer.pop(QUEUE, BATCH, 1).messages()).isEmpty();
      }
      assertThat(received)
          .containsExactlyElementsOf(
              payloads.stream().map(payload -> Session.Held.of("", payload).text()).toList());
      await().untilAsserted(() -> assertThat(peer.unacked(QUEUE)).isZero());
      peer.deleteQueue(QUEUE);
    }
    assertThat(server.isAlive()).isFalse();
    assertThat(Files.getPosixFilePermissions(directory)).isEqualTo(REACHABLE);
    assertThat(directory.toFile().list()).containsExactly("own");
  }

  @Test
  void shouldLetRedisSyncBeforeItAnswers() throws Exception {
    try (Peer peer = start(new RedisKind())) {
      Object setting =
          ((RedisPeer) peer)
              .client()
              .executeCommand(
                  new CommandArguments(Protocol.Command.CONFIG).add("GET").add("appendfsync"));
      assertThat(SafeEncoder.encodeObject(setting)).isEqualTo(List.of("appendfsync", "always"));
      assertThat(((RedisPeer) peer).client().info("persistence")).contains("aof_enabled:1");
    }
  }

  @Test
  void shouldLetPostgresSyncBeforeItAnswers() throws Exception {
    try (Peer peer = start(new PostgresKind());
        Statement statement = ((PostgresPeer) peer).admin().createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT current_setting('fsync'), current_setting('synchronous_commit')")) {
      assertThat(row.next()).isTrue();
      assertThat(List.of(row.getString(1), row.getString(2))).containsExactly("on", "on");
    }
  }
}
