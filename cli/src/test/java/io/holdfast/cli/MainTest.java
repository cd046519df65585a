package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine commandLine =
      Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  @Test
  void shouldNameItselfAndItsJavaAsVersion() {
    // when
    int status = commandLine.execute("--version");

    // then
    assertThat(status).isZero();
    assertThat(out.toString()).startsWith("holdfast ").contains("Java " + Runtime.version());
  }

  @Test
  void shouldExplainItselfWhenCalledWithNothing() {
    // when
    int status = commandLine.execute();

    // then
    assertThat(status).isZero();
    assertThat(out.toString()).contains("Usage: holdfast");
  }

  @Test
  void shouldRefuseAnUnknownCommand() {
    // when
    int status = commandLine.execute("no-such-command");

    // then
    assertThat(status).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("no-such-command");
  }
}
