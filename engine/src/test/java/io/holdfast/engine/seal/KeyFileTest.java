package io.holdfast.engine.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that keys are kept in. */
class KeyFileTest {
  private static final Instant FIRST = Instant.parse("2026-01-02T03:04:05Z");
  private static final Instant SECOND = Instant.parse("2026-02-03T04:05:06Z");

  private static final int SOMEBODY = 54_321;

  @TempDir Path directory;
  private Path file = Path.of("unset");

  @BeforeEach
  void name() {
    file = directory.resolve("keys");
  }

  private static void allow(Path path, String who) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(who));
  }

  private void write(String... lines) throws IOException {
    Files.write(file, List.of(lines));
    allow(file, "rw-------");
  }

  @Test
  void shouldMakeAFileThatOnlyItsOwnerCanRead() throws IOException {
    // when
    KeyFile.Entry made = KeyFile.create(file, FIRST);
    // then
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(KeyFile.list(file)).containsExactly(made);
    assertThat(made.madeAt()).isEqualTo(FIRST);
    assertThat(made.current()).isTrue();
    assertThat(KeyFile.read(file).ids()).hasSize(1);
    assertThat(directory).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void shouldKeepOldKeysWhenItIsRotated() {
    // given
    KeyFile.Entry old = KeyFile.create(file, FIRST);
    Keys before = KeyFile.read(file);
    // when
    KeyFile.Entry fresh = KeyFile.rotate(file, SECOND);
    // then
    Keys after = KeyFile.read(file);
    assertThat(fresh.id()).isNotEqualTo(old.id());
    assertThat(KeyFile.list(file))
        .containsExactly(new KeyFile.Entry(old.id(), FIRST, false), fresh);
    assertThat(after.ids()).hasSize(2).containsAll(before.ids());
    assertThat(after.current()).isNotEqualTo(before.current());
  }

  @Test
  void shouldStayALinkAndItsReaders() throws IOException {
    // given
    Path real = directory.resolve("real");
    KeyFile.create(real, FIRST);
    allow(real, "r--r-----");
    Files.createSymbolicLink(file, real);
    // when
    KeyFile.rotate(file, SECOND);
    // then
    assertThat(Files.isSymbolicLink(file)).isTrue();
    assertThat(KeyFile.list(real)).hasSize(2);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
        .isEqualTo("rw-r-----");
  }

  @Test
  void shouldStayItsOwnersIfRootRotatesIt() throws IOException {
    assumeThat(Files.getAttribute(directory, "unix:uid")).as("only root gives away").isEqualTo(0);
    // given
    KeyFile.create(file, FIRST);
    Files.setAttribute(file, "unix:uid", SOMEBODY);
    // when
    KeyFile.rotate(file, SECOND);
    // then
    assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(SOMEBODY);
  }

  @Test
  void shouldNotOverwriteAFile() throws IOException {
    // given
    KeyFile.create(file, FIRST);
    String text = Files.readString(file);
    // then
    assertThatThrownBy(() -> KeyFile.create(file, SECOND))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("exists already");
    Files.writeString(directory.resolve("keys.new"), "");
    assertThatThrownBy(() -> KeyFile.rotate(file, SECOND)).hasMessageContaining("keys.new exists");
    assertThat(Files.readString(file)).isEqualTo(text);
  }

  @Test
  void shouldRefuseAFileThatOthersCanRead() throws IOException {
    // given
    KeyFile.create(file, FIRST);
    for (String open : List.of("rw-r--r--", "rw-----w-", "rw--w----")) {
      allow(file, open);
      // then
      assertThatThrownBy(() -> KeyFile.read(file)).as(open).hasMessageContaining("chmod 600");
    }
    allow(file, "r--r-----");
    assertThat(KeyFile.read(file).ids()).hasSize(1);
  }

  @Test
  void shouldRefuseAFileThatIsNotThere() {
    assertThatThrownBy(() -> KeyFile.read(file))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("There is no key file " + file)
        .hasMessageContaining("key create");
  }

  @Test
  void shouldRefuseWhatIsMalformedAndNotTellIt() throws IOException {
    // given
    KeyFile.create(file, FIRST);
    List<String> lines = Files.readAllLines(file);
    String key = lines.stream().filter(line -> line.startsWith("key ")).findFirst().orElseThrow();
    String current = lines.getLast();
    String[] words = key.split(" ");
    String other = (words[2].startsWith("0") ? "1" : "0") + words[2].substring(1);
    String[][] wrong = {
      {},
      {key},
      {current},
      {key, current, current},
      {key, "current 00000000"},
      {key, key, current},
      {"key " + words[1] + " " + words[2], current},
      {"key " + words[1] + " " + words[2].substring(1) + " " + words[3], current},
      {"key " + words[1] + " " + other + " " + words[3], current},
      {"key 00000000 " + words[2] + " " + words[3], "current 00000000"},
      {words[2], current},
      {key, current, "{}"},
    };
    for (String[] text : wrong) {
      write(text);
      // then
      assertThatThrownBy(() -> KeyFile.read(file))
          .as(String.join("|", text))
          .isInstanceOf(KeyFileException.class)
          .hasMessageContaining("malformed")
          .hasMessageNotContaining(words[2].substring(1));
    }
    write(key, "", "# more", current);
    assertThat(KeyFile.read(file).ids()).hasSize(1);
  }
}
