package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The {@code token} commands. */
class TokenCommandTest {
  @TempDir Path directory;
  private Path file;
  private String err = "";

  @BeforeEach
  void name() {
    file = directory.resolve("holdfast.tokens");
  }

  /** Runs a command, and answers what it printed. */
  private String run(int status, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter errors = new StringWriter();
    List<String> all = new ArrayList<>(List.of("token"));
    all.addAll(Arrays.asList(arguments));
    all.addAll(List.of("--tokens", file.toString()));
    int got =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(errors))
            .execute(all.toArray(String[]::new));
    err = errors.toString();
    assertThat(got).as(out + err).isEqualTo(status);
    return out.toString();
  }

  @Test
  void shouldMakeAToken() throws IOException {
    // when
    String out =
        run(
            0,
            "create",
            "--role",
            "read-write",
            "--queues",
            "orders.*,mail",
            "--name",
            "billing",
            "--expires",
            "90d");
    // then
    String token = out.lines().findFirst().orElseThrow();
    assertThat(token).matches("hf_[a-z0-9]{10}_[A-Za-z0-9_-]{43}");
    assertThat(out).contains("billing", "read-write", "orders.*, mail", file.toString(), "once");
    assertThat(Files.readString(file)).doesNotContain(token.substring(14));
  }

  @Test
  void shouldListAndRevokeTokens() {
    // given
    String first = run(0, "create", "--role", "admin").lines().findFirst().orElseThrow();
    String second =
        run(0, "create", "--role", "read-only", "--queues", "a").lines().findFirst().orElseThrow();
    String id = first.substring(3, 13);
    // when
    String list = run(0, "list");
    String revoked = run(0, "revoke", id);
    // then
    assertThat(list.lines()).hasSize(3);
    assertThat(list).contains("STATE", id, "admin", "*", "read-only", "good");
    assertThat(list).doesNotContain(first.substring(14), second.substring(14));
    assertThat(revoked).contains(id, "revoked");
    assertThat(run(0, "list").lines().filter(line -> line.contains("revoked"))).hasSize(1);
    run(1, "revoke", "abcdefghjk");
    assertThat(err).contains("No such token: abcdefghjk in " + file);
  }

  @Test
  void shouldSpeakJson() {
    String made =
        run(0, "create", "--json", "--role", "write-only", "--queues", "a.*", "--name", "p");
    assertThat(made)
        .matches(
            "\\{\"token\":\"hf_[^\"]+\",\"id\":\"[a-z0-9]{10}\",\"name\":\"p\","
                + "\"role\":\"write-only\",\"queues\":\\[\"a\\.\\*\"],\"createdAt\":\"[^\"]+\","
                + "\"expiresAt\":null,\"revokedAt\":null,\"state\":\"good\"}\\R");
    String id = made.replaceAll("(?s).*\"id\":\"([a-z0-9]+)\".*", "$1");
    assertThat(run(0, "list", "--json")).startsWith("{\"tokens\":[{\"id\":\"" + id + "\"");
    assertThat(run(0, "revoke", "--json", id)).contains("\"state\":\"revoked\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create",
        "create --role boss",
        "create --role admin --expires soon",
        "create --role admin --expires 0d",
        "create --role admin --expires 200000d",
        "create --role admin --queues ,",
        "create --role admin --no-such-option",
        "revoke"
      })
  void shouldRefuseBadUsage(String arguments) {
    run(2, arguments.split(" "));
    assertThat(err).doesNotContain("Exception").isNotBlank();
    assertThat(file).doesNotExist();
  }

  @Test
  void shouldSayThatThereIsNoFileOrADamagedOne() throws IOException {
    run(1, "list");
    assertThat(err).contains("There is no file of tokens " + file);
    Files.writeString(file, "x");
    run(1, "list");
    assertThat(err).contains("is damaged");
    run(1, "create", "--role", "admin");
    assertThat(Files.readString(file)).isEqualTo("x");
  }

  @Test
  void shouldTellItsCommands() {
    StringWriter out = new StringWriter();
    Main.commandLine().setOut(new PrintWriter(out)).execute("token");
    assertThat(out.toString()).contains("create", "list", "revoke");
  }
}
