package io.holdfast.workflow.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.FlowsListener;
import io.holdfast.workflow.Orchestration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The turns of a flow go to the worker that has it in memory. */
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StickyTurnsTest {
  private static final int FLOWS = 20;
  private static final int EVENTS = 5;
  private static final Duration MOMENT = Duration.ofMillis(1);

  private static final Orchestration<Integer, Integer> SUM =
      Orchestration.named(
          "sum",
          Integer.class,
          Integer.class,
          (flow, count) -> {
            int sum = 0;
            for (int i = 0; i < count; i++) {
              sum += flow.event("more", Integer.class).await();
            }
            return sum;
          });

  /** A turn that a worker had. */
  private record Turn(String worker, String flow, boolean replayed) {}

  private final ManualClock clock = new ManualClock();
  private final EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory(), clock);
  private final List<Turn> turns = new CopyOnWriteArrayList<>();
  private final List<Flows> workers = new ArrayList<>();

  private Flows worker(String name) {
    FlowsListener listener =
        new FlowsListener() {
          @Override
          public void turn(String id, int events, long nanos, boolean replayed) {
            turns.add(new Turn(name, id, replayed));
          }
        };
    FlowsConfig config = FlowsConfig.defaults().worker(name).time(clock);
    Flows flows = Flows.on(broker, config).register(SUM).listener(listener).serve();
    workers.add(flows);
    return flows;
  }

  @AfterEach
  void close() {
    workers.forEach(Flows::close);
    broker.close();
  }

  private void awaitTurns(int count) {
    await().pollInterval(MOMENT).untilAsserted(() -> assertThat(turns).hasSize(count));
  }

  @Test
  void shouldGiveAllTurnsOfAFlowToOneWorker() {
    // given three workers that wait, and flows that each has some of
    List.of("a", "b", "c").forEach(this::worker);
    Flows flows = workers.getFirst();
    for (int flow = 0; flow < FLOWS; flow++) {
      flows.start(SUM, "f" + flow, EVENTS);
    }
    awaitTurns(FLOWS);
    // when
    for (int event = 1; event <= EVENTS; event++) {
      for (int flow = 0; flow < FLOWS; flow++) {
        flows.raise("f" + flow, "more", event);
      }
      awaitTurns(FLOWS * (event + 1));
    }
    // then
    assertThat(turns).noneMatch(Turn::replayed);
    for (int flow = 0; flow < FLOWS; flow++) {
      String id = "f" + flow;
      assertThat(turns)
          .filteredOn(turn -> turn.flow.equals(id))
          .extracting(Turn::worker)
          .hasSize(EVENTS + 1)
          .containsOnly(turns.stream().filter(t -> t.flow.equals(id)).findFirst().get().worker);
    }
  }

  @Test
  void shouldGiveTurnsOfAClosedWorkerToAnother() {
    // given
    Flows first = worker("a");
    first.start(SUM, "f", 2);
    awaitTurns(1);
    first.close();
    Flows second = worker("b");
    // when
    second.raise("f", "more", 3);
    await()
        .pollInterval(MOMENT)
        .untilAsserted(
            () -> {
              clock.advance(MOMENT);
              assertThat(turns).hasSize(2);
            });
    second.raise("f", "more", 4);
    awaitTurns(3);
    // then
    assertThat(second.await("f", SUM, WaitLimits.EVENT)).isEqualTo(7);
    assertThat(turns)
        .containsExactly(
            new Turn("a", "f", false), new Turn("b", "f", true), new Turn("b", "f", false));
  }
}
