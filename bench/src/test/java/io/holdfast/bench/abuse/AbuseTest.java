package io.holdfast.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.bench.Latencies;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.http.Patience;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An honest client beside two hundred connections that are held by mischief. */
class AbuseTest {
  private static final int CONNECTIONS = 200;

  /** Long enough for a request of those that only rest, on a busy machine. */
  private static final Duration SHORT = Duration.ofSeconds(3);

  /**
   * Above what is hoped for, and of the median: the machine that tests may be busy with other
   * things, of which the slowest calls tell more. The bench measures those. What is compared with
   * is the slower of before and after, in case the machine has become busy meanwhile.
   */
  private static final double SLOWER_MAX = 5;

  private static final double SLOWER_MS_MAX = 100;

  @TempDir Path directory;

  @Test
  void shouldServeAnHonestClientBesideThoseThatHoldConnections() throws Exception {
    ServerConfig config =
        ServerConfig.defaults()
            .port(0)
            .patience(
                new Patience(
                    SHORT, SHORT, 1_024, SHORT, Duration.ofMinutes(5), Duration.ofMillis(100)));
    try (HoldfastServer server =
            HoldfastServer.start(
                config, EmbeddedBroker.open(EngineConfig.at(directory.resolve("data"))));
        HonestClient client = new HonestClient(server.port())) {
      // given
      client.measure(1_000);
      Latencies before = client.measure(1_000);
      Latencies attacked;
      // when
      try (Attack attack = Attack.start(server.port(), CONNECTIONS, 50)) {
        await().until(attack::isComplete);
        attacked = client.measure(2_500);
        // then
        for (Mischief kind : Mischief.values()) {
          if (kind.isCutOff()) {
            await()
                .untilAsserted(() -> assertThat(attack.cutOff(kind)).as(kind.label()).isPositive());
          } else {
            assertThat(attack.cutOff(kind)).as("it may rest").isZero();
          }
        }
      }
      Latencies after = client.measure(1_000);
      double quiet = Math.max(before.percentileMs(0.5), after.percentileMs(0.5));
      assertThat(attacked.percentileMs(0.5))
          .isLessThan(Math.max(SLOWER_MS_MAX, SLOWER_MAX * quiet));
    }
  }
}
