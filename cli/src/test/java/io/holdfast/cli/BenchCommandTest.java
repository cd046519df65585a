package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.bench.ChildJvm;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Tag("slow")
class BenchCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine commandLine =
      Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  @Test
  void shouldListItsPrograms() {
    // when
    int status = commandLine.execute("bench");

    // then
    assertThat(status).isZero();
    assertThat(out.toString()).contains("engine", "http", "crash", "backlog", "peers");
  }

  @ParameterizedTest
  @ValueSource(strings = {"engine", "http", "crash", "backlog", "peers"})
  void shouldExplainEachProgram(String program) {
    // when
    int status = commandLine.execute("bench", program, "--help");

    // then
    assertThat(status).isZero();
    assertThat(out.toString()).contains("Usage: holdfast bench " + program, "--dir=<dir>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "engine --only no-such-figure",
        "engine --seconds 0",
        "engine --durability maybe",
        "http --only no-such-figure",
        "http --seconds 0",
        "http --client carrier-pigeon",
        "crash --rounds 0",
        "backlog --messages -1",
        "peers --only no-such-workload",
        "peers --rounds 0",
        "peers --scale 0",
        "peers --peers carrier-pigeon"
      })
  void shouldRefuseBadUsage(String arguments) {
    // when
    int status = commandLine.execute(("bench " + arguments).split(" "));

    // then
    assertThat(status).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("--");
  }

  @Test
  void shouldMeasureTheMachineInOneLineOfJson() {
    // when
    int status =
        commandLine.execute("bench", "engine", "--only", "fsync", "--seconds", "1", "--json");

    // then
    assertThat(status).isZero();
    assertThat(out.toString().lines())
        .singleElement()
        .asString()
        .matches("\\{\"bench\":\"fsync\",\"rate\":[0-9.]+,\"unit\":\"fsyncs/s\",\"ratio\":null.*}");
  }

  @Test
  void shouldMeasureAServerInOneLineOfJson() {
    // when
    int status =
        commandLine.execute(
            "bench", "http", "--only", "http-push-single-1", "--seconds", "1", "--json");

    // then
    assertThat(status).as(err.toString()).isZero();
    assertThat(out.toString().lines())
        .singleElement()
        .asString()
        .matches(
            "\\{\"bench\":\"http-push-single-1\",\"rate\":[0-9.]+,\"unit\":\"messages/s\","
                + "\"ratio\":[0-9.]+,\"embedded\":[0-9.]+,\"durability\":\"fsync\".*}");
  }

  @Test
  void shouldMeasureSingleCallsOfTheClient() {
    // when
    int status =
        commandLine.execute(
            ("bench client --only client-push-16,client-push-async-16,client-wakeup --seconds 1"
                    + " --json")
                .split(" "));

    // then
    assertThat(status).as(err.toString()).isZero();
    assertThat(out.toString().lines())
        .map(line -> line.replaceAll(".*\"bench\":\"([^\"]*)\",\"rate\":([0-9.]+).*", "$1 $2"))
        .satisfiesExactly(
            line -> assertThat(line).matches("client-push-16 [1-9][0-9.]*"),
            line -> assertThat(line).matches("client-push-async-16 [1-9][0-9.]*"),
            line -> assertThat(line).matches("client-wakeup [0-9.]*"));
  }

  @Test
  void shouldKeepTheLogEventsOfTasksFromBetweenItsFigures(@TempDir Path directory)
      throws IOException, InterruptedException {
    // given a JVM of its own, in which nothing has been logged before
    Path said = directory.resolve("said.txt");
    ChildJvm jvm = new ChildJvm(Main.class).nativeLibraryIn(directory.resolve("native"));
    String arguments = "bench client --only client-tasks --seconds 1 --json --dir " + directory;

    // when
    Process bench =
        jvm.command(List.of(arguments.split(" ")))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    boolean ended = bench.waitFor(WaitLimits.WORKLOAD.toSeconds(), TimeUnit.SECONDS);
    bench.destroyForcibly();

    // then
    assertThat(ended).isTrue();
    assertThat(Files.readString(said))
        .contains("{\"bench\":\"client-tasks\"")
        .doesNotContain("[ACK]", "[RETRY]", "[DLQ]");
  }
}
