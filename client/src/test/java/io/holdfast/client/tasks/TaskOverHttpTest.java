package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.UnreachableException;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.client.remote.OverHttpFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tasks over a network that fails. */
class TaskOverHttpTest extends OverHttpFixture {
  private static final String TOPIC = "irrigation";
  private static final RetryConfig RETRY =
      new RetryConfig(3, Duration.ofMillis(10), Duration.ofMillis(100), 2.0);
  private static final TaskBrokerConfig CONFIG =
      TaskBrokerConfig.DEFAULTS.retry(RETRY).ackTimeout(Duration.ofSeconds(20));

  private TaskBroker tasks;
  private TaskSubscription subscription;

  @BeforeEach
  void open() {
    tasks = TaskBroker.on(remote, CONFIG);
    subscription = tasks.subscribe(TOPIC, "sprinklers");
  }

  @AfterEach
  void closeTasks() {
    restore();
    tasks.close();
  }

  private UUID publish() {
    return tasks.publish(Task.of(TOPIC, "start")).taskId();
  }

  @Test
  void shouldFollowATaskFromPublishToComplete() throws Exception {
    // when
    UUID id = publish();
    assertThat(tasks.taskStatus(id)).isEqualTo(TaskStatus.QUEUED);
    ReceivedTask task = subscription.take();
    assertThat(tasks.taskStatus(id)).isEqualTo(TaskStatus.RECEIVED);
    assertThat(task.running()).isEqualTo(AckVerdict.APPLIED);
    assertThat(tasks.taskStatus(id)).isEqualTo(TaskStatus.RUNNING);
    assertThat(task.complete()).isEqualTo(AckVerdict.APPLIED);
    // then
    assertThat(task.task().id()).isEqualTo(id);
    assertThat(tasks.taskStatus(id)).isEqualTo(TaskStatus.COMPLETE);
    assertAllIsSettled(TOPIC);
  }

  @Test
  void shouldRetryATaskUntilItIsDeadAndHaveItTriedAgain() throws Exception {
    // given
    UUID id = publish();
    // when
    for (int failure = 1; failure <= 4; failure++) {
      ReceivedTask task = subscription.take();
      assertThat(task.failures()).isEqualTo(failure - 1);
      assertThat(task.failed("dry " + failure)).isEqualTo(AckVerdict.APPLIED);
    }
    // then
    assertThat(tasks.taskStatus(id)).isEqualTo(TaskStatus.DEAD);
    DlqEntry dead = tasks.deadLetters().get(0);
    assertThat(dead.task().id()).isEqualTo(id);
    assertThat(dead.errors()).containsExactly("dry 1", "dry 2", "dry 3", "dry 4");
    // when
    assertThat(tasks.requeue(id)).isEqualTo(1);
    assertThat(subscription.take().complete()).isEqualTo(AckVerdict.APPLIED);
    // then
    assertThat(tasks.taskStatus(id)).isEqualTo(TaskStatus.COMPLETE);
    assertThat(tasks.deadLetters()).isEmpty();
  }

  @Test
  void shouldThrowAnAckThatCannotBeSentAndDeliverTheTaskAgain() throws Exception {
    // given
    UUID id = publish();
    try (TaskBroker brief = TaskBroker.on(remote, CONFIG.ackTimeout(Duration.ofSeconds(1)))) {
      ReceivedTask task = brief.subscribe(TOPIC, "sprinklers").take();
      // when
      cut();
      assertThatThrownBy(task::complete).isInstanceOf(UnreachableException.class);
      restore();
      assertAgain(id, task);
    }
  }

  private void assertAgain(UUID id, ReceivedTask task) throws Exception {
    ReceivedTask again = subscription.take();
    // then
    assertThat(again.task().id()).isEqualTo(id);
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(task.complete()).as("too late").isEqualTo(AckVerdict.IGNORED);
    assertThat(again.complete()).isEqualTo(AckVerdict.APPLIED);
    assertThat(tasks.taskStatus(id)).isEqualTo(TaskStatus.COMPLETE);
  }

  @Test
  void shouldTakeAnAckForSaidIfItsAnswerIsLost() throws Exception {
    // given
    UUID id = publish();
    ReceivedTask task = subscription.take();
    // when
    relay.loseAnswers("start", 1);
    assertThat(task.running()).isEqualTo(AckVerdict.APPLIED);
    relay.loseAnswers("settle", 1);
    assertThat(task.complete()).isEqualTo(AckVerdict.REPEATED);
    // then
    assertThat(relay.answersToLose()).isZero();
    assertThat(tasks.taskStatus(id)).isEqualTo(TaskStatus.COMPLETE);
    assertAllIsSettled(TOPIC);
  }

  @Test
  void shouldPublishATaskOnceIfTheAnswerIsLost() {
    // given
    relay.loseAnswers("push", 2);
    // when
    publish();
    // then
    assertThat(relay.answersToLose()).isZero();
    assertThat(counts(TOPIC).waiting()).isEqualTo(1);
  }

  @Test
  void shouldEndATakeAtOnceThatIsInterrupted() throws Exception {
    // given
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Thread taker =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    subscription.take();
                  } catch (InterruptedException expected) {
                    ended.complete(true);
                  }
                });
    eventually(() -> assertThat(parked()).isEqualTo(1));
    // when
    taker.interrupt();
    promptly(ended::join);
    // then
    assertThat(subscription.isClosed()).isFalse();
    eventually(() -> assertThat(parked()).isZero());
    publish();
    assertThat(subscription.take().complete()).isEqualTo(AckVerdict.APPLIED);
  }

  @Test
  void shouldEndATakeAtOnceThatIsClosed() {
    // given
    CompletableFuture<ReceivedTask> taken = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                taken.complete(subscription.take());
              } catch (IllegalStateException | InterruptedException ended) {
                taken.completeExceptionally(ended);
              }
            });
    eventually(() -> assertThat(parked()).isEqualTo(1));
    // when
    promptly(
        () -> {
          subscription.close();
          assertThatThrownBy(taken::join)
              .isInstanceOf(CompletionException.class)
              .hasCauseInstanceOf(IllegalStateException.class);
        });
    // then
    eventually(() -> assertThat(parked()).isZero());
  }

  @Test
  void shouldHandleEveryTaskWhileTheNetworkIsCutAgainAndAgain() {
    // given: what was taken when the network went comes again soon
    AtomicInteger handled = new AtomicInteger();
    List<UUID> published = new ArrayList<>();
    try (TaskBroker brief = TaskBroker.on(remote, CONFIG.ackTimeout(Duration.ofSeconds(2)))) {
      TaskSubscription sprinklers = brief.subscribe(TOPIC, "sprinklers");
      sprinklers.handle(task -> handled.incrementAndGet());
      sprinklers.handle(task -> handled.incrementAndGet());
      // when
      for (int round = 0; round < 4; round++) {
        int before = handled.get();
        for (int i = 0; i < 20; i++) {
          published.add(publish());
        }
        eventually(() -> assertThat(handled).hasValueGreaterThan(before + 5));
        int accepted = relay.accepted();
        cut();
        eventually(() -> assertThat(relay.accepted()).isGreaterThan(accepted + 3));
        restore();
      }
      // then
      eventually(
          () -> assertThat(published).allMatch(id -> tasks.taskStatus(id) == TaskStatus.COMPLETE));
    }
    assertThat(tasks.deadLetters()).isEmpty();
    assertAllIsSettled(TOPIC);
  }
}
