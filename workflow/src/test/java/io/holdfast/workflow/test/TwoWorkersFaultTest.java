package io.holdfast.workflow.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.admin.DeleteOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers whose memory of a flow is stale do nothing that its history does not call for. */
@Tag("slow")
@Timeout(WaitLimits.TEST_SECONDS)
class TwoWorkersFaultTest {
  private static final int ORDERS = 5;

  private final List<String> done = new CopyOnWriteArrayList<>();

  /** Writes an invoice for each order, and numbers them. */
  private final Orchestration<Integer, Integer> invoices =
      Orchestration.named(
          "invoices",
          Integer.class,
          Integer.class,
          (flow, count) -> {
            for (int i = 1; i <= count; i++) {
              String invoice = "invoice #" + i;
              flow.event("order", Integer.class).await();
              flow.run(invoice, () -> done.add(invoice));
            }
            return count;
          });

  private final Orchestration<String, String> greeting =
      Orchestration.named(
          "greeting",
          String.class,
          String.class,
          (flow, name) -> {
            flow.run("greet", () -> done.add("greet " + name));
            return name;
          });

  private final Orchestration<String, String> reply =
      Orchestration.named(
          "reply",
          String.class,
          String.class,
          (flow, name) -> {
            String answer = flow.event("answer", String.class).await();
            UUID uuid = flow.uuid();
            flow.run("send", () -> done.add(name + " " + answer + " " + uuid));
            return name + " " + answer;
          });

  @Test
  void shouldRunEachStepOnce() {
    FlowTest.with(invoices)
        .twoWorkers()
        .run(
            test -> {
              done.clear();
              List<String> expected = new ArrayList<>();
              test.start(invoices, "i", ORDERS);
              for (int i = 1; i <= ORDERS; i++) {
                test.settle();
                test.raise("i", "order", i);
                expected.add("invoice #" + i);
              }
              assertThat(test.await("i", invoices)).isEqualTo(ORDERS);
              assertThat(done).isEqualTo(expected);
            });
  }

  @Test
  void shouldNotRunAStepForARepeatedStart() {
    FlowTest.with(greeting)
        .twoWorkers()
        .run(
            test -> {
              done.clear();
              test.start(greeting, "g", "Ada");
              test.await("g", greeting);
              test.broker()
                  .commit(
                      new CommitRequest(List.of(test.flows().starting(greeting, "g", "Ada")), null))
                  .orThrow();
              test.settle();
              assertThat(done).containsExactly("greet Ada");
            });
  }

  @Test
  void shouldNotMixTwoLivesOfAFlow() {
    FlowTest.with(reply)
        .twoWorkers()
        .run(
            test -> {
              done.clear();
              test.start(reply, "r", "Ada");
              test.settle();
              test.flows().admin().delete("r", DeleteOptions.FORCED);
              test.start(reply, "r", "Grace");
              test.settle();
              test.raise("r", "answer", "yes");
              assertThat(test.await("r", reply)).isEqualTo("Grace yes");
              assertThat(done).hasSize(1).allMatch(sent -> sent.startsWith("Grace yes"));
            });
  }

  @Test
  void shouldNotRepeatUuidsInAnotherLife() {
    FlowTest.with(reply)
        .twoWorkers()
        .run(
            test -> {
              done.clear();
              for (int life = 1; life <= 2; life++) {
                test.start(reply, "r", "Ada");
                test.settle();
                test.raise("r", "answer", "yes");
                test.await("r", reply);
                test.flows().admin().delete("r", DeleteOptions.FORCED);
              }
              assertThat(done).hasSize(2).doesNotHaveDuplicates();
            });
  }
}
