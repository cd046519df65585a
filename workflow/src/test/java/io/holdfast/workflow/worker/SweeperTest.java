package io.holdfast.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.Orchestration;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SweeperTest {
  private static final Duration SOON = WaitLimits.EVENT;
  private static final Orchestration<String, String> ECHO =
      Orchestration.named("echo", String.class, String.class, (flow, text) -> text);

  @Test
  void shouldDeleteWhatEndedLongAgoWhileAWorkerServes() {
    // given
    ManualClock clock = new ManualClock();
    FlowsConfig config = FlowsConfig.defaults().retention(Duration.ofDays(1), 5).time(clock);
    try (EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory(), clock);
        Flows flows = Flows.on(broker, config).register(ECHO)) {
      flows.serve();
      flows.start(ECHO, "old", "x");
      await().atMost(SOON).until(() -> flows.find("old").orElseThrow().status().isEnded());
      // when: not yet
      clock.advance(Duration.ofHours(23));
      flows.start(ECHO, "new", "x");
      await().atMost(SOON).until(() -> flows.find("new").orElseThrow().status().isEnded());
      assertThat(flows.find("old")).isPresent();
      // when
      clock.advance(Duration.ofHours(2));
      // then: a sweep that was going on sets the next one from when it ends
      await()
          .atMost(SOON)
          .until(
              () -> {
                clock.advance(Duration.ofMinutes(1));
                return flows.find("old").isEmpty();
              });
      assertThat(flows.find("new")).isPresent();
    }
  }
}
