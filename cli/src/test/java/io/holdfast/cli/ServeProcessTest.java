package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} as a user starts, stops and kills it: a process of its own. */
@Tag("slow")
class ServeProcessTest {
  @TempDir Path directory;

  @Test
  void shouldAnswerAParkedPollAndExitWithZeroOnTerm() throws Exception {
    try (ServedProcess served = ServedProcess.start(directory)) {
      // given
      CompletableFuture<HttpResponse<String>> poll =
          served.getLater("/api/v1/pop/queue/empty?wait=true&timeout=600000");
      served.awaitParked(1);
      assertThat(poll).isNotDone();
      // when
      served.terminate();
      // then
      assertThat(poll.get().statusCode()).isIn(204, 503);
      assertThat(served.exitCode()).isZero();
      assertThat(served.output()).contains("Stopping", "Stopped");
      assertThat(served.errors()).isEmpty();
    }
  }

  @Test
  void shouldExitWithOneOnTermAfterTheBrokerStoppedOnADiskError() throws Exception {
    try (ServedProcess served = ServedProcess.start(directory)) {
      // given: the next log, which a checkpoint begins, is a device without room
      String push = "{\"items\":[{\"queue\":\"orders\",\"payload\":1}]}";
      assertThat(served.post("/api/v1/push", push).statusCode()).isLessThan(300);
      for (int number = 1; number <= 100; number++) {
        Path log = directory.resolve("data").resolve("%06d.log".formatted(number));
        if (!Files.exists(log)) {
          Files.createSymbolicLink(log, Path.of("/dev/full"));
        }
      }
      served.post("/api/v1/system/checkpoints", "{}");
      assertThat(served.post("/api/v1/push", push).statusCode()).isEqualTo(503);
      // when
      served.terminate();
      // then
      assertThat(served.exitCode()).isEqualTo(1);
      assertThat(served.errors()).contains("Stopped after a failure", "The disk is full");
    }
  }

  @Test
  void shouldSayWhereItListensAndWhatToTry() throws Exception {
    try (ServedProcess served = ServedProcess.start(directory)) {
      assertThat(served.output())
          .startsWith("Holdfast listens on " + served.url())
          .contains(directory.resolve("data").toString(), "fsync", "survives a power failure")
          .contains("curl " + served.url() + "/api/v1/push")
          .contains("curl " + served.url() + "/api/v1/pop/queue/hello");
    }
  }

  @Test
  void shouldKeepMessagesWhenItIsKilled() throws Exception {
    // given
    try (ServedProcess served = ServedProcess.start(directory)) {
      for (int i = 1; i <= 3; i++) {
        served.post("/api/v1/push", "{\"items\":[{\"queue\":\"orders\",\"payload\":" + i + "}]}");
      }
      served.post("/queue/jobs/push", "{\"item\":\"late\",\"priority\":9}");
      served.post("/queue/jobs/push", "{\"item\":\"soon\"}");
      // when
      served.kill();
    }
    // then
    try (ServedProcess served = ServedProcess.start(directory)) {
      HttpResponse<String> popped = served.get("/api/v1/pop/queue/orders?batch=10");
      assertThat(popped.statusCode()).isEqualTo(200);
      assertThat(popped.body()).contains("\"data\":1,", "\"data\":2,", "\"data\":3,");
      assertThat(served.post("/queue/jobs/pop", "").body())
          .isEqualTo("{\"items\":[\"soon\",\"late\"],\"count\":2}");
    }
  }

  @Test
  void shouldSayThatThePortIsTaken() throws Exception {
    try (ServedProcess first = ServedProcess.start(directory);
        ServedProcess second =
            ServedProcess.launch(
                directory,
                Map.of(),
                "--port",
                first.port(),
                "--data",
                directory.resolve("other").toString())) {
      assertThat(second.exitCode()).isEqualTo(1);
      assertThat(second.errors().lines())
          .singleElement()
          .asString()
          .contains("cannot listen on 127.0.0.1:" + first.port(), "--port");
      assertThat(second.output()).isEmpty();
    }
  }

  @Test
  void shouldSayThatTheDataIsInUse() throws Exception {
    try (ServedProcess first = ServedProcess.start(directory);
        ServedProcess second =
            ServedProcess.launch(
                directory,
                Map.of(),
                "--port",
                "0",
                "--data",
                directory.resolve("data").toString())) {
      assertThat(first.url()).isNotEmpty();
      assertThat(second.exitCode()).isEqualTo(1);
      assertThat(second.errors().lines()).singleElement().asString().contains("is open already");
    }
  }

  @Test
  void shouldRefuseToStandAmongStrangersWithoutTokens() throws Exception {
    try (ServedProcess refused =
        ServedProcess.launch(
            directory,
            Map.of(),
            "--host",
            "0.0.0.0",
            "--port",
            "0",
            "--data",
            directory.resolve("data").toString())) {
      assertThat(refused.exitCode()).isEqualTo(2);
      assertThat(refused.errors().lines())
          .singleElement()
          .asString()
          .contains("holdfast token create --role admin", "--tls-cert", "--insecure");
      assertThat(directory.resolve("data")).doesNotExist();
    }
  }

  @Test
  void shouldTakeOptionsFromTheEnvironment() throws Exception {
    Map<String, String> environment =
        Map.of(
            "HOLDFAST_PORT",
            "0",
            "HOLDFAST_DATA",
            directory.resolve("elsewhere").toString(),
            "HOLDFAST_DURABILITY",
            "os");
    try (ServedProcess served = ServedProcess.launch(directory, environment)) {
      assertThat(served.get("/health").body()).contains("\"durability\":\"os\"");
      assertThat(served.output()).contains(directory.resolve("elsewhere").toString());
      assertThat(served.port()).isNotEqualTo("6632");
    }
  }
}
