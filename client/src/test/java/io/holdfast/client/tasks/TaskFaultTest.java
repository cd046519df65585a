package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.client.tasks.FlakyBroker.Loss;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens when the broker cannot be reached, or its answers get lost. */
class TaskFaultTest extends TaskFixture {
  private final FlakyBroker flaky = new FlakyBroker(broker);
  private final TaskBroker remote = TaskBroker.on(flaky, TaskBrokerConfig.DEFAULTS, clock, log);

  @AfterEach
  void closeRemote() {
    remote.close();
  }

  @Test
  void shouldPublishOnceHoweverOftenItIsTried() throws InterruptedException {
    // given
    TaskSubscription subscription = remote.subscribe(TOPIC, "pump", DEVICE);
    Task task = task();
    flaky.losePushes(1, Loss.AFTER);
    // when
    assertThatThrownBy(() -> remote.publish(task)).isInstanceOf(UnreachableException.class);
    Published again = remote.publish(task);
    // then
    assertThat(again.duplicate()).isTrue();
    next(subscription).complete();
    assertNone(subscription);
  }

  @Test
  void shouldPassARefusalOn() {
    // given
    flaky.losePushes(1, Loss.OVERLOADED);
    // then
    assertThatThrownBy(() -> remote.publish(task())).isInstanceOf(RefusedException.class);
    assertThat(remote.metrics().published()).isZero();
  }

  @Test
  void shouldTakeAnAckAgainThatDidNotArrive() throws InterruptedException {
    // given
    TaskSubscription subscription = remote.subscribe(TOPIC, "pump", DEVICE);
    UUID id = remote.publish(task()).taskId();
    next(subscription);
    // when
    flaky.loseStarts(1, Loss.BEFORE);
    assertThatThrownBy(() -> remote.acks().send(TaskAck.running(id, DEVICE)))
        .isInstanceOf(UnreachableException.class);
    AckVerdict running = remote.acks().send(TaskAck.running(id, DEVICE));
    flaky.loseSettles(1, Loss.BEFORE);
    assertThatThrownBy(() -> remote.acks().send(TaskAck.complete(id, DEVICE)))
        .isInstanceOf(UnreachableException.class);
    AckVerdict complete = remote.acks().send(TaskAck.complete(id, DEVICE));
    // then
    assertThat(running).isEqualTo(AckVerdict.APPLIED);
    assertThat(complete).isEqualTo(AckVerdict.APPLIED);
    assertStatus(id, TaskStatus.COMPLETE);
  }

  @Test
  void shouldNotFailTwiceWhenTheAnswerToAFailureGotLost() throws InterruptedException {
    // given
    TaskSubscription subscription = remote.subscribe(TOPIC, "pump", DEVICE);
    UUID id = remote.publish(task()).taskId();
    ReceivedTask held = next(subscription);
    flaky.loseSettles(1, Loss.AFTER);
    // when
    assertThatThrownBy(() -> held.failed("dry")).isInstanceOf(UnreachableException.class);
    AckVerdict again = held.failed("dry");
    advance(Duration.ofSeconds(1));
    // then
    assertThat(again).isEqualTo(AckVerdict.REPEATED);
    assertThat(soon(subscription).failures()).isEqualTo(1);
    assertThat(tasks.taskState(id).attempts()).isEqualTo(2);
  }

  @Test
  void shouldGoOnTakingWhenTheBrokerIsBack() {
    // given
    flaky.losePops(0, Loss.BEFORE);
    TaskSubscription subscription = remote.subscribe(TOPIC, "pump", DEVICE);
    flaky.losePops(3, Loss.BEFORE);
    subscription.handle(task -> {});
    // when
    UUID id = remote.publish(task()).taskId();
    // then
    await()
        .untilAsserted(
            () -> {
              advance(Duration.ofMillis(100));
              assertStatus(id, TaskStatus.COMPLETE);
            });
    assertThat(log.lines("WARN Taking a task in topic irrigation did not work")).hasSize(3);
  }

  @Test
  void shouldInsistOnAnAckUntilTheBrokerAnswers() {
    // given
    TaskSubscription subscription = remote.subscribe(TOPIC, "pump", DEVICE);
    AtomicInteger handled = new AtomicInteger();
    flaky.loseSettles(3, Loss.AFTER);
    // when
    subscription.handle(task -> handled.incrementAndGet());
    UUID id = remote.publish(task()).taskId();
    // then
    await()
        .untilAsserted(
            () -> {
              advance(Duration.ofMillis(100));
              assertThat(flaky.settlesToLose()).isZero();
              assertThat(remote.metrics().repeated()).isEqualTo(1);
            });
    assertStatus(id, TaskStatus.COMPLETE);
    assertThat(handled).hasValue(1);
  }

