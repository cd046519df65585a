package io.holdfast.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.WaitLimits;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FlowMetersTest {
  private static final Duration SOON = WaitLimits.EVENT;
  private static final Activity<String, String> BROKEN =
      Activity.named(
          "broken",
          String.class,
          String.class,
          text -> {
            throw new IllegalStateException(text);
          });
  private static final Activity<String, String> SLOW =
      Activity.named(
          "slow",
          String.class,
          String.class,
          text -> {
            Thread.sleep(Duration.ofHours(1));
            return text;
          });
  private static final Activity<String, String> GOOD =
      Activity.named("good", String.class, String.class, text -> text);
  private static final Orchestration<String, String> GOES =
      Orchestration.named(
          "goes", String.class, String.class, (flow, text) -> flow.call(GOOD, text).await());
  private static final Orchestration<String, String> FAILS =
      Orchestration.named(
          "fails",
          String.class,
          String.class,
          (flow, text) ->
              flow.call(BROKEN, text, Retry.times(2).every(Duration.ofMillis(1))).await());
  private static final Orchestration<String, String> WAITS =
      Orchestration.named(
          "waits", String.class, String.class, (flow, text) -> flow.call(SLOW, text).await());

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private double count(String name, String... tags) {
    Counter counter = meters.find("holdfast.flow." + name).tags(tags).counter();
    return counter == null ? 0 : counter.count();
  }

  private long timed(String name, String... tags) {
    Timer timer = meters.find("holdfast.flow." + name).tags(tags).timer();
    return timer == null ? 0 : timer.count();
  }

  @Test
  void shouldCountWhatHappensToFlows() throws IOException {
    try (EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory());
        Flows flows = Flows.on(broker).register(BROKEN, SLOW, GOOD, GOES, FAILS, WAITS)) {
      // given
      flows.listener(new FlowMeters(meters).of(flows)).serve();
      // when
      flows.start(GOES, "g", "x");
      flows.start(FAILS, "f", "x");
      flows.start(WAITS, "w", "x");
      flows.awaitEnd("g", SOON);
      flows.awaitEnd("f", SOON);
      await().atMost(SOON).until(() -> meters.get("holdfast.flow.kept").gauge().value() == 1);
      flows.cancel("w", "enough");
      flows.awaitEnd("w", SOON);
      // then: each is counted after what it counts was stored
      await().untilAsserted(this::everythingIsCounted);
      new FlowMeters(meters).blocked("b", "goes", "why");
      new FlowMeters(meters).activityCancelled("w", "slow");
      assertThat(count("blocked", "flow", "goes")).isEqualTo(1);
      assertThat(count("activity.cancelled", "activity", "slow")).isGreaterThanOrEqualTo(1);
      everyMeterIsInTheDocs();
    }
  }

  private void everythingIsCounted() {
    assertThat(count("started", "flow", "goes")).isEqualTo(1);
    assertThat(count("ended", "flow", "goes", "status", "completed")).isEqualTo(1);
    assertThat(count("ended", "flow", "fails", "status", "failed")).isEqualTo(1);
    assertThat(count("ended", "flow", "waits", "status", "cancelled")).isEqualTo(1);
    assertThat(count("activity.failed", "activity", "broken", "end", "retry")).isEqualTo(1);
    assertThat(count("activity.failed", "activity", "broken", "end", "failure")).isEqualTo(1);
    assertThat(timed("activity", "activity", "good")).isEqualTo(1);
    assertThat(timed("turns", "replayed", "false")).isGreaterThanOrEqualTo(5);
    assertThat(count("events")).isGreaterThanOrEqualTo(10);
  }

  private void everyMeterIsInTheDocs() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "operations.md"));
    for (Meter meter : meters.getMeters()) {
      assertThat(page).contains("`" + meter.getId().getName() + "`");
    }
  }
}
