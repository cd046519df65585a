package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.task.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Dead tasks: phase 4 of the task specification. */
class TaskDlqTest extends TaskFixture {
  @Test
  void shouldKeepATaskThatFailedFourTimesWithAllItsErrors() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    Task task = task();
    tasks.publish(task);
    // when
    for (int failure = 1; failure <= 4; failure++) {
      soon(subscription).failed("no water " + failure);
      advance(Duration.ofSeconds(failure < 4 ? 30 : 0));
    }
    // then
    assertThat(tasks.deadLetters())
        .containsExactly(
            new DlqEntry(
                task,
                "pump",
                "Max retries exceeded",
                4,
                "no water 4",
                List.of("no water 1", "no water 2", "no water 3", "no water 4"),
                Instant.ofEpochMilli(clock.wallMs())));
    assertThat(tasks.deadLetters(TOPIC)).isEqualTo(tasks.deadLetters());
    assertThat(tasks.deadLetters("lights")).isEmpty();
    assertThat(tasks.metrics().inDlq()).isEqualTo(1);
    assertThat(tasks.metrics().inRetryQueue()).isZero();
  }

  @Test
  void shouldLogADeadTaskWithAllItsErrorsAndWhatToDo() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    // when
    die(subscription, "no\nwater");
    // then
    assertThat(log.lines("ERROR [DLQ]"))
        .containsExactly(
            "ERROR [DLQ] Task "
                + id
                + ": Max retries exceeded, moved to DLQ (topic: irrigation, subscriber: pump,"
                + " device: sprinkler-zone-a, attempts: 4, errors: [no water 1, no water 2, no"
                + " water 3, no water 4]); look at these errors and at the device, then requeue or"
                + " remove the task");
  }

  @Test
  void shouldListDeadTasksOfAllTopicsInTheOrderOfTheirDeaths() throws InterruptedException {
    // given
    TaskSubscription pump = tasks.subscribe(TOPIC, "pump", DEVICE);
    TaskSubscription lamp = tasks.subscribe("lights", "lamp", "lamp-1");
    UUID first = tasks.publish(Task.of("lights", "on")).taskId();
    die(lamp, "burnt");
    UUID second = tasks.publish(task()).taskId();
    die(pump, "dry");
    UUID third = tasks.publish(Task.of("lights", "off")).taskId();
    die(lamp, "burnt");
    // when
    List<DlqEntry> entries = tasks.deadLetters();
    // then
    assertThat(entries)
        .extracting(entry -> entry.task().id())
        .containsExactly(first, second, third);
  }

  @Test
  void shouldHandOutCopies() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    tasks.publish(task());
    die(subscription, "dry");
    List<DlqEntry> before = tasks.deadLetters();
    // then
    assertThatThrownBy(before::clear).isInstanceOf(UnsupportedOperationException.class);
    // when
    tasks.clear();
    // then
    assertThat(before).hasSize(1);
    assertThat(tasks.deadLetters()).isEmpty();
  }

  @Test
  void shouldTryADeadTaskAgainWithItsFullAllowance() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    die(subscription, "dry");
    // when
    long count = tasks.requeue(id);
    // then
    assertThat(count).isEqualTo(1);
    assertThat(tasks.deadLetters()).isEmpty();
    assertStatus(id, TaskStatus.QUEUED);
    // when
    die(subscription, "dry again");
    // then
    assertThat(tasks.deadLetters())
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.attempts()).isEqualTo(4);
              assertThat(entry.lastError()).isEqualTo("dry again 4");
            });
    // when
    tasks.requeue(id);
    soon(subscription).complete();
    // then
    assertStatus(id, TaskStatus.COMPLETE);
  }

  @Test
  void shouldRequeueADeadTaskLongAfterItsStateIsForgotten() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    die(subscription, "dry");
    // when: a night has passed, and the process is another
    advance(Duration.ofHours(12));
    TaskBroker morning = open(TaskBrokerConfig.DEFAULTS);
    await().untilAsserted(() -> assertThat(morning.deadLetters()).hasSize(1));
    morning.requeue(id);
    ReceivedTask again = soon(subscription);
    // then
    assertThat(again.task().id()).isEqualTo(id);
    assertThat(morning.taskStatus(id)).isEqualTo(TaskStatus.RECEIVED);
    // when
    AckVerdict running = again.running();
    AckVerdict complete = again.complete();
    // then
    assertThat(List.of(running, complete)).containsOnly(AckVerdict.APPLIED);
    assertThat(tasks.deadLetters()).isEmpty();
  }

  @Test
  void shouldSayThatATaskToRequeueIsNotDead() {
    // given
    UUID alive = tasks.publish(task()).taskId();
    // then
    assertThatThrownBy(() -> tasks.requeue(UUID.randomUUID()))
        .isInstanceOf(UnknownTaskException.class)
        .hasMessageContaining("not found in the DLQ");
    assertThatThrownBy(() -> tasks.requeue(alive))
        .isInstanceOf(UnknownTaskException.class)
        .hasMessageContaining("task " + alive + " not found in the DLQ");
  }

  @Test
  void shouldRemoveADeadTask() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID removed = tasks.publish(task()).taskId();
    die(subscription, "dry");
    UUID kept = tasks.publish(task()).taskId();
    die(subscription, "dry");
    // when
    tasks.remove(removed);
    // then
    assertThat(tasks.deadLetters()).extracting(entry -> entry.task().id()).containsExactly(kept);
    assertThatThrownBy(() -> tasks.remove(removed))
        .isInstanceOf(UnknownTaskException.class)
        .hasMessageContaining("not found in the DLQ");
    assertThatThrownBy(() -> tasks.remove(UUID.randomUUID()))
        .isInstanceOf(UnknownTaskException.class);
  }

  @Test
  void shouldClearTheDeadTasksOfAllTopics() throws InterruptedException {
    // given
    TaskSubscription pump = tasks.subscribe(TOPIC, "pump", DEVICE);
    TaskSubscription lamp = tasks.subscribe("lights", "lamp", "lamp-1");
    tasks.publish(task());
    tasks.publish(Task.of("lights", "on"));
    die(pump, "dry");
    die(lamp, "burnt");
    // when
    long cleared = tasks.clear();
    // then
    assertThat(cleared).isEqualTo(2);
    assertThat(tasks.deadLetters()).isEmpty();
    assertThat(tasks.clear()).isZero();
  }

  @Test
  void shouldDropDeadTasksWhenTheDlqIsOff() throws InterruptedException {
    // given
    TaskBroker own = open(TaskBrokerConfig.DEFAULTS.dlqEnabled(false));
    TaskSubscription subscription = own.subscribe(TOPIC, "pump", DEVICE);
    UUID id = own.publish(task()).taskId();
    // when
    die(subscription, "dry");
    // then
    assertThat(own.taskStatus(id)).isEqualTo(TaskStatus.DEAD);
    assertThat(own.deadLetters()).isEmpty();
    assertThat(log.lines("ERROR [DLQ] Task " + id + ": Max retries exceeded, dropped")).hasSize(1);
    assertThatThrownBy(() -> own.requeue(id)).isInstanceOf(UnknownTaskException.class);
  }

  @Test
  void shouldKeepADeadTaskForEachSubscriberThatCouldNotDoIt() throws InterruptedException {
    // given
    TaskSubscription pump = tasks.subscribe(TOPIC, "pump", "pump-1");
    TaskSubscription valve = tasks.subscribe(TOPIC, "valve", "valve-1");
    TaskSubscription meter = tasks.subscribe(TOPIC, "meter", "meter-1");
    UUID id = tasks.publish(task()).taskId();
    // when
    next(meter).complete();
    die(pump, "dry");
    die(valve, "stuck");
    // then
    assertThat(tasks.deadLetters())
        .extracting(DlqEntry::subscriber, DlqEntry::lastError)
        .containsExactly(tuple("pump", "dry 4"), tuple("valve", "stuck 4"));
    assertStatus(id, TaskStatus.DEAD);
    // when
    assertThat(tasks.requeue(id)).isEqualTo(2);
    soon(pump).complete();
    soon(valve).complete();
    // then
    assertStatus(id, TaskStatus.COMPLETE);
    assertNone(meter);
  }
}
