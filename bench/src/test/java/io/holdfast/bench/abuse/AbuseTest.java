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
  private static final Duration SHORT = Duration.ofSeconds(1);

  /**
   * Above what is hoped for, and of the median: the machine that tests may be busy with other
   * things, of which the slowest calls tell more. The bench measures those.
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
      Latencies quiet = client.measure(1_000);
      // when
      try (Attack attack = Attack.start(server.port(), CONNECTIONS, 50)) {
        await().atMost(Duration.ofSeconds(60)).until(attack::isComplete);
        Latencies attacked = client.measure(2_500);
        // then
        double before = quiet.percentileMs(0.5);
        double beside = attacked.percentileMs(0.5);
        assertThat(beside).isLessThan(Math.max(SLOWER_MS_MAX, SLOWER_MAX * before));
        for (Mischief kind : Mischief.values()) {
          if (kind.isCutOff()) {
            await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(attack.cutOff(kind)).as(kind.label()).isPositive());
          } else {
            assertThat(attack.cutOff(kind)).as("it may rest").isZero();
          }
        }
      }
    }
  }
}
