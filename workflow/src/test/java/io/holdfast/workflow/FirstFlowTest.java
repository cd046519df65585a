package io.holdfast.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FirstFlowTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  static final Activity<Integer, Integer> TWICE =
      Activity.named("twice", Integer.class, Integer.class, n -> 2 * n);
  static final Activity<String, String> FAIL =
      Activity.named(
          "fail",
          String.class,
          String.class,
          text -> {
            throw new IllegalStateException(text);
          });
  static final Orchestration<Integer, Integer> SUM =
      Orchestration.named(
          "sum",
          Integer.class,
          Integer.class,
          (flow, n) -> {
            List<Task<Integer>> tasks =
                IntStream.range(0, n).mapToObj(i -> flow.call(TWICE, i)).toList();
            return flow.<Integer>all(tasks).await().stream().mapToInt(i -> i).sum();
          });
  static final Orchestration<Integer, Integer> PARENT =
      Orchestration.named(
          "parent",
          Integer.class,
          Integer.class,
          (flow, n) -> flow.sub(SUM, n).await() + flow.run("one", Integer.class, () -> 1));
  static final Orchestration<String, String> APPROVAL =
      Orchestration.named(
          "approval",
          String.class,
          String.class,
          (flow, text) -> {
            flow.status("waiting");
            boolean ok =
                flow.event("ok", Boolean.class)
                    .within(Duration.ofMillis(300))
                    .orElse(false)
                    .await();
            return text + ok;
          });
  static final Orchestration<Integer, Integer> LOOP =
      Orchestration.named(
          "loop",
          Integer.class,
          Integer.class,
          (flow, n) -> {
            int got = flow.event("n", Integer.class).await();
            if (got == 0) {
              return n;
            }
            return flow.continueAsNew(n + got);
          });
  static final Orchestration<String, String> FAILS =
      Orchestration.named(
          "fails", String.class, String.class, (flow, text) -> flow.call(FAIL, text).await());

  private EmbeddedBroker broker;
  private Flows flows;

  @BeforeEach
  void open() {
    broker = EmbeddedBroker.open(EngineConfig.inMemory());
    flows = Flows.on(broker).register(TWICE, FAIL, SUM, PARENT, APPROVAL, LOOP, FAILS).serve();
  }

  @AfterEach
  void close() {
    flows.close();
    broker.close();
  }

  @Test
  void shouldFanOutAndIn() {
    assertThat(flows.start(SUM, "a", 5)).isTrue();
    assertThat(flows.start(SUM, "a", 5)).isFalse();
    assertThatThrownBy(() -> flows.start(SUM, "a", 6)).isInstanceOf(FlowException.class);
    assertThat(flows.await("a", SUM, SOON)).isEqualTo(20);
  }

  @Test
  void shouldRunSubFlows() {
    flows.start(PARENT, "p", 4);
    assertThat(flows.await("p", PARENT, SOON)).isEqualTo(13);
  }

  @Test
  void shouldWaitForEvents() {
    flows.start(APPROVAL, "no", "x");
    assertThat(flows.await("no", APPROVAL, SOON)).isEqualTo("xfalse");
    flows.raise("yes", "ok", true);
    flows.start(APPROVAL, "yes", "x");
    assertThat(flows.await("yes", APPROVAL, SOON)).isEqualTo("xtrue");
  }

  @Test
  void shouldContinueAsNew() {
    flows.start(LOOP, "l", 0);
    for (int i = 1; i <= 10; i++) {
      flows.raise("l", "n", i);
    }
    flows.raise("l", "n", 0);
    assertThat(flows.await("l", LOOP, SOON)).isEqualTo(55);
  }

  @Test
  void shouldFail() {
    flows.start(FAILS, "f", "boom");
    assertThatThrownBy(() -> flows.await("f", FAILS, SOON)).hasMessageContaining("boom");
  }

  @Test
  void shouldFanOutWide() {
    flows.start(SUM, "w", 3000);
    assertThat(flows.await("w", SUM, SOON)).isEqualTo(2999 * 3000);
  }
}
