package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.task.TaskStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The whole life of tasks, as a fleet of devices sees it. */
class SprinklerTest extends TaskFixture {
  private static final String ZONE = "zone-a";

  private void awaitStatus(UUID id, TaskStatus status) {
    await().untilAsserted(() -> assertStatus(id, status));
  }

  @Test
  void shouldWaterAndStop() {
    try (Sprinkler sprinkler = new Sprinkler(tasks, "a", "sprinkler-1")) {
      // given
      List<String> acks = new CopyOnWriteArrayList<>();
      tasks.onAck(event -> acks.add(event.ack().status() + " by " + event.ack().deviceId()));
      // when
      UUID start = tasks.publish(Task.of(ZONE, "start")).taskId();
      awaitStatus(start, TaskStatus.COMPLETE);
      // then
      assertThat(sprinkler.isOpen()).isTrue();
      await()
          .untilAsserted(
              () ->
                  assertThat(acks)
                      .containsExactly("RUNNING by sprinkler-1", "COMPLETE by sprinkler-1"));
      TaskState state = tasks.taskState(start);
      assertThat(state.publishedAt()).isNotNull();
      assertThat(state.receivedAt()).isNotNull();
      assertThat(state.startedAt()).isNotNull();
      assertThat(state.completedAt()).isNotNull();
      assertThat(state.deviceId()).isEqualTo("sprinkler-1");
      // when
      UUID stop = tasks.publish(Task.of(ZONE, "stop").priority(Task.HIGH)).taskId();
      awaitStatus(stop, TaskStatus.COMPLETE);
      // then
      assertThat(sprinkler.isOpen()).isFalse();
    }
  }

  @Test
  void shouldRetryUntilThereIsWater() {
    try (Sprinkler sprinkler = new Sprinkler(tasks, "a", "sprinkler-1")) {
      // given
      sprinkler.runDry(true);
      UUID start = tasks.publish(Task.of(ZONE, "start")).taskId();
      awaitStatus(start, TaskStatus.FAILED);
      assertThat(tasks.taskState(start).error()).isEqualTo("no water");
      // when
      sprinkler.runDry(false);
      advance(Duration.ofSeconds(1));
      // then
      awaitStatus(start, TaskStatus.COMPLETE);
      assertThat(tasks.taskState(start).attempts()).isEqualTo(2);
      await().untilAsserted(() -> assertThat(tasks.metrics().averageRetryCount()).isEqualTo(1));
    }
  }

  @Test
  void shouldGiveUpWhenItStaysDryAndStartAgainWhenSomebodyHasLooked() {
    try (Sprinkler sprinkler = new Sprinkler(tasks, "a", "sprinkler-1")) {
      // given
      sprinkler.runDry(true);
      UUID start = tasks.publish(Task.of(ZONE, "start")).taskId();
      // when
      for (int seconds : new int[] {1, 2, 4}) {
        awaitStatus(start, TaskStatus.FAILED);
        advance(Duration.ofSeconds(seconds));
        await().until(() -> tasks.taskStatus(start) != TaskStatus.QUEUED);
        int attempts = seconds == 1 ? 2 : seconds == 2 ? 3 : 4;
        await().until(() -> tasks.taskState(start).attempts() == attempts);
      }
      awaitStatus(start, TaskStatus.DEAD);
      // then
      assertThat(tasks.deadLetters())
          .singleElement()
          .satisfies(entry -> assertThat(entry.lastError()).isEqualTo("no water"));
      // when
      sprinkler.runDry(false);
      tasks.requeue(start);
      // then
      awaitStatus(start, TaskStatus.COMPLETE);
      assertThat(sprinkler.watered()).hasSize(1);
    }
  }

  @Test
  void shouldFailAnInstructionThatTheDeviceDoesNotKnow() {
    try (Sprinkler sprinkler = new Sprinkler(tasks, "a", "sprinkler-1")) {
      // when
      UUID id = tasks.publish(Task.of(ZONE, "dance")).taskId();
      // then
      awaitStatus(id, TaskStatus.FAILED);
      assertThat(tasks.taskState(id).error()).isEqualTo("Unknown instruction type: dance");
      assertThat(sprinkler.watered()).isEmpty();
    }
  }

  @Test
  void shouldShareAZoneAmongTenDevicesThatAllSendAcksAtOnce() {
    // given
    List<Sprinkler> fleet = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      fleet.add(new Sprinkler(tasks, "a", "sprinkler-" + i));
    }
    // when
    List<Task> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(Task.of(ZONE, "start"));
    }
    tasks.publish(all);
    // then
    await().until(() -> tasks.metrics().acknowledged(TaskStatus.COMPLETE) == 200);
    for (Task task : all) {
      assertStatus(task.id(), TaskStatus.COMPLETE);
    }
    List<Task> watered = new ArrayList<>();
    fleet.forEach(sprinkler -> watered.addAll(sprinkler.watered()));
    assertThat(watered).containsExactlyInAnyOrderElementsOf(all);
    TaskMetrics metrics = tasks.metrics();
    assertThat(metrics.acknowledged())
        .isEqualTo(
            Map.of(TaskStatus.RUNNING, 200L, TaskStatus.COMPLETE, 200L, TaskStatus.FAILED, 0L));
    assertThat(metrics.ignored() + metrics.unknown() + metrics.repeated()).isZero();
    fleet.forEach(Sprinkler::close);
  }
}
