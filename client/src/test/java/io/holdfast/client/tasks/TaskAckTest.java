package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.task.TaskStatus;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TaskAckTest {
  private static final UUID ID = UUID.fromString("0b0e7c3c-95a5-4a3e-8a53-5a6f4c2d1e00");
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00.250Z");

  @Test
  void shouldMakeAnAckOfEachStatus() {
    // when
    TaskAck running = TaskAck.running(ID, "d1");
    TaskAck complete = TaskAck.complete(ID, "d1");
    // then
    assertThat(running.status()).isEqualTo(TaskStatus.RUNNING);
    assertThat(complete.status()).isEqualTo(TaskStatus.COMPLETE);
    assertThat(complete.taskId()).isEqualTo(ID);
    assertThat(complete.deviceId()).isEqualTo("d1");
    assertThat(complete.error()).isNull();
    assertThat(complete.timestamp()).isAfter(NOON.minusSeconds(86_400 * 365L));
  }

  @Test
  void shouldMakeAnAckWithAnError() {
    // when
    TaskAck failed = TaskAck.failed(ID, "d1", "no water");
    // then
    assertThat(failed.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(failed.error()).isEqualTo("no water");
  }

  @Test
  void shouldRefuseWhatOnlyTheBrokerMaySay() {
    for (TaskStatus status :
        new TaskStatus[] {TaskStatus.QUEUED, TaskStatus.RECEIVED, TaskStatus.DEAD}) {
      assertThatThrownBy(() -> new TaskAck(ID, status, "d1", NOON, null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected RUNNING, COMPLETE or FAILED, but got " + status);
    }
  }

  @Test
  void shouldRefuseAnErrorWithoutAFailureAndAFailureWithoutAnError() {
    assertThatThrownBy(() -> new TaskAck(ID, TaskStatus.COMPLETE, "d1", NOON, "oops"))
        .hasMessageContaining("error: expected none");
    assertThatThrownBy(() -> new TaskAck(ID, TaskStatus.FAILED, "d1", NOON, null))
        .hasMessageContaining("error: expected what went wrong");
  }

  @Test
  void shouldRefuseADeviceWithoutAName() {
    assertThatThrownBy(() -> TaskAck.running(ID, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("deviceId");
    assertThatThrownBy(() -> TaskAck.running(ID, "two\nlines"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("control characters");
  }

  @Test
  void shouldBeWrittenAsJsonAndReadBack() {
    // given
    TaskAck running = TaskAck.running(ID, "d1").at(NOON);
    TaskAck failed = TaskAck.failed(ID, "größe \"7\"", "line one\n\tback\\slash \u0001 ☂").at(NOON);
    // then
    assertThat(running.toJson())
        .isEqualTo(
            "{\"taskId\":\"0b0e7c3c-95a5-4a3e-8a53-5a6f4c2d1e00\",\"status\":\"Running\","
                + "\"deviceId\":\"d1\",\"timestamp\":\"2026-03-01T12:00:00.250Z\"}");
    assertThat(TaskAck.fromJson(running.toJson())).isEqualTo(running);
    assertThat(TaskAck.fromJson(failed.toJson())).isEqualTo(failed);
  }

  @Test
  void shouldReadJsonAsOthersWriteIt() {
    // when
    TaskAck ack =
        TaskAck.fromJson(
            " { \"status\" : \"COMPLETE\", \"error\": null,\n\"deviceId\":\"\\u0064\\/1\","
                + " \"timestamp\":\"2026-03-01T12:00:00Z\", \"unit\":\"x\", \"taskId\":\""
                + ID
                + "\" } ");
    // then
    assertThat(ack)
        .isEqualTo(
            new TaskAck(
                ID, TaskStatus.COMPLETE, "d/1", Instant.parse("2026-03-01T12:00:00Z"), null));
  }

  @Test
  void shouldSayWhatIsWrongWithJson() {
    assertWrong("", "expected '{'");
    assertWrong("{\"taskId\":1}", "expected '\"'");
    assertWrong("{\"taskId\":\"a", "expected the end of a text");
    assertWrong("{\"taskId\":\"\\u00g0\"}", "four hexadecimal digits");
    assertWrong("{\"a\":\"b\",\"a\":\"c\"}", "a is there twice");
    assertWrong("{} x", "expected the end");
    assertWrong("{}", "status: expected a text");
    assertWrong("{\"status\":\"Done\"}", "expected Running, Complete or Failed, but got Done");
    assertWrong(
        "{\"status\":\"Running\",\"taskId\":\""
            + ID
            + "\",\"deviceId\":\"d\",\"timestamp\":\"noon\"}",
        "timestamp: expected a time");
    assertWrong("x".repeat(TaskAckJson.CHARS_MAX + 1), "expected at most");
  }

  private static void assertWrong(String json, String message) {
    assertThatThrownBy(() -> TaskAck.fromJson(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
