package io.holdfast.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.bench.ChildJvm;
import io.holdfast.bench.crash.DrainChild.Backlog;
import io.holdfast.engine.verify.Verify;
import io.holdfast.testkit.TestScale;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A backlog many times the heap of the broker, all of it due at the same time, is dealt with in
 * bounded steps: by a broker that is killed in the middle and started again.
 */
@Tag("long")
class DrainTest {
  private static final int MESSAGES = TestScale.rounds(400, 3 * 1024);

  @TempDir Path directory;

  private Process start(List<String> arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(directory.resolve("data").toString()));
    all.addAll(arguments);
    return new ChildJvm(DrainChild.class)
        .option("-Xmx256m")
        .option("-XX:+ExitOnOutOfMemoryError")
        .nativeLibraryIn(directory.resolve("native"))
        .command(all)
        .redirectErrorStream(true)
        .start();
  }

  private static void assertDone(Process process) throws IOException, InterruptedException {
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).endsWith("done\n");
  }

  @ParameterizedTest
  @EnumSource(Backlog.class)
  void shouldDrainABacklogLargerThanItsMemory(Backlog backlog) throws Exception {
    // given
    assertDone(start(List.of(backlog.name(), String.valueOf(MESSAGES))));

    // when the broker is killed while it is busy
    Process killed = start(List.of(backlog.name()));
    try (BufferedReader out = killed.inputReader()) {
      for (int i = 0; i < 3; i++) {
        String line = out.readLine();
        assertThat(line).as("a broker that drains, or has drained").isNotNull();
        if ("done".equals(line)) {
          break;
        }
      }
      killed.destroyForcibly().waitFor();
    }

    // then it goes on when it is started again
    assertDone(start(List.of(backlog.name())));
    assertThat(Verify.directory(directory.resolve("data")).violations()).isEmpty();
  }
}
