package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.task.TaskStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Acks and completion tracking: phases 1 and 2 of the task specification, and its edge cases. */
class TaskLifeTest extends TaskFixture {
  @Test
  void shouldFollowATaskFromPublishToCompletion() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    Instant published = Instant.ofEpochMilli(clock.wallMs());
    Task task = task().priority(2).payload("{\"minutes\":5}".getBytes(StandardCharsets.UTF_8));
    tasks.publish(TOPIC, task);
    // then
    assertStatus(task.id(), TaskStatus.QUEUED);
    // when
    advance(Duration.ofSeconds(1));
    ReceivedTask received = next(subscription);
    // then
    assertThat(received.task()).isEqualTo(task);
    assertThat(received.attempt()).isEqualTo(1);
    assertStatus(task.id(), TaskStatus.RECEIVED);
    // when
    advance(Duration.ofSeconds(1));
    AckVerdict running = tasks.acks().send(TaskAck.running(task.id(), DEVICE));
    // then
    assertThat(running).isEqualTo(AckVerdict.APPLIED);
    assertStatus(task.id(), TaskStatus.RUNNING);
    // when
    advance(Duration.ofSeconds(1));
    AckVerdict complete = tasks.acks().send(TaskAck.complete(task.id(), DEVICE));
    // then
    assertThat(complete).isEqualTo(AckVerdict.APPLIED);
    assertThat(tasks.taskState(task.id()))
        .isEqualTo(
            new TaskState(
                task.id(),
                TOPIC,
                task,
                published,
                published.plusSeconds(1),
                published.plusSeconds(2),
                published.plusSeconds(3),
                TaskStatus.COMPLETE,
                DEVICE,
                1,
                null,
                List.of(new TaskState.Subscriber("pump", TaskStatus.COMPLETE, DEVICE, 1))));
    assertNone(subscription);
  }

  @Test
  void shouldLogAcks() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    next(subscription);
    // when
    tasks.acks().send(TaskAck.running(id, DEVICE));
    tasks.acks().send(TaskAck.complete(id, DEVICE));
    // then
    assertThat(log.lines("INFO [ACK]"))
        .containsExactly(
            "INFO [ACK] Task " + id + ": Received → Running (device: sprinkler-zone-a)",
            "INFO [ACK] Task " + id + ": Running → Complete (device: sprinkler-zone-a)");
  }

  @Test
  void shouldTellListenersOfAcks() throws InterruptedException {
    // given
    List<AckEvent> heard = new CopyOnWriteArrayList<>();
    tasks.onAck(
        event -> {
          throw new IllegalStateException("a listener that fails on purpose");
        });
    TaskBroker.AckRegistration registration = tasks.onAck(heard::add);
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    next(subscription);
    TaskAck running = TaskAck.running(id, DEVICE);
    TaskAck failed = TaskAck.failed(id, DEVICE, "no water");
    // when
    tasks.acks().send(running);
    tasks.acks().send(failed);
    registration.close();
    tasks.acks().send(failed);
    // then
    assertThat(heard)
        .containsExactly(
            new AckEvent(
                running, AckVerdict.APPLIED, TaskStatus.RECEIVED, TaskStatus.RUNNING, null),
            new AckEvent(
                failed,
                AckVerdict.APPLIED,
                TaskStatus.RUNNING,
                TaskStatus.FAILED,
                Duration.ofSeconds(1)));
  }

  @Test
  void shouldKnowAFailedTask() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    next(subscription);
    // when
    AckVerdict verdict = tasks.acks().send(TaskAck.failed(id, DEVICE, "no water"));
    // then
    assertThat(verdict).isEqualTo(AckVerdict.APPLIED);
    TaskState state = tasks.taskState(id);
    assertThat(state.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(state.error()).isEqualTo("no water");
    assertThat(state.completedAt()).isNull();
  }

  @Test
  void shouldWarnOfAnAckForAnUnknownTaskAndIgnoreIt() {
    // given
    UUID id = UUID.randomUUID();
    // when
    AckVerdict verdict = tasks.acks().send(TaskAck.complete(id, DEVICE));
    // then
    assertThat(verdict).isEqualTo(AckVerdict.UNKNOWN);
    assertThat(log.lines("WARN [ACK] Task " + id + ": unknown, Complete ignored")).hasSize(1);
    assertThat(tasks.metrics().unknown()).isEqualTo(1);
    assertThat(tasks.metrics().acknowledged().values()).containsOnly(0L);
  }

  @Test
  void shouldTakeRepeatedAcksWithoutHarm() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    ReceivedTask received = next(subscription);
    // when
    received.running();
    AckVerdict runningAgain = tasks.acks().send(TaskAck.running(id, DEVICE));
    received.complete();
    AckVerdict completeAgain = tasks.acks().send(TaskAck.complete(id, DEVICE));
    AckVerdict andAgain = received.complete();
    // then
    assertThat(List.of(runningAgain, completeAgain, andAgain)).containsOnly(AckVerdict.REPEATED);
    assertStatus(id, TaskStatus.COMPLETE);
    assertThat(tasks.metrics().repeated()).isEqualTo(3);
    assertThat(tasks.metrics().acknowledged())
        .containsEntry(TaskStatus.RUNNING, 1L)
        .containsEntry(TaskStatus.COMPLETE, 1L);
  }

  @Test
  void shouldChargeARepeatedFailureOnce() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    ReceivedTask received = next(subscription);
    // when
    received.failed("no water");
    AckVerdict again = received.failed("no water");
    AckVerdict andAgain = tasks.acks().send(TaskAck.failed(id, DEVICE, "no water"));
    advance(Duration.ofSeconds(1));
    // then
    assertThat(List.of(again, andAgain)).containsOnly(AckVerdict.REPEATED);
    assertThat(soon(subscription).failures()).isEqualTo(1);
  }

  @Test
  void shouldOnlyMoveAStatusForward() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    ReceivedTask received = next(subscription);
    received.complete();
    // when
    AckVerdict running = tasks.acks().send(TaskAck.running(id, DEVICE));
    AckVerdict runningByHolder = received.running();
    AckVerdict failed = tasks.acks().send(TaskAck.failed(id, DEVICE, "too late"));
    AckVerdict failedByHolder = received.failed("too late");
    // then
    assertThat(List.of(running, runningByHolder, failed, failedByHolder))
        .containsOnly(AckVerdict.IGNORED);
    assertThat(tasks.taskState(id).status()).isEqualTo(TaskStatus.COMPLETE);
    assertThat(tasks.taskState(id).error()).isNull();
    assertThat(tasks.metrics().ignored()).isEqualTo(4);
    assertThat(
            log.lines(
                "WARN [ACK] Task " + id + ": Running ignored, it is Complete (device: " + DEVICE))
        .hasSize(2);
    advance(Duration.ofMinutes(10));
    assertNone(subscription);
  }

  @Test
  void shouldStartANewAttemptOnARetryAlone() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    ReceivedTask first = next(subscription);
    first.running();
    first.failed("no water");
    // when
    AckVerdict late = first.running();
    // then
    assertThat(late).isEqualTo(AckVerdict.IGNORED);
    assertStatus(id, TaskStatus.FAILED);
    // when
    advance(Duration.ofSeconds(1));
    ReceivedTask second = soon(subscription);
    second.running();
    // then
    assertThat(second.attempt()).isEqualTo(2);
    assertStatus(id, TaskStatus.RUNNING);
    assertThat(tasks.taskState(id).attempts()).isEqualTo(2);
  }

  @Test
  void shouldApplyOneOfTheAcksThatContradictEachOther() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    for (int round = 0; round < 50; round++) {
      UUID id = tasks.publish(task()).taskId();
      next(subscription);
      List<TaskAck> applied = new CopyOnWriteArrayList<>();
      List<Thread> senders = new ArrayList<>();
      for (TaskAck ack :
          List.of(
              TaskAck.running(id, DEVICE),
              TaskAck.complete(id, DEVICE),
              TaskAck.failed(id, DEVICE, "dry"),
              TaskAck.complete(id, DEVICE))) {
        senders.add(
            new Thread(
                () -> {
                  if (tasks.acks().send(ack) == AckVerdict.APPLIED
                      && ack.status() != TaskStatus.RUNNING) {
                    applied.add(ack);
                  }
                }));
      }
      // when
      senders.forEach(Thread::start);
      for (Thread sender : senders) {
        sender.join();
      }
      // then
      assertThat(applied).hasSize(1);
      assertStatus(id, applied.getFirst().status());
    }
  }

  @Test
  void shouldRecogniseARepublishOfTheSameId() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    Task task = task();
    Published first = tasks.publish(task);
    next(subscription).running();
    // when
    Published again = tasks.publish(task);
    // then
    assertThat(first.duplicate()).isFalse();
    assertThat(again).isEqualTo(new Published(task.id(), first.messageId(), true));
    assertStatus(task.id(), TaskStatus.RUNNING);
    assertNone(subscription);
    assertThat(tasks.metrics().published()).isEqualTo(1);
    assertThat(tasks.metrics().duplicates()).isEqualTo(1);
  }

  @Test
  void shouldRefuseAnIdThatAnotherTopicHas() {
    // given
    Task task = task();
    tasks.publish(task);
    // then
    assertThatThrownBy(() -> tasks.publish("lights", task))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is in topic irrigation");
  }

  @Test
  void shouldSayThatATaskIsNotThere() {
    // given
    UUID id = UUID.randomUUID();
    tasks.publish(task());
    // then
    assertThatThrownBy(() -> tasks.taskStatus(id))
        .isInstanceOf(UnknownTaskException.class)
        .hasMessageContaining("task " + id + " not found");
    assertThatThrownBy(() -> tasks.taskState(id)).isInstanceOf(UnknownTaskException.class);
  }

  @Test
  void shouldKnowTasksThatAnotherProcessPublished() {
    // given
    TaskBroker other = open(TaskBrokerConfig.DEFAULTS);
    UUID id = other.publish(Task.of("lights", "on")).taskId();
    other.publish(task());
    // then
    assertStatus(id, TaskStatus.QUEUED);
    assertThat(tasks.taskState(id).topic()).isEqualTo("lights");
  }

  @Test
  void shouldForgetATaskSomeTimeAfterItsEnd() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    next(subscription).complete();
    // when
    advance(Duration.ofMinutes(59));
    // then
    assertStatus(id, TaskStatus.COMPLETE);
    // when
    advance(Duration.ofMinutes(2));
    // then
    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> tasks.taskStatus(id))
                    .isInstanceOf(UnknownTaskException.class));
  }

  @Test
  void shouldNotTakeOverAQueueThatServesSomethingElse() {
    // given
    broker.configure(ConfigureRequest.queue("orders")).orThrow();
    // then
    assertThatThrownBy(() -> tasks.publish("orders", task()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("topic orders: expected no queue of that name");
    assertThatThrownBy(() -> tasks.subscribe("orders")).isInstanceOf(IllegalStateException.class);
    assertThat(broker.queue("orders").orThrow().options().flag(QueueOption.TRACK)).isFalse();
  }

  @Test
  void shouldKeepTheConfigurationWithTheTopic() {
    // given
    TaskBroker quick =
        open(
            TaskBrokerConfig.DEFAULTS
                .retry(new RetryConfig(5, Duration.ofMillis(200), Duration.ofSeconds(9), 3))
                .dlqEnabled(false)
                .ackTimeout(Duration.ofMillis(1_500))
                .keepStates(Duration.ofMinutes(2)));
    // when
    quick.publish(task());
    // then
    var options = broker.queue(TOPIC).orThrow().options();
    assertThat(options.number(QueueOption.RETRY_LIMIT)).isEqualTo(5);
    assertThat(options.number(QueueOption.RETRY_DELAY)).isEqualTo(200);
    assertThat(options.number(QueueOption.RETRY_DELAY_MAX)).isEqualTo(9_000);
    assertThat(options.number(QueueOption.RETRY_FACTOR)).isEqualTo(3);
    assertThat(options.number(QueueOption.LEASE_TIME)).isEqualTo(2);
    assertThat(options.number(QueueOption.COMPLETED_RETENTION)).isEqualTo(120);
    assertThat(options.flag(QueueOption.DEAD_LETTER_QUEUE)).isFalse();
    assertThat(options.flag(QueueOption.DLQ_AFTER_MAX_RETRIES)).isFalse();
    assertThat(options.flag(QueueOption.TRACK)).isTrue();
    assertThat(options.text(QueueOption.DELIVERY)).isEqualTo("shared");
    assertThat(options.text(QueueOption.NAMESPACE)).isEqualTo("tasks");
  }

  @Test
  void shouldNotPrintPayloads() {
    // given
    Task task = task().payload("secret".getBytes(StandardCharsets.UTF_8));
    // then
    assertThat(task.toString()).doesNotContain("secret").contains("6 bytes");
  }

  @Test
  void shouldRefuseAPriorityThatThereIsNot() {
    assertThatThrownBy(() -> tasks.publish(task().priority(10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("priority: expected 0 (first) to 9, but got 10");
    assertThatThrownBy(() -> task().priority(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldTakeNothingOnceItIsClosed() {
    // when
    tasks.close();
    // then
    assertThatThrownBy(() -> tasks.publish(task())).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> tasks.subscribe(TOPIC)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldTakeAcksAfterItIsClosed() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    next(subscription).running();
    // when
    tasks.close();
    AckVerdict verdict = tasks.acks().send(TaskAck.complete(id, DEVICE));
    // then
    assertThat(verdict).isEqualTo(AckVerdict.APPLIED);
    assertStatus(id, TaskStatus.COMPLETE);
  }
}
