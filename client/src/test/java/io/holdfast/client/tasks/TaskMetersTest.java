package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.api.task.TaskStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The six metrics of the task specification. */
class TaskMetersTest extends TaskFixture {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** Two tasks complete, one of them after a retry; one dead; one waiting for a retry. */
  private void live() throws InterruptedException {
    TaskSubscription subscription = tasks.subscribe(TOPIC, "pump", DEVICE);
    tasks.publish(task());
    advance(Duration.ofSeconds(2));
    ReceivedTask first = next(subscription);
    first.running();
    advance(Duration.ofSeconds(1));
    first.complete();
    tasks.publish(task());
    advance(Duration.ofSeconds(4));
    next(subscription).failed("dry");
    advance(Duration.ofSeconds(1));
    soon(subscription).complete();
    tasks.publish(task());
    die(subscription, "dry");
    tasks.publish(task());
    next(subscription).failed("dry");
    tasks.acks().send(TaskAck.complete(UUID.randomUUID(), DEVICE));
  }

  @Test
  void shouldCountTheSixFigures() throws InterruptedException {
    // when
    live();
    TaskMetrics metrics = tasks.metrics();
    // then
    assertThat(metrics.published()).isEqualTo(4);
    assertThat(metrics.acknowledged())
        .containsEntry(TaskStatus.RUNNING, 1L)
        .containsEntry(TaskStatus.COMPLETE, 2L)
        .containsEntry(TaskStatus.FAILED, 6L);
    assertThat(metrics.inRetryQueue()).isEqualTo(1);
    assertThat(metrics.inDlq()).isEqualTo(1);
    assertThat(metrics.ended()).isEqualTo(3);
    assertThat(metrics.averageRetryCount()).isEqualTo(4 / 3.0);
    assertThat(metrics.firstAcks()).isEqualTo(4);
    assertThat(metrics.ackLatencyTotalMs()).isEqualTo(6_000);
    assertThat(metrics.ackLatencyMaxMs()).isEqualTo(4_000);
    assertThat(metrics.averageAckLatency()).isEqualTo(Duration.ofMillis(1_500));
    assertThat(metrics.unknown()).isEqualTo(1);
  }

  @Test
  void shouldHaveNoAveragesOfNothing() {
    assertThat(tasks.metrics().averageRetryCount()).isZero();
    assertThat(tasks.metrics().averageAckLatency()).isZero();
  }

  @Test
  void shouldBindThemToMicrometer() throws InterruptedException {
    // given
    new TaskMeters(tasks).bindTo(registry);
    // when
    live();
    // then
    assertThat(counter("holdfast.tasks.published")).isEqualTo(4);
    assertThat(registry.get("holdfast.tasks.acknowledged").tag("status", "failed"))
        .satisfies(search -> assertThat(search.functionCounter().count()).isEqualTo(6));
    assertThat(registry.get("holdfast.tasks.acknowledged").functionCounters()).hasSize(3);
    eventuallyReads("holdfast.tasks.retry.queue", 1);
    eventuallyReads("holdfast.tasks.dlq", 1);
    assertThat(gauge("holdfast.tasks.retries.average")).isEqualTo(4 / 3.0);
    assertThat(counter("holdfast.tasks.acks.unknown")).isEqualTo(1);
    assertThat(registry.get("holdfast.tasks.ack.latency").functionTimer().count()).isEqualTo(4);
    assertThat(
            registry
                .get("holdfast.tasks.ack.latency")
                .functionTimer()
                .totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(6_000);
  }

  @Test
  void shouldSayThatAFigureIsNotKnownWhileTheBrokerDoesNotAnswer() {
    // given
    new TaskMeters(tasks).bindTo(registry);
    eventuallyReads("holdfast.tasks.dlq", 0);
    // when
    broker.close();
    // then
    eventuallyReads("holdfast.tasks.dlq", Double.NaN);
    eventuallyReads("holdfast.tasks.retry.queue", Double.NaN);
    assertThat(counter("holdfast.tasks.published")).isZero();
  }

  @Test
  void shouldNotWaitForTheBrokerInAGauge() {
    // given a broker that does not answer
    CountDownLatch answers = new CountDownLatch(1);
    Broker slow =
        new ForwardingBroker(broker) {
          @Override
          public Result<Page<QueueInfo>> queues(QueuesRequest request) {
            try {
              answers.await();
            } catch (InterruptedException interrupted) {
              Thread.currentThread().interrupt();
            }
            return super.queues(request);
          }
        };
    try (TaskBroker onSlow = TaskBroker.on(slow, TaskBrokerConfig.DEFAULTS, clock, log)) {
      new TaskMeters(onSlow).bindTo(registry);
      // when
      CompletableFuture<Double> read =
          CompletableFuture.supplyAsync(
              () -> gauge("holdfast.tasks.dlq"), Thread::startVirtualThread);
      // then
      await().untilAsserted(() -> assertThat(read).isCompletedWithValue(Double.NaN));
    } finally {
      answers.countDown();
    }
  }

  /** Reads a figure of the broker until its answer has come. */
  private void eventuallyReads(String name, double value) {
    await()
        .untilAsserted(
            () -> {
              clock.advance(Duration.ofSeconds(1));
              assertThat(gauge(name)).isEqualTo(Double.valueOf(value));
            });
  }

  private double counter(String name) {
    return registry.get(name).functionCounter().count();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }
}
