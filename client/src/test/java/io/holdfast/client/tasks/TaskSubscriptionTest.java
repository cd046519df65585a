package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.task.TaskStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Subscribers: who gets which task, and how they come and go. */
class TaskSubscriptionTest extends TaskFixture {
  @Test
  void shouldGiveEveryTaskToEverySubscriberAndBeCompleteWhenAllAre() throws InterruptedException {
    // given
    TaskSubscription pump = tasks.subscribe(TOPIC, "pump", "pump-1");
    TaskSubscription meter = tasks.subscribe(TOPIC, "meter", "meter-1");
    UUID id = tasks.publish(task()).taskId();
    // when
    next(pump);
    next(meter);
    tasks.acks().send(TaskAck.running(id, "meter-1"));
    tasks.acks().send(TaskAck.complete(id, "pump-1"));
    // then
    assertStatus(id, TaskStatus.RUNNING);
    assertThat(tasks.taskState(id).subscribers())
        .containsExactlyInAnyOrder(
            new TaskState.Subscriber("pump", TaskStatus.COMPLETE, "pump-1", 1),
            new TaskState.Subscriber("meter", TaskStatus.RUNNING, "meter-1", 1));
    // when
    tasks.acks().send(TaskAck.complete(id, "meter-1"));
    // then
    assertStatus(id, TaskStatus.COMPLETE);
  }

  @Test
  void shouldNotLetOneSubscribersSuccessEndAnothersRetry() throws InterruptedException {
    // given
    TaskSubscription pump = tasks.subscribe(TOPIC, "pump", "pump-1");
    TaskSubscription meter = tasks.subscribe(TOPIC, "meter", "meter-1");
    UUID id = tasks.publish(task()).taskId();
    next(pump);
    next(meter);
    // when
    tasks.acks().send(TaskAck.failed(id, "pump-1", "dry"));
    tasks.acks().send(TaskAck.complete(id, "meter-1"));
    advance(Duration.ofSeconds(1));
    // then
    assertThat(soon(pump).failures()).isEqualTo(1);
    assertNone(meter);
  }

  @Test
  void shouldShareTheTasksOfASubscriberAmongItsDevices() throws InterruptedException {
    // given
    TaskSubscription one = tasks.subscribe(TOPIC, "pumps", "pump-1");
    TaskSubscription two = tasks.subscribe(TOPIC, "pumps", "pump-2");
    tasks.publish(List.of(task(), task()));
    // when
    UUID first = next(one).task().id();
    UUID second = next(two).task().id();
    // then
    assertThat(first).isNotEqualTo(second);
    assertNone(one);
    assertNone(two);
  }

  @Test
  void shouldGiveEveryTaskToEveryNamelessSubscription() throws InterruptedException {
    // given
    TaskSubscription one = tasks.subscribe(TOPIC);
    TaskSubscription two = tasks.subscribe(TOPIC);
    UUID id = tasks.publish(task()).taskId();
    // then
    assertThat(one.subscriber()).isEqualTo("subscriber-1");
    assertThat(two.subscriber()).isEqualTo("subscriber-2");
    assertThat(next(one).task().id()).isEqualTo(id);
    assertThat(next(two).task().id()).isEqualTo(id);
    // when: acks of devices that nobody had named before
    tasks.acks().send(TaskAck.running(id, "a"));
    tasks.acks().send(TaskAck.running(id, "b"));
    tasks.acks().send(TaskAck.complete(id, "a"));
    assertStatus(id, TaskStatus.RUNNING);
    tasks.acks().send(TaskAck.complete(id, "b"));
    // then
    assertStatus(id, TaskStatus.COMPLETE);
  }

  @Test
  void shouldFindANamelessSubscriberAgain() throws InterruptedException {
    // given
    tasks.subscribe(TOPIC);
    UUID id = tasks.publish(task()).taskId();
    tasks.close();
    // when
    TaskBroker later = open(TaskBrokerConfig.DEFAULTS);
    TaskSubscription again = later.subscribe(TOPIC);
    // then
    assertThat(next(again).task().id()).isEqualTo(id);
  }

