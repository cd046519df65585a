package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ChildProcessTest {
  @TempDir Path directory;

  private ChildProcess start(String script) throws IOException {
    return ChildProcess.start(
        "script", new ProcessBuilder("sh", "-c", script), directory.resolve("log"));
  }

  private ProcessHandle grandchild() throws IOException {
    Path pid = directory.resolve("pid");
    await().until(() -> Files.exists(pid) && Files.readString(pid).endsWith("\n"));
    return ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
  }

  @Test
  void shouldEndTheProcessesThatAProgramStarted() throws IOException {
    // given
    ProcessHandle grandchild;
    try (ChildProcess child = start("sleep 600 & echo $! >" + directory + "/pid; wait")) {
      grandchild = grandchild();
      assertThat(child.residentMb()).isPositive();
      assertThat(child.peakMb()).isPositive();

      // when: it is closed
    }

    // then
    await().until(() -> isEnded(grandchild));
  }

  @Test
  void shouldEndAChildWhoseParentHasEndedBefore() throws IOException, InterruptedException {
    // given
    ProcessHandle grandchild;
    try (ChildProcess child = start("sleep 600 & echo $! >" + directory + "/pid; read line")) {
      grandchild = grandchild();
      child.noteChildren();
      child.handle().destroyForcibly();
      child.await(60);
      assertThat(grandchild.isAlive()).isTrue();

      // when: it is closed
    }

    // then
    await().until(() -> isEnded(grandchild));
  }

  /** An orphan is a zombie until somebody asks for its status; not every container has who does. */
  private static boolean isEnded(ProcessHandle process) throws IOException {
    Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
    try {
      return !process.isAlive() || Files.readString(stat).contains(") Z ");
    } catch (NoSuchFileException gone) {
      return true;
    }
  }

  @Test
  void shouldStopAProgramInItsOwnWay() throws IOException {
    // given
    try (ChildProcess child =
        start("trap 'echo stopped; exit' TERM; echo ready; sleep 600 & wait")) {
      await().until(() -> child.logTail().contains("ready"));

      // when: it is closed
    }

    // then
    assertThat(directory.resolve("log")).content().contains("stopped");
  }

  @Test
  void shouldShowTheOutputOfAProgramThatFailed() throws IOException, InterruptedException {
    try (ChildProcess child = start("echo no disk; exit 3")) {
      // when
      int status = child.await(60);

      // then
      assertThat(status).isEqualTo(3);
      assertThat(child.failure("ended"))
          .hasMessageContaining("script ended")
          .hasMessageContaining("no disk");
    }
  }

  @Test
  void shouldNotWaitLongerThanItsLimit() throws IOException {
    try (ChildProcess child = start("sleep 600")) {
      assertThatThrownBy(() -> child.await(1)).hasMessageContaining("did not end within 1 s");
    }
  }
}
