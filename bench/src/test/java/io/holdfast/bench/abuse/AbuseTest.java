package io.holdfast.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.http.Patience;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An honest client beside two hundred connections that are held by abusive ones. How much slower it
 * becomes is measured by {@code ./holdfast bench abuse}.
 */
@Tag("slow")
class AbuseTest {
  private static final int CONNECTIONS = 200;
  private static final int HONEST_ROUNDS = 100;
  private static final long TURN_MS = 50;

  /** Long enough for a request of a connection that only rests, on a busy machine. */
  private static final Duration SHORT = Duration.ofSeconds(3);

  private static final Duration LONG = Duration.ofMinutes(30);

  @TempDir Path directory;

  private HoldfastServer serve(Duration patience) {
    ServerConfig config =
        ServerConfig.defaults()
            .port(0)
            .patience(
                new Patience(patience, patience, 1_024, patience, LONG, Duration.ofMillis(100)));
    return HoldfastServer.start(
        config, EmbeddedBroker.open(EngineConfig.at(directory.resolve("data"))));
  }

  @Test
  void shouldAnswerAnHonestClientWhileOthersHoldTheirConnections() {
    try (HoldfastServer server = serve(LONG);
        HonestClient client = new HonestClient(server.port());
        Attack attack = Attack.start(server.port(), CONNECTIONS, TURN_MS)) {
      // given
      await().until(attack::isComplete);
      // when
      for (int i = 0; i < HONEST_ROUNDS; i++) {
        client.round();
      }
      // then: it did not have to wait until others were cut off
      for (Mischief kind : Mischief.values()) {
        assertThat(attack.cutOff(kind)).as(kind.label()).isZero();
      }
    }
  }

  @Test
  void shouldCutOffOnlyConnectionsThatKeepTheServerWaiting() {
    try (HoldfastServer server = serve(SHORT);
        Attack attack = Attack.start(server.port(), CONNECTIONS, TURN_MS)) {
      await().until(attack::isComplete);
      for (Mischief kind : Mischief.values()) {
        if (kind.isCutOff()) {
          await()
              .untilAsserted(() -> assertThat(attack.cutOff(kind)).as(kind.label()).isPositive());
        } else {
          assertThat(attack.cutOff(kind)).as(kind.label() + " may rest").isZero();
        }
      }
    }
  }
}