  @Test
  void shouldKeepTasksForASubscriberThatIsAway() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump");
    subscription.close();
    UUID id = tasks.publish(task()).taskId();
    // when
    TaskSubscription back = tasks.subscribe(TOPIC, "pump");
    // then
    assertThat(next(back).task().id()).isEqualTo(id);
  }

  @Test
  void shouldKeepTasksForTheFirstSubscriberToCome() throws InterruptedException {
    // given
    UUID id = tasks.publish(task()).taskId();
    // when
    TaskSubscription first = tasks.subscribe(TOPIC, "pump");
    TaskSubscription second = tasks.subscribe(TOPIC, "meter");
    // then
    assertNone(second);
    next(first).complete();
    assertStatus(id, TaskStatus.COMPLETE);
  }

  @Test
  void shouldNotRepeatWhatIsDoneForASubscriberThatComesLater() throws InterruptedException {
    // given
    TaskSubscription first = tasks.subscribe(TOPIC, "pump");
    tasks.publish(task());
    next(first).complete();
    tasks.unsubscribe(first);
    UUID unseen = tasks.publish(task()).taskId();
    // when: there is no subscriber left, so that this one is the first to come
    TaskSubscription second = tasks.subscribe(TOPIC, "meter");
    // then
    assertThat(next(second).task().id()).isEqualTo(unseen);
    assertNone(second);
  }

  @Test
  void shouldDeleteTheSubscriberOnUnsubscribe() throws InterruptedException {
    // given
    TaskSubscription pump = tasks.subscribe(TOPIC, "pump", "pump-1");
    TaskSubscription meter = tasks.subscribe(TOPIC, "meter", "meter-1");
    UUID id = tasks.publish(task()).taskId();
    next(pump).complete();
    // when
    tasks.unsubscribe(meter);
    // then
    assertThat(broker.groups(GroupsRequest.ofQueue(TOPIC)).orThrow().items())
        .extracting(GroupInfo::group)
        .containsExactly("pump");
    assertThat(meter.isClosed()).isTrue();
    assertThatThrownBy(() -> meter.poll(Duration.ZERO))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
    assertStatus(id, TaskStatus.COMPLETE);
    assertThat(tasks.taskState(id).subscribers())
        .extracting(TaskState.Subscriber::name)
        .containsExactly("pump");
    assertThat(tasks.unsubscribe(TOPIC, "meter")).isFalse();
  }

  @Test
  void shouldIgnoreAcksOfASubscriberThatIsGone() throws InterruptedException {
    // given
    TaskSubscription pump = tasks.subscribe(TOPIC, "pump", "pump-1");
    UUID id = tasks.publish(task()).taskId();
    ReceivedTask held = next(pump);
    // when
    tasks.unsubscribe(pump);
    // then
    assertThat(held.complete()).isEqualTo(AckVerdict.IGNORED);
    assertThat(tasks.acks().send(TaskAck.complete(id, "pump-1"))).isEqualTo(AckVerdict.IGNORED);
  }

  @Test
  void shouldWaitForATask() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump");
    AtomicReference<@Nullable ReceivedTask> taken = new AtomicReference<>();
    Thread taker = new Thread(() -> taken.set(take(subscription)));
    taker.start();
    // when
    UUID id = tasks.publish(task()).taskId();
    taker.join();
    // then
    ReceivedTask task = taken.get();
    assertThat(task).isNotNull();
    assertThat(task.task().id()).isEqualTo(id);
  }

  private static ReceivedTask take(TaskSubscription subscription) {
    try {
      return subscription.take();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  @Test
  void shouldStopWaitingWhenItsTimeIsOver() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump");
    AtomicReference<@Nullable Boolean> empty = new AtomicReference<>();
    Thread poller =
        new Thread(
            () -> {
              try {
                empty.set(subscription.poll(Duration.ofMinutes(30)).isEmpty());
              } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
              }
            });
    poller.start();
    // when
    await()
        .until(
            () -> {
              advance(Duration.ofMinutes(1));
              return !poller.isAlive();
            });
    // then
    assertThat(empty.get()).isTrue();
  }

  @Test
  void shouldCallBackThoseWhoWaitWhenItIsClosed() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump");
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    AtomicReference<@Nullable Boolean> interrupted = new AtomicReference<>();
    Thread taker =
        new Thread(
            () -> {
              try {
                subscription.take();
              } catch (InterruptedException | RuntimeException end) {
                thrown.set(end);
              }
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    taker.start();
    await().until(() -> broker.stats().orThrow().parkedPops() == 1);
    // when
    subscription.close();
    taker.join();
    // then
    assertThat(thrown.get())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
    assertThat(interrupted.get()).isFalse();
  }

  @Test
  void shouldStopWaitingWhenItsThreadIsInterrupted() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump");
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Thread taker =
        new Thread(
            () -> {
              try {
                subscription.take();
              } catch (InterruptedException | RuntimeException end) {
                thrown.set(end);
              }
            });
    taker.start();
    await().until(() -> broker.stats().orThrow().parkedPops() == 1);
    // when
    taker.interrupt();
    taker.join();
    // then
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    assertThat(subscription.isClosed()).isFalse();
  }

  @Test
  void shouldHandleTasksOnAThreadOfItsOwn() {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    AtomicReference<@Nullable TaskStatus> during = new AtomicReference<>();
    // when
    subscription.handle(task -> during.set(tasks.taskStatus(task.task().id())));
    UUID id = tasks.publish(task()).taskId();
    // then
    await().untilAsserted(() -> assertStatus(id, TaskStatus.COMPLETE));
    assertThat(during.get()).isEqualTo(TaskStatus.RUNNING);
    assertThat(tasks.taskState(id).deviceId()).isEqualTo(DEVICE);
  }

  @Test
  void shouldFailATaskWhoseHandlerThrows() {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    subscription.handle(
        task -> {
          if (task.failures() == 0) {
            throw new IllegalStateException("no water");
          }
        });
    // when
    UUID id = tasks.publish(task()).taskId();
    // then
    await().untilAsserted(() -> assertStatus(id, TaskStatus.FAILED));
    assertThat(tasks.taskState(id).error()).isEqualTo("java.lang.IllegalStateException: no water");
    // when
    advance(Duration.ofSeconds(1));
    // then
    await().untilAsserted(() -> assertStatus(id, TaskStatus.COMPLETE));
  }

  @Test
  void shouldNotFailTheTaskOfADeviceThatIsShutDown() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pumps", "pump-1");
    TaskSubscription other = tasks.subscribe(TOPIC, "pumps", "pump-2");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    subscription.handle(
        task -> {
          begun.countDown();
          never.await();
        });
    UUID id = tasks.publish(task()).taskId();
    begun.await();
    // when
    subscription.close();
    // then
    assertThat(tasks.metrics().acknowledged()).containsEntry(TaskStatus.FAILED, 0L);
    assertThat(tasks.taskState(id).error()).isNull();
    ReceivedTask again = next(other);
    assertThat(again.failures()).isZero();
    assertThat(again.complete()).isEqualTo(AckVerdict.APPLIED);
  }

  @Test
  void shouldNotFailATaskWhoseHandlerCancelledItself() {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    subscription.handle(
        task -> {
          if (task.attempt() == 1) {
            throw new CancellationException("stopped by hand");
          }
        });
    // when
    UUID id = tasks.publish(task()).taskId();
    // then: it comes back after a pause, uncharged
    await().untilAsserted(() -> assertThat(tasks.metrics().inRetryQueue()).isEqualTo(1));
    assertStatus(id, TaskStatus.QUEUED);
    advance(Duration.ofSeconds(1));
    await().untilAsserted(() -> assertStatus(id, TaskStatus.COMPLETE));
    assertThat(tasks.metrics().acknowledged()).containsEntry(TaskStatus.FAILED, 0L);
  }

  @Test
  void shouldSayThatATaskIsDoneEvenWhenItIsToldToStop() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    subscription.handle(
        task -> {
          begun.countDown();
          try {
            never.await();
          } catch (InterruptedException stop) {
            // Watering is over: that is a result, not a failure.
            Thread.currentThread().interrupt();
          }
        });
    UUID id = tasks.publish(task()).taskId();
    begun.await();
    // when
    subscription.close();
    // then
    assertStatus(id, TaskStatus.COMPLETE);
  }

  @Test
  void shouldHandleSeveralTasksAtOnceWhenAskedTo() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    CountDownLatch both = new CountDownLatch(2);
    TaskHandler handler =
        task -> {
          both.countDown();
          both.await();
        };
    // when
    subscription.handle(handler).handle(handler);
    List<Published> published = tasks.publish(List.of(task(), task()));
    // then
    await()
        .untilAsserted(
            () -> {
              for (Published task : published) {
                assertStatus(task.taskId(), TaskStatus.COMPLETE);
              }
            });
  }

  @Test
  void shouldLetAHandlerCloseItsOwnSubscription() {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    subscription.handle(task -> subscription.close());
    // when
    UUID first = tasks.publish(task()).taskId();
    // then
    await().untilAsserted(() -> assertStatus(first, TaskStatus.COMPLETE));
    assertThat(subscription.isClosed()).isTrue();
    assertThatThrownBy(() -> subscription.handle(task -> {}))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldTakeTasksThatSomebodyPushedPlainly() throws InterruptedException {
    // given
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);
    UUID messageId =
        broker
            .push(
                PushRequest.of(
                    NewMessage.to(TOPIC, payload).headers(Map.of("instruction", "stop"))))
            .orThrow()
            .messages()
            .getFirst()
            .id();
    // when
    ReceivedTask received = next(subscription);
    // then
    assertThat(received.task().id()).isEqualTo(messageId);
    assertThat(received.task().instruction()).isEqualTo("stop");
    assertThat(tasks.acks().send(TaskAck.complete(messageId, DEVICE)))
        .isEqualTo(AckVerdict.APPLIED);
    assertStatus(messageId, TaskStatus.COMPLETE);
    assertThat(open(TaskBrokerConfig.DEFAULTS).taskStatus(messageId))
        .isEqualTo(TaskStatus.COMPLETE);
  }
}
