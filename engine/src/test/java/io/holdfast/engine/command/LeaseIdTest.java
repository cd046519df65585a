package io.holdfast.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseIdTest {
  @Test
  void shouldReadWhatItWrites() {
    Random random = new Random(3);
    for (int i = 0; i < 10_000; i++) {
      long lease = random.nextLong();
      assertThat(LeaseId.number(LeaseId.text(lease))).isEqualTo(lease);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "AAAAAAAAAA",
        "AAAAAAAAAAAA",
        "AAAAAAAAAAB",
        "AAAAAAAAAA+",
        "AAAA/AAAAAA",
        "AAAAAAAAAA=",
        "AAAA AAAAAA",
        "AAAAAAAAAA\u00e4",
        "\u4e2dAAAAAAAAAA"
      })
  void shouldTakeNothingElseForALease(String text) {
    assertThat(LeaseId.number(text)).isEqualTo(LeaseId.NONE);
  }
}
