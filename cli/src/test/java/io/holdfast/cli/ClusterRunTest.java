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
    assertThat(status(options, directory)).as(out + "\n" + err).isZero();
    assertThat(out.toString()).contains("violations            0");
  }

  private int status(String options, Path directory) {
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(("bench cluster " + options + " --dir " + directory).split(" "));
  }

  @Test
  @Tag("slow")
  void shouldKeepWhatWasAcknowledgedWhenItsLeaderIsKilled(@TempDir Path temp) {
    run("--seconds 1 --faults kill_leader", temp);
    assertThat(out.toString()).contains("kill_leader           1 times");
  }

  @Test
  @Tag("slow")
  void shouldKeepWhatWasAcknowledgedWhenItsLeaderReachesNoOtherNode(@TempDir Path temp) {
    run("--seconds 1 --faults cut_leader", temp);
    assertThat(out.toString()).contains("cut_leader            1 times");
  }

  @Test
  @Tag("slow")
  void shouldReportWritesThatAreLost(@TempDir Path temp) {
    assertThat(status("--seconds 1 --faults lose_writes", temp)).isEqualTo(1);
    assertThat(out.toString()).contains("lose_writes           1 times").contains("LOST");
  }

  @Test
  @Tag("long")
  void shouldChangeItsMembersUnderLoad(@TempDir Path temp) {
    run("--seconds 60 --faults change_members,rolling_restart", temp);
  }

  @Test
  @Tag("long")
  void shouldBringANodeBackByTheLogAndByACheckpoint(@TempDir Path temp) {
    run("--seconds 60 --faults away,away_long", temp);
  }

  @Test
  @Tag("long")
  void shouldKeepWhatWasAcknowledgedWhateverHappensToItsNodes(@TempDir Path temp) {
    run("--seconds 600", temp);
  }
}
