package io.holdfast.workflow.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.workflow.Flow;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Flows that are deleted while a worker is in the middle of one of their turns. */
class DeletionInTurnTest extends AdminFixture {
  private final List<String> done = new CopyOnWriteArrayList<>();
  private final Map<String, Runnable> during = new ConcurrentHashMap<>();
  private final AtomicInteger refused = new AtomicInteger();

  private final Orchestration<String, String> steps =
      Orchestration.named(
          "steps",
          String.class,
          String.class,
          (flow, text) ->
              step(flow, text, "one")
                  + ", "
                  + step(flow, text, "two")
                  + ", "
                  + step(flow, text, "three"));
  private final Orchestration<String, String> parent =
      Orchestration.named(
          "parent-of-steps",
          String.class,
          String.class,
          (flow, child) -> flow.sub(steps, child, "x").await());

  private Flows serving;

  private String step(Flow flow, String text, String name) {
    return flow.run(
        name,
        String.class,
        () -> {
          String what = text + " " + name;
          done.add(what);
          during.getOrDefault(what, () -> {}).run();
          return what;
        });
  }

  @BeforeEach
  void serve() {
    flows.close();
    ForwardingBroker counting =
        new ForwardingBroker(broker) {
          @Override
          public Result<Committed> commit(CommitRequest request) {
            Result<Committed> result = super.commit(request);
            if (!result.isOk()) {
              refused.incrementAndGet();
            }
            return result;
          }
        };
    serving = Flows.on(counting).register(steps, parent).serve();
  }

  private void awaitDone(String what) {
    await().atMost(SOON).until(() -> done.contains(what));
  }

  private void awaitDeleted(String id) {
    await().atMost(SOON).until(() -> admin.find(id).isEmpty());
  }

  private static void pass(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void shouldNotBringBackAFlowThatWasDeletedInItsFirstStep() {
    // given
    during.put("x one", () -> admin.delete("s", DeleteOptions.FORCED));
    // when
    serving.start(steps, "s", "x");
    awaitDone("x one");
    awaitDeleted("s");
    serving.close();
    // then
    assertThat(done).containsExactly("x one");
    assertThat(broker.records(new RecordsRequest("flows/", null, 100)).orThrow().items()).isEmpty();
    assertThat(broker.left("flows/")).isEmpty();
  }

  @Test
  void shouldNotMixAFlowWithOneThatWasStartedAnew() {
    // given
    CountDownLatch gate = new CountDownLatch(1);
    during.put("new two", () -> pass(gate));
    during.put(
        "old two",
        () -> {
          admin.delete("s", DeleteOptions.FORCED);
          serving.start(steps, "s", "new");
          awaitDone("new two");
        });
    // when
    serving.start(steps, "s", "old");
    awaitDone("new two");
    await().atMost(SOON).until(() -> refused.get() > 0);
    gate.countDown();
    // then
    assertThat(serving.await("s", steps, SOON)).isEqualTo("new one, new two, new three");
    serving.close();
    assertThat(done).doesNotContain("old three");
  }

  @Test
  void shouldNotLetAChildBeBornWhoseParentWasDeleted() {
    // given
    during.put("x one", () -> admin.delete("p", DeleteOptions.FORCED));
    // when
    serving.start(parent, "p", "child");
    awaitDone("x one");
    awaitDeleted("p");
    serving.close();
    // then
    assertThat(done).containsExactly("x one");
    assertThat(admin.find("p")).isEmpty();
    assertThat(admin.find("child")).isEmpty();
  }
}
