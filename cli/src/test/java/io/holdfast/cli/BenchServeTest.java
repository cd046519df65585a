package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The load programs that start {@code serve} as a user does. */
@Tag("slow")
class BenchServeTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine commandLine =
      Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  @Test
  void shouldMeasureTheStartAndTheMemoryOfTheServeCommand() {
    // when
    int status =
        commandLine.execute(
            ("bench http --only http-first-seconds,memory --seconds 1 --messages 1000"
                    + " --idle-seconds 1 --json")
                .split(" "));

    // then
    assertThat(status).as(err.toString()).isZero();
    assertThat(out.toString().lines())
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .matches(
                        "\\{\"bench\":\"http-first-seconds\",\"rate\":[1-9][0-9.]*,.*"
                            + "\"ratio\":[0-9.]+,\"startMs\":[1-9][0-9.]*,"
                            + "\"second1\":[1-9][0-9.]*,\"second2\":[1-9][0-9.]*,"
                            + "\"second3\":[1-9][0-9.]*,\"warm\":[1-9][0-9.]*,.*}"),
            memory ->
                assertThat(memory)
                    .matches(
                        "\\{\"bench\":\"memory\",.*\"atRestMb\":[1-9][0-9.]*,"
                            + "\"mostMb\":[1-9][0-9.]*,.*\"afterMb\":[1-9][0-9.]*,.*}"));
  }

  @Test
  void shouldMeasureHoldfastAloneWhereThereAreNoClientsOfPeers() {
    // given: the distribution has none

    // when
    int status =
        commandLine.execute("bench peers --only push-1 --rounds 1 --seconds 1 --json".split(" "));

    // then
    assertThat(status).as(err.toString()).isZero();
    assertThat(out.toString().lines())
        .singleElement()
        .asString()
        .matches("\\{\"bench\":\"holdfast-push-1\",\"rate\":[1-9][0-9.]*,.*\"ratio\":null.*}");
    assertThat(err.toString()).contains("No peers: ", "./holdfast bench peers from the sources");
  }
}
