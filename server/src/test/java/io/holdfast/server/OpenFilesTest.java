package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Fewer connections than files. */
class OpenFilesTest {
  private static final List<String> LIMITS =
      List.of(
          "Limit                     Soft Limit           Hard Limit           Units     ",
          "Max processes             95890                95890                processes ",
          "Max open files            4096                 8192                 files     ");

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
    assertThat(OpenFiles.max(LIMITS)).isEqualTo(4_096);
    assertThat(OpenFiles.max(List.of("Max open files            unlimited            unlimited")))
        .isEqualTo(Integer.MAX_VALUE);
    assertThat(OpenFiles.max(List.of())).isEqualTo(Integer.MAX_VALUE);
  }
}
