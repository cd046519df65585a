package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.WaitLimits;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of processes whose nodes are killed and paused under load. */
@Timeout(WaitLimits.TEST_SECONDS)
class ClusterRunTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private void run(String options, Path directory) {
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(("bench cluster " + options + " --dir " + directory).split(" "));
    assertThat(status).as(out + "\n" + err).isZero();
    assertThat(out.toString()).contains("violations            0");
  }

  @Test
  @Tag("slow")
  void shouldKeepWhatWasAcknowledgedWhenItsLeaderIsKilled(@TempDir Path temp) {
    run("--seconds 1 --faults kill_leader", temp);
    assertThat(out.toString()).contains("kill_leader           1 times");
  }

  @Test
  @Tag("long")
  void shouldKeepWhatWasAcknowledgedWhateverHappensToItsNodes(@TempDir Path temp) {
    run("--seconds 600", temp);
  }
}
