package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code key}: makes, rotates and lists keys; and {@code serve} with them. */
@Tag("slow")
class KeyCommandTest {
  private static final String ENCRYPT =
      "{\"queue\":\"q\",\"options\":{\"encryptionEnabled\":true}}";
  private static final String PUSH = "{\"items\":[{\"queue\":\"q\",\"payload\":%d}]}";

  @TempDir Path directory;

  private record Said(int status, String out, String err) {}

  private Path file() {
    return directory.resolve("keys");
  }

  private Said key(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> all = new ArrayList<>(List.of("key"));
    all.addAll(List.of(words));
    all.addAll(List.of("--keys", file().toString()));
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
    return new Said(status, out.toString(), err.toString());
  }

  @Test
  void shouldMakeAndRotateKeysAndNeverShowThem() throws IOException {
    // when
    Said made = key("create");
    Said again = key("create");
    Said rotated = key("rotate");
    Said listed = key("list");
    Said json = key("list", "--json");
    // then
    assertThat(made.status()).isZero();
    assertThat(made.out()).contains("serve --keys " + file(), "Back it up");
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.err()).contains("exists already").doesNotContain("Exception");
    assertThat(rotated.status()).isZero();
    assertThat(listed.out().lines()).hasSize(3);
    assertThat(listed.out().lines().toList().get(2)).endsWith("yes");
    assertThat(json.out()).contains("\"current\":true", "\"current\":false");
    for (String line : Files.readAllLines(file())) {
      if (line.startsWith("key ")) {
        String secret = line.split(" ")[2];
        String said = made.out() + rotated.out() + listed.out() + json.out();
        assertThat(secret).hasSize(64);
        assertThat(said).doesNotContain(secret).contains(line.split(" ")[1]);
      }
    }
  }

  @Test
  void shouldSayThatThereIsNoFile() {
    for (String word : List.of("rotate", "list")) {
      Said said = key(word);
      assertThat(said.status()).isEqualTo(1);
      assertThat(said.err()).contains("There is no key file", "key create");
      assertThat(said.err().lines()).hasSize(1);
    }
  }

  @Test
  void shouldServeEncryptedQueuesOverARotation() throws Exception {
    // given
    key("create");
    try (ServedProcess served = serve()) {
      assertThat(served.post("/api/v1/configure", ENCRYPT).statusCode()).isEqualTo(200);
      assertThat(served.post("/api/v1/push", PUSH.formatted(1)).statusCode()).isEqualTo(201);
      served.kill();
    }
    // when
    key("rotate");
    // then
    try (ServedProcess served = serve()) {
      served.post("/api/v1/push", PUSH.formatted(2));
      assertThat(served.get("/api/v1/pop/queue/q?batch=10").body())
          .contains("\"data\":1,", "\"data\":2,");
    }
  }

  private ServedProcess serve() throws IOException {
    return ServedProcess.launch(
        directory,
        Map.of("HOLDFAST_KEYS", file().toString()),
        "--port",
        "0",
        "--data",
        directory.resolve("data").toString());
  }

  @Test
  void shouldNotStartWithAFileItCannotUse() throws Exception {
    // given
    key("create");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
    // then
    try (ServedProcess served = serve()) {
      assertThat(served.exitCode()).isEqualTo(1);
      assertThat(served.errors().lines()).singleElement().asString().contains("chmod 600");
      assertThat(directory.resolve("data")).doesNotExist();
    }
  }
}
