package io.holdfast.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An archive as the system's tar reads it. */
class TarTest {
  private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");
  private static final String LONG = "some-folder-of-a-long-name/".repeat(5) + "file.txt";

  @TempDir Path directory;

  private static byte[] archive(String... names) throws IOException {
    Tar tar = new Tar(TIME);
    for (String name : names) {
      tar.add(name, name.getBytes(UTF_8), name.endsWith(".sh"));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    tar.write(out);
    return out.toByteArray();
  }

  @Test
  void shouldBeReadByTar() throws Exception {
    // given
    Path file = directory.resolve("a.tar");
    Files.write(file, archive("top/b/run.sh", "top/a.txt", "top/" + LONG));
    // when
    Process tar =
        new ProcessBuilder("tar", "xpf", file.toString(), "-C", directory.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(tar.getInputStream().readAllBytes(), UTF_8);
    // then
    assertThat(tar.waitFor()).as(said).isZero();
    assertThat(said).isEmpty();
    assertThat(directory.resolve("top/a.txt")).hasContent("top/a.txt");
    assertThat(directory.resolve("top/" + LONG)).hasContent("top/" + LONG);
    assertThat(directory.resolve("top/b/run.sh")).isExecutable();
    assertThat(Files.isExecutable(directory.resolve("top/a.txt"))).isFalse();
    assertThat(Files.getLastModifiedTime(directory.resolve("top/a.txt")).toInstant())
        .isEqualTo(TIME);
  }

  @Test
  void shouldBeTheSameInWhateverOrderFilesAreAdded() throws IOException {
    assertThat(archive("x/b", "x/a", "y")).isEqualTo(archive("y", "x/a", "x/b"));
  }

  @Test
  void shouldRefuseWhatItCannotHold() {
    assertThatThrownBy(() -> archive("a", "a")).hasMessageContaining("twice");
    assertThatThrownBy(() -> archive("x".repeat(101))).hasMessageContaining("too long");
    assertThatThrownBy(() -> archive("x/".repeat(200) + "y")).hasMessageContaining("too long");
  }
}
