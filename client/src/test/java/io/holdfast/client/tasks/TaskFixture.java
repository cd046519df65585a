package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;

/** A task broker on the real engine, in memory, under a clock that the test moves. */
abstract class TaskFixture {
  static final String TOPIC = "irrigation";
  static final String DEVICE = "sprinkler-zone-a";

  final ManualClock clock = new ManualClock();
  final RecordingLogger log = new RecordingLogger();
  final Broker broker = EmbeddedBroker.open(EngineConfig.inMemory(), clock);
  final TaskBroker tasks = open(TaskBrokerConfig.DEFAULTS);

  TaskBroker open(TaskBrokerConfig config) {
    return TaskBroker.on(broker, config, clock, log);
  }

  @AfterEach
  void closeAll() {
    tasks.close();
    broker.close();
  }

  void advance(Duration by) {
    clock.advance(by);
  }

  static Task task() {
    return Task.of(TOPIC, "start");
  }

  /** The next task, which must be there. */
  static ReceivedTask next(TaskSubscription subscription) throws InterruptedException {
    Optional<ReceivedTask> task = subscription.poll(Duration.ZERO);
    assertThat(task).as("a task that is ready").isPresent();
    return task.orElseThrow();
  }

  static void assertNone(TaskSubscription subscription) throws InterruptedException {
    assertThat(subscription.poll(Duration.ZERO)).isEmpty();
  }

  /** The next task, once the engine's own thread has seen that it is due. */
  static ReceivedTask soon(TaskSubscription subscription) {
    return await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> subscription.poll(Duration.ZERO), Optional::isPresent)
        .orElseThrow();
  }

  /** Fails a task as often as it takes for it to be dead. */
  void die(TaskSubscription subscription, String error) throws InterruptedException {
    for (int failure = 1; failure <= 4; failure++) {
      soon(subscription).failed(error + " " + failure);
      advance(Duration.ofSeconds(30));
    }
  }

  void assertStatus(UUID id, TaskStatus status) {
    assertThat(tasks.taskStatus(id)).isEqualTo(status);
  }
}
