package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.engine.verify.Verify;
import io.holdfast.testkit.TestScale;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that is killed while RocksDB writes a sorted file: {@code verify} finds nothing. */
@Tag("slow")
class KilledFlushTest {
  private static final int MESSAGES = 2_000;

  @TempDir Path temp;

  /** Pushes messages until it is killed. */
  static final class Pusher {
    private Pusher() {}

    public static void main(String[] args) {
      try (EmbeddedBroker broker =
          EmbeddedBroker.open(
              EngineConfig.at(Path.of(args[0])).durability(EngineConfig.Durability.OS))) {
        for (long round = 0; ; round++) {
          List<NewMessage> messages = new ArrayList<>();
          for (int i = 0; i < MESSAGES; i++) {
            String name =
                "a-name-that-takes-some-room-" + System.nanoTime() + "-" + round + "-" + i;
            messages.add(NewMessage.to("orders", new byte[20]).transactionId(name));
          }
          broker.push(PushRequest.of(messages)).orThrow();
        }
      }
    }
  }

  @Test
  void shouldFindNothingWrongAfterAKillDuringAFlush() throws Exception {
    for (int round = 0; round < TestScale.rounds(1, 20); round++) {
      // given
      Path directory = temp.resolve("data-" + round);
      Process process = start(directory);
      try {
        await()
            .atMost(WaitLimits.WORKLOAD)
            .pollInterval(Duration.ofMillis(2))
            .until(() -> !process.isAlive() || hasUnfinishedFile(directory));
        assertThat(process.isAlive()).isTrue();
      } finally {
        // when
        process.destroyForcibly().waitFor();
      }
      assertThat(hasUnfinishedFile(directory)).isTrue();
      // then
      assertThat(Verify.directory(directory).violations()).as("round %d", round).isEmpty();
    }
  }

  private static Process start(Path directory) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Pusher.class.getName(),
            directory.toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Whether the last sorted file ends without the magic number of a finished one. */
  private static boolean hasUnfinishedFile(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return false;
    }
    Set<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files = all.filter(file -> file.toString().endsWith(".sst")).collect(Collectors.toSet());
    }
    for (Path file : files) {
      if (!isFinished(file)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isFinished(Path file) throws IOException {
    byte[] magic = {
      (byte) 0xf7, (byte) 0xcf, (byte) 0xf4, (byte) 0x85, (byte) 0xb7, 0x41, (byte) 0xe2
    };
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException deleted) {
      return true;
    }
    for (int i = 0; i < magic.length; i++) {
      int at = bytes.length - 8 + i;
      if (at < 0 || bytes[at] != magic[i]) {
        return false;
      }
    }
    return true;
  }
}