  @Test
  void shouldLetTheAckTimeoutDecideWhenNoAckGetsThrough() {
    // given
    TaskSubscription subscription = remote.subscribe(TOPIC, "pumps", "pump-1");
    CountDownLatch handled = new CountDownLatch(2);
    flaky.loseSettles(1_000_000, Loss.BEFORE);
    // when
    subscription.handle(task -> handled.countDown());
    UUID id = remote.publish(task()).taskId();
    // then: the task comes again, because nobody knows that it was done
    await()
        .until(
            () -> {
              advance(Duration.ofSeconds(10));
              return handled.getCount() == 0;
            });
    flaky.loseSettles(0, Loss.BEFORE);
    await()
        .untilAsserted(
            () -> {
              advance(Duration.ofSeconds(10));
              assertStatus(id, TaskStatus.COMPLETE);
            });
  }

  @Test
  void shouldCloseWhileTheBrokerDoesNotAnswer() throws InterruptedException {
    // given
    TaskSubscription subscription = remote.subscribe(TOPIC, "pump", DEVICE);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    subscription.handle(
        task -> {
          begun.countDown();
          never.await();
        });
    remote.publish(task());
    begun.await();
    flaky.loseSettles(1_000_000, Loss.BEFORE);
    // when
    subscription.close();
    // then: its handler has ended before the close stopped waiting for it
    assertThat(log.lines("WARN A handler of subscriber")).isEmpty();
    assertThat(log.lines("WARN Release of Task[")).hasSize(1);
    flaky.loseSettles(0, Loss.BEFORE);
  }

  @Test
  void shouldNotInterruptAnAckThatIsOnItsWay() throws InterruptedException {
    // given: a broker that takes its time to settle, until the subscription is being closed
    AtomicReference<@Nullable TaskSubscription> closing = new AtomicReference<>();
    AtomicReference<@Nullable Boolean> interrupted = new AtomicReference<>();
    CountDownLatch settling = new CountDownLatch(1);
    Broker slow =
        new ForwardingBroker(broker) {
          @Override
          public Result<Settled> settle(SettleRequest request) {
            settling.countDown();
            TaskSubscription subscription = closing.get();
            while (subscription != null && !subscription.isClosed()) {
              Thread.onSpinWait();
            }
            interrupted.set(Thread.currentThread().isInterrupted());
            return super.settle(request);
          }
        };
    try (TaskBroker own = TaskBroker.on(slow, TaskBrokerConfig.DEFAULTS, clock, log)) {
      TaskSubscription subscription = own.subscribe(TOPIC, "pump", DEVICE);
      closing.set(subscription);
      subscription.handle(task -> {});
      UUID id = own.publish(task()).taskId();
      settling.await();
      // when
      subscription.close();
      // then
      assertThat(interrupted.get()).isFalse();
      assertStatus(id, TaskStatus.COMPLETE);
    }
  }

  @Test
  void shouldRenewATaskWhileItsHandlerRuns() throws InterruptedException {
    // given a handler that takes three times the ack timeout
    TaskSubscription first = remote.subscribe(TOPIC, "pumps", "pump-1");
    TaskSubscription second = remote.subscribe(TOPIC, "pumps", "pump-2");
    CountDownLatch done = new CountDownLatch(1);
    first.handle(task -> done.await());
    UUID id = remote.publish(task()).taskId();
    await().untilAsserted(() -> assertStatus(id, TaskStatus.RUNNING));
    // when
    for (int renewals = 1; renewals <= 9; renewals++) {
      int expected = renewals;
      advance(Duration.ofSeconds(100));
      await().until(() -> flaky.extensions() >= expected);
    }
    // then
    assertNone(second);
    done.countDown();
    await().untilAsserted(() -> assertStatus(id, TaskStatus.COMPLETE));
    assertThat(tasks.taskState(id).attempts()).isEqualTo(1);
  }

  @Test
  void shouldInterruptAHandlerWhoseLeaseEnded() {
    // given
    TaskSubscription subscription = remote.subscribe(TOPIC, "pump", DEVICE);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    subscription.handle(
        task -> {
          try {
            never.await();
          } catch (InterruptedException told) {
            interrupted.countDown();
            throw told;
          }
        });
    UUID id = remote.publish(task()).taskId();
    await().untilAsserted(() -> assertStatus(id, TaskStatus.RUNNING));
    // when no renewal gets through for the whole ack timeout
    flaky.loseExtensions(1_000_000, Loss.BEFORE);
    advance(Duration.ofMinutes(5));
    // then
    await().until(() -> interrupted.getCount() == 0);
    await().until(() -> log.lines("WARN Task " + id + ": the lease ended").size() == 1);
  }

  @Test
  void shouldAnswerNoFiguresWhileTheBrokerIsClosed() {
    // given
    broker.close();
    // then
    assertThatThrownBy(remote::metrics).isInstanceOf(RefusedException.class);
    assertThat(remote.counted().published()).isZero();
  }
}
