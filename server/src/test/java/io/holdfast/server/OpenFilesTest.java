package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Fewer connections than files. */
class OpenFilesTest {
  @Test
  void shouldKeepFilesFree() {
    assertThat(OpenFiles.connections(20_000, 4_096)).isEqualTo(3_096);
    assertThat(OpenFiles.connections(2_000, 4_096)).isEqualTo(2_000);
    assertThat(OpenFiles.connections(20_000, 1_024)).isEqualTo(512);
    assertThat(OpenFiles.connections(20_000, 1)).isOne();
    assertThat(OpenFiles.connections(20_000, Integer.MAX_VALUE)).isEqualTo(20_000);
  }

  @Test
  void shouldReadWhatTheSystemTells() {
    assertThat(OpenFiles.max()).isBetween(1L, Long.MAX_VALUE);
  }
}
