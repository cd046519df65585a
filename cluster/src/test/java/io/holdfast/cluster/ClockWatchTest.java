package io.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.TimeSource;
import io.holdfast.testkit.ManualClock;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
  private final ClockWatch watch = new ClockWatch();
  private final ManualClock own = new ManualClock();
  private final TimeSource corrected = watch.corrected(own);

  @Test
  void shouldSetAClockToTheTimeOfMostNodes() {
    // when: this clock is 50 s ahead of two others
    watch.compare(List.of(-50_000L, -50_010L), 3);

    // then
    assertThat(corrected.wallMs()).isEqualTo(own.wallMs() - 50_000);
    assertThat(watch.mayLead()).isTrue();
  }

  @Test
  void shouldNotCorrectAClockThatMostAgreeWithOrThatDiffersLittle() {
    watch.compare(List.of(0L, 50_000L), 3);
    assertThat(corrected.wallMs()).isEqualTo(own.wallMs());
    watch.compare(List.of(300L, 400L), 3);
    assertThat(corrected.wallMs()).isEqualTo(own.wallMs());
  }

  @Test
  void shouldNotLeadWithAClockThatDiffersByAMinute() {
    watch.compare(List.of(60_000L, 61_000L), 3);
    assertThat(watch.mayLead()).isFalse();
  }

  @Test
  void shouldKnowNothingWithoutAMajority() {
    watch.compare(List.of(60_000L), 5);
    assertThat(watch.mayLead()).isTrue();
    assertThat(corrected.wallMs()).isEqualTo(own.wallMs());
  }
}
