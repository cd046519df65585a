package io.holdfast.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.TestScale;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that is killed again and again under load keeps what it acknowledged. */
@Tag("slow")
class CrashTest {
  private static final int ROUNDS = TestScale.rounds(6, 30);
  private static final int ANSWERS_MAX = 1_000;

  @TempDir Path directory;

  @Test
  void shouldKeepWhatItAcknowledgedWhenKilled() throws Exception {
    // given
    long seed = System.nanoTime();
    CrashRounds rounds = CrashRounds.embedded(directory, ROUNDS, ANSWERS_MAX, seed, line -> {});

    // when
    CrashRounds.Summary summary = rounds.run();

    // then
    assertThat(summary.violations()).as("seed " + seed).isEmpty();
    assertThat(summary.rounds()).isEqualTo(ROUNDS);
    assertThat(summary.tally().pushes()).isPositive();
    assertThat(summary.tally().settles()).isPositive();
    assertThat(summary.tally().commits()).isPositive();
    assertThat(summary.tally().transactions()).isPositive();
    assertThat(summary.tally().extensions()).isPositive();
    assertThat(summary.leases()).isPositive();
    assertThat(summary.delays()).isPositive();
  }
}
