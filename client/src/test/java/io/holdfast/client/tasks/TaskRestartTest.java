package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Phase 6 of the task specification: a broker that restarts loses nothing. */
@Tag("slow")
class TaskRestartTest {
  private static final String TOPIC = "irrigation";

  @TempDir Path directory;
  private final ManualClock clock = new ManualClock();
  private Broker broker = EmbeddedBroker.open(EngineConfig.inMemory(), clock);
  private TaskBroker tasks = TaskBroker.on(broker, TaskBrokerConfig.DEFAULTS, clock);

  @BeforeEach
  void restart() {
    tasks.close();
    broker.close();
    broker = EmbeddedBroker.open(EngineConfig.at(directory.resolve("data")), clock);
    tasks = TaskBroker.on(broker, TaskBrokerConfig.DEFAULTS, clock);
  }

  @AfterEach
  void close() {
    tasks.close();
    broker.close();
  }

  private static ReceivedTask soon(TaskSubscription subscription) {
    return await().until(() -> subscription.poll(Duration.ZERO), Optional::isPresent).orElseThrow();
  }

  @Test
  void shouldKeepQueuedRetriedRunningAndDeadTasks() {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", "pump-1");
    UUID dead = tasks.publish(Task.of(TOPIC, "start").priority(0)).taskId();
    for (int failure = 1; failure <= 4; failure++) {
      soon(subscription).failed("dry " + failure);
      clock.advance(Duration.ofSeconds(30));
    }
    UUID retried = tasks.publish(Task.of(TOPIC, "start").priority(1)).taskId();
    soon(subscription).failed("no water");
    UUID running = tasks.publish(Task.of(TOPIC, "start").priority(2)).taskId();
    soon(subscription).running();
    UUID queued = tasks.publish(Task.of(TOPIC, "start").priority(3)).taskId();
    TaskState before = tasks.taskState(running);
    // when
    restart();
    // then
    assertThat(tasks.taskStatus(dead)).isEqualTo(TaskStatus.DEAD);
    assertThat(tasks.taskStatus(retried)).isEqualTo(TaskStatus.FAILED);
    assertThat(tasks.taskStatus(queued)).isEqualTo(TaskStatus.QUEUED);
    assertThat(tasks.taskState(running)).isEqualTo(before);
    assertThat(tasks.deadLetters())
        .singleElement()
        .satisfies(
            entry ->
                assertThat(entry.errors()).containsExactly("dry 1", "dry 2", "dry 3", "dry 4"));
    // when: the device never knew of the restart, and sends its ack
    AckVerdict verdict = tasks.acks().send(TaskAck.complete(running, "pump-1"));
    // then
    assertThat(verdict).isEqualTo(AckVerdict.APPLIED);
    assertThat(tasks.taskStatus(running)).isEqualTo(TaskStatus.COMPLETE);
    // when
    TaskSubscription again = tasks.subscribe(TOPIC, "pump", "pump-1");
    assertThat(soon(again).task().id()).isEqualTo(queued);
    clock.advance(Duration.ofSeconds(1));
    ReceivedTask retry = soon(again);
    // then
    assertThat(retry.task().id()).isEqualTo(retried);
    assertThat(retry.failures()).isEqualTo(1);
    // when
    tasks.requeue(dead);
    // then
    assertThat(soon(again).task().id()).isEqualTo(dead);
  }

  @Test
  void shouldStartARetryAsConfiguredBeforeTheRestart() {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", "pump-1");
    UUID id = tasks.publish(Task.of(TOPIC, "start")).taskId();
    soon(subscription).failed("1");
    clock.advance(Duration.ofSeconds(1));
    // when
    restart();
    subscription = tasks.subscribe(TOPIC, "pump", "pump-1");
    soon(subscription).failed("2");
    clock.advance(Duration.ofSeconds(2));
    restart();
    subscription = tasks.subscribe(TOPIC, "pump", "pump-1");
    soon(subscription).failed("3");
    clock.advance(Duration.ofSeconds(4));
    restart();
    subscription = tasks.subscribe(TOPIC, "pump", "pump-1");
    soon(subscription).failed("4");
    // then
    assertThat(tasks.taskStatus(id)).isEqualTo(TaskStatus.DEAD);
    assertThat(tasks.deadLetters().get(0).errors()).containsExactly("1", "2", "3", "4");
  }

  @Test
  void shouldTakeAcksOfANamelessDeviceAfterARestart() {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC);
    UUID id = tasks.publish(Task.of(TOPIC, "start")).taskId();
    soon(subscription);
    // when
    restart();
    AckVerdict running = tasks.acks().send(TaskAck.running(id, "pump-1"));
    AckVerdict stranger = tasks.acks().send(TaskAck.complete(id, "pump-2"));
    restart();
    AckVerdict strangerAgain = tasks.acks().send(TaskAck.complete(id, "pump-2"));
    AckVerdict runningAgain = tasks.acks().send(TaskAck.running(id, "pump-1"));
    AckVerdict complete = tasks.acks().send(TaskAck.complete(id, "pump-1"));
    // then
    assertThat(List.of(running, complete)).containsOnly(AckVerdict.APPLIED);
    assertThat(List.of(stranger, strangerAgain)).containsOnly(AckVerdict.IGNORED);
    assertThat(runningAgain).isEqualTo(AckVerdict.REPEATED);
    assertThat(tasks.taskState(id).deviceId()).isEqualTo("pump-1");
  }

  @Test
  void shouldGiveTheTaskOfADeviceThatDiedWithTheBrokerToAnother() {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pumps", "pump-1");
    UUID id = tasks.publish(Task.of(TOPIC, "start")).taskId();
    soon(subscription).running();
    // when
    restart();
    TaskSubscription other = tasks.subscribe(TOPIC, "pumps", "pump-2");
    clock.advance(Duration.ofMinutes(5));
    // then
    ReceivedTask again = soon(other);
    assertThat(again.task().id()).isEqualTo(id);
    assertThat(tasks.acks().send(TaskAck.complete(id, "pump-1"))).isEqualTo(AckVerdict.IGNORED);
    assertThat(again.complete()).isEqualTo(AckVerdict.APPLIED);
  }

  @Test
  void shouldRecogniseARepublishAfterARestart() {
    // given
    Task task = Task.of(TOPIC, "start");
    tasks.publish(task);
    // when
    restart();
    Published again = tasks.publish(task);
    // then
    assertThat(again.duplicate()).isTrue();
  }
}
