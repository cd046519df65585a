package io.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.TimeSource;
import io.holdfast.cluster.raft.ClusterException;
import io.holdfast.cluster.security.NodeSecurity;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.store.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterLimitsTest {
  private static final int MIB = 1 << 20;

  @Test
  void shouldNotStartWithRequestsThatDoNotFitIntoTheLog(@TempDir Path temp) {
    EngineConfig engine =
        new EngineConfig(null, Durability.FSYNC, MIB, 17L * MIB, 10, MIB, MIB, MIB, 10, 10, 10, 10);
    ClusterConfig config =
        new ClusterConfig(
            TestNodes.raft(temp, "n1", TestNodes.addresses(1)),
            NodeSecurity.none(),
            engine,
            Duration.ofSeconds(1),
            "test");

    assertThatThrownBy(
            () -> ClusterNode.start(config, TimeSource.SYSTEM, new MemoryStore(), reason -> {}))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("Set --request-max to at most 16777216.");
  }
}
