package io.holdfast.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.EngineConfig;
import io.holdfast.server.ServerConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What is lowered where memory is small, and what is not. */
class HeapShareTest {
  private static final long MIB = 1 << 20;
  private static final EngineConfig ENGINE = EngineConfig.at(Path.of("data"));
  private static final ServerConfig SERVER = ServerConfig.defaults();

  @Test
  void shouldLowerTheDefaultsOnly() {
    HeapLimits small = new HeapLimits(96 * MIB);
    assertThat(small.partitions(ENGINE.partitionsMax())).isEqualTo(32 * 1_024);
    assertThat(small.mailboxBytes(ENGINE.mailboxBytesMax())).isEqualTo(6 * MIB);
    assertThat(small.tailCacheBytes(ENGINE.tailCacheBytes())).isEqualTo(3 * MIB);
    assertThat(small.bodyBytes(SERVER.bodyBytesMax())).isEqualTo((int) (6 * MIB));
    assertThat(small.partitions(1_000_000)).isEqualTo(1_000_000);
  }

  @Test
  void shouldLeaveThemWhereThereIsMemory() {
    HeapLimits large = new HeapLimits(64 * 1_024 * MIB);
    assertThat(large.partitions(ENGINE.partitionsMax())).isEqualTo(ENGINE.partitionsMax());
    assertThat(large.mailboxBytes(ENGINE.mailboxBytesMax())).isEqualTo(ENGINE.mailboxBytesMax());
    assertThat(large.tailCacheBytes(ENGINE.tailCacheBytes())).isEqualTo(ENGINE.tailCacheBytes());
    assertThat(large.bodyBytes(SERVER.bodyBytesMax())).isEqualTo(SERVER.bodyBytesMax());
  }
}
