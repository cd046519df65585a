package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.WaitLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of tasks on the real engine, on disk, under the system's clock. */
@Tag("slow")
class TaskLoadTest {
  private static final int TASKS = 3_000;
  private static final int DEVICES = 8;

  @TempDir Path directory;

  @Test
  void shouldBringEveryTaskToItsEndWithRetriesAndDeadTasksAmongThem() {
    TaskBrokerConfig config =
        TaskBrokerConfig.DEFAULTS.retry(
            new RetryConfig(2, Duration.ofMillis(20), Duration.ofMillis(50), 2));
    try (Broker broker = EmbeddedBroker.open(EngineConfig.at(directory.resolve("data")));
        TaskBroker tasks = TaskBroker.on(broker, config)) {
      // given: of ten tasks one fails once, and one always
      Map<UUID, AtomicInteger> tries = new ConcurrentHashMap<>();
      for (int device = 0; device < DEVICES; device++) {
        tasks
            .subscribe("load", "workers", "worker-" + device)
            .handle(
                received -> {
                  UUID id = received.task().id();
                  int attempt =
                      tries.computeIfAbsent(id, any -> new AtomicInteger()).incrementAndGet();
                  String instruction = received.task().instruction();
                  if (instruction.equals("poison")
                      || (instruction.equals("flaky") && attempt == 1)) {
                    throw new IllegalStateException("failed on purpose");
                  }
                });
      }
      // when
      List<Task> all = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) {
        String instruction = i % 10 == 3 ? "flaky" : i % 10 == 7 ? "poison" : "plain";
        all.add(Task.of("load", instruction).priority(i % 3));
      }
      for (int i = 0; i < TASKS; i += 100) {
        tasks.publish(all.subList(i, i + 100));
      }
      // then
      // Acks are counted last: when they are all counted, so is everything else.
      await()
          .atMost(WaitLimits.WORKLOAD)
          .untilAsserted(
              () ->
                  assertThat(tasks.metrics().acknowledged())
                      .containsEntry(TaskStatus.COMPLETE, TASKS * 9L / 10)
                      .containsEntry(TaskStatus.FAILED, TASKS / 10 + 3L * TASKS / 10));
      TaskMetrics metrics = tasks.metrics();
      assertThat(metrics.ended()).isEqualTo(TASKS);
      assertThat(metrics.published()).isEqualTo(TASKS);
      assertThat(metrics.inRetryQueue()).isZero();
      assertThat(metrics.inDlq()).isEqualTo(TASKS / 10);
      assertThat(metrics.averageRetryCount()).isEqualTo(0.3);
      assertThat(metrics.ignored() + metrics.unknown() + metrics.repeated()).isZero();
      assertThat(tasks.deadLetters())
          .hasSize(TASKS / 10)
          .allMatch(entry -> entry.task().instruction().equals("poison"));
      for (Task task : all) {
        boolean dead = task.instruction().equals("poison");
        assertThat(tasks.taskStatus(task.id()))
            .isEqualTo(dead ? TaskStatus.DEAD : TaskStatus.COMPLETE);
        int expected = dead ? 3 : task.instruction().equals("flaky") ? 2 : 1;
        assertThat(tries.get(task.id())).hasValue(expected);
      }
      // when
      assertThat(tasks.clear()).isEqualTo(TASKS / 10);
      // then
      assertThat(tasks.metrics().inDlq()).isZero();
    }
  }
}
