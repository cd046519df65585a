package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.task.TaskStatus;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Retries and the ack timeout: phases 3 and 5 of the task specification. */
class TaskRetryTest extends TaskFixture {
  @Test
  void shouldRetryAfterOneTwoAndFourSecondsAndDieOnTheFourthFailure() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    ReceivedTask attempt = next(subscription);
    int failure = 1;
    for (int seconds : new int[] {1, 2, 4}) {
      // when
      attempt.running();
      attempt.failed("failure " + failure);
      // then
      assertStatus(id, TaskStatus.FAILED);
      advance(Duration.ofSeconds(seconds).minusMillis(1));
      assertNone(subscription);
      advance(Duration.ofMillis(1));
      attempt = soon(subscription);
      assertThat(attempt.attempt()).isEqualTo(failure + 1);
      assertThat(attempt.failures()).isEqualTo(failure);
      failure++;
    }
    // when
    attempt.running();
    attempt.failed("failure 4");
    // then
    TaskState state = tasks.taskState(id);
    assertThat(state.status()).isEqualTo(TaskStatus.DEAD);
    assertThat(state.attempts()).isEqualTo(4);
    assertThat(state.error()).isEqualTo("failure 4");
    assertThat(tasks.deadLetters()).hasSize(1);
    advance(Duration.ofHours(1));
    assertNone(subscription);
  }

  @Test
  void shouldLogRetries() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    // when
    die(subscription, "no water");
    // then
    assertThat(log.lines("WARN [RETRY]"))
        .containsExactly(
            "WARN [RETRY] Task " + id + ": Attempt 1/3, next retry in 1s",
            "WARN [RETRY] Task " + id + ": Attempt 2/3, next retry in 2s",
            "WARN [RETRY] Task " + id + ": Attempt 3/3, next retry in 4s");
  }

  @Test
  void shouldDeliverARetryOnceNotAgainAndAgain() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    tasks.publish(task());
    next(subscription).failed("no water");
    advance(Duration.ofSeconds(1));
    ReceivedTask retry = soon(subscription);
    // when
    for (int second = 0; second < 10; second++) {
      advance(Duration.ofSeconds(1));
      // then
      assertNone(subscription);
    }
    assertThat(retry.complete()).isEqualTo(AckVerdict.APPLIED);
  }

  @Test
  void shouldLeaveTheRetryQueueWhenARetryCompletes() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    next(subscription).failed("no water");
    assertThat(tasks.metrics().inRetryQueue()).isEqualTo(1);
    // when
    advance(Duration.ofSeconds(1));
    soon(subscription).complete();
    // then
    assertStatus(id, TaskStatus.COMPLETE);
    assertThat(tasks.metrics().inRetryQueue()).isZero();
    assertThat(tasks.deadLetters()).isEmpty();
    advance(Duration.ofHours(1));
    assertNone(subscription);
  }

  @Test
  void shouldRetryAsConfigured() throws InterruptedException {
    // given
    TaskBroker own =
        open(
            TaskBrokerConfig.DEFAULTS.retry(
                new RetryConfig(2, Duration.ofMillis(500), Duration.ofMillis(1_200), 3)));
    TaskSubscription subscription = own.subscribe(TOPIC, "pump", DEVICE);
    UUID id = own.publish(task()).taskId();
    // when
    next(subscription).failed("one");
    advance(Duration.ofMillis(500));
    soon(subscription).failed("two");
    advance(Duration.ofMillis(1_199));
    assertNone(subscription);
    advance(Duration.ofMillis(1));
    soon(subscription).failed("three");
    // then
    assertStatus(id, TaskStatus.DEAD);
    assertThat(log.lines("WARN [RETRY]"))
        .containsExactly(
            "WARN [RETRY] Task " + id + ": Attempt 1/2, next retry in 500ms",
            "WARN [RETRY] Task " + id + ": Attempt 2/2, next retry in 1.2s");
  }

  @Test
  void shouldGiveTheTaskOfASilentDeviceToAnother() throws InterruptedException {
    // given
    TaskSubscription crashing = tasks.subscribe(TOPIC, "pumps", "pump-1");
    TaskSubscription other = tasks.subscribe(TOPIC, "pumps", "pump-2");
    UUID id = tasks.publish(task()).taskId();
    ReceivedTask lost = next(crashing);
    lost.running();
    assertNone(other);
    // when
    advance(Duration.ofMinutes(5));
    ReceivedTask again = soon(other);
    // then
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.failures()).isZero();
    assertThat(tasks.taskState(id).deviceId()).isEqualTo("pump-2");
    // when: the first comes back, and says what it has to say
    AckVerdict late = tasks.acks().send(TaskAck.complete(id, "pump-1"));
    AckVerdict lateByHolder = lost.failed("late");
    // then
    assertThat(List.of(late, lateByHolder)).containsOnly(AckVerdict.IGNORED);
    assertThat(again.complete()).isEqualTo(AckVerdict.APPLIED);
    assertThat(tasks.taskState(id).deviceId()).isEqualTo("pump-2");
    assertStatus(id, TaskStatus.COMPLETE);
  }

  @Test
  void shouldNotGiveAwayTheTaskOfADeviceThatShowsSignsOfLife() throws InterruptedException {
    // given
    TaskSubscription slow = tasks.subscribe(TOPIC, "pumps", "pump-1");
    TaskSubscription other = tasks.subscribe(TOPIC, "pumps", "pump-2");
    UUID id = tasks.publish(task()).taskId();
    ReceivedTask held = next(slow);
    // when
    for (int i = 0; i < 5; i++) {
      advance(Duration.ofMinutes(4));
      held.running();
      assertNone(other);
    }
    // then
    assertThat(tasks.acks().send(TaskAck.complete(id, "pump-1"))).isEqualTo(AckVerdict.APPLIED);
    assertThat(tasks.taskState(id).attempts()).isEqualTo(1);
  }

  @Test
  void shouldLetATaskDieThatSilencesEveryDevice() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    UUID id = tasks.publish(task()).taskId();
    // when
    for (int i = 0; i <= 20; i++) {
      soon(subscription);
      advance(Duration.ofMinutes(5));
    }
    // then
    await().untilAsserted(() -> assertStatus(id, TaskStatus.DEAD));
    DlqEntry entry = tasks.deadLetters().get(0);
    assertThat(entry.failureReason()).isEqualTo("No ack within the ack timeout, 21 times");
    assertThat(entry.errors()).contains("no ack within the ack timeout");
  }

  @Test
  void shouldServeHighPrioritiesBeforeOthersAndBeforeRetries() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    Task retried = task();
    tasks.publish(retried);
    next(subscription).failed("no water");
    Task low = task().priority(Task.LOW);
    Task normal = task();
    Task high = task().priority(Task.HIGH);
    tasks.publish(low);
    tasks.publish(normal);
    tasks.publish(high);
    advance(Duration.ofSeconds(1));
    // when
    List<UUID> order =
        List.of(
            soon(subscription).task().id(),
            soon(subscription).task().id(),
            soon(subscription).task().id(),
            soon(subscription).task().id());
    // then
    assertThat(order).containsExactly(high.id(), retried.id(), normal.id(), low.id());
  }

  @Test
  void shouldRetryAHighPriorityTaskBeforeLowerOnesThatWait() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    Task high = task().priority(Task.HIGH);
    tasks.publish(high);
    next(subscription).failed("no water");
    Task first = task();
    Task second = task();
    tasks.publish(List.of(first, second));
    // when: while it waits for its retry it holds up nobody
    assertThat(next(subscription).task().id()).isEqualTo(first.id());
    advance(Duration.ofSeconds(1));
    // then
    assertThat(soon(subscription).task().id()).isEqualTo(high.id());
    assertThat(next(subscription).task().id()).isEqualTo(second.id());
  }
}
