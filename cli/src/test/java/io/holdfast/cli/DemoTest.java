package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.bench.ChildJvm;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code demo} as a user starts it: what it says to paste can be pasted, and it cleans up. */
@Tag("slow")
class DemoTest {
  private static final Duration PATIENCE = WaitLimits.WORKLOAD;
  private static final String LAUNCHER = "./holdfast ";
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @TempDir Path directory;

  private Process start(Path out, String... arguments) throws IOException {
    Path temporary = Files.createDirectories(directory.resolve("tmp"));
    ProcessBuilder builder =
        new ChildJvm(Main.class)
            .nativeLibraryIn(directory.resolve("native"))
            .option("-Djava.io.tmpdir=" + temporary)
            .command(Stream.concat(Stream.of("demo"), Stream.of(arguments)).toList());
    builder.environment().remove("HOLDFAST_LAUNCHER");
    return builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.list(directory.resolve("tmp"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void shouldShowWhatCanBePastedAndLeaveNothingBehind() throws Exception {
    // given
    Path out = directory.resolve("out.txt");
    Process process = start(out);
    try {
      // when
      await()
          .atMost(PATIENCE)
          .until(
              () -> Files.readString(out).contains("It runs until Ctrl-C.") || !process.isAlive());
      List<String> commands =
          Files.readAllLines(out).stream()
              .filter(line -> line.startsWith("   "))
              .map(String::strip)
              .toList();
      // then
      assertThat(commands).hasSizeGreaterThan(10);
      for (String command : commands) {
        if (command.startsWith("curl ")) {
          assertThat(curl(words(command)).statusCode()).as(command).isIn(200, 201);
        } else {
          assertThat(command).startsWith(LAUNCHER);
          assertThat(run(command.substring(LAUNCHER.length()))).as(command).isNotEmpty();
        }
      }
      String server = words(commands.getLast()).getLast().replace("/docs", "");
      await()
          .atMost(PATIENCE)
          .until(() -> run("flows show expense-17 --server " + server).contains("approved by you"));
      // when
      process.destroy();
      // then
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(out)).isZero();
      assertThat(Files.readString(out)).contains("nothing of it is left").doesNotContain("ERROR");
      assertNothingIsLeft();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void shouldEndByItselfAfterATime() throws Exception {
    // given
    Path out = directory.resolve("out.txt");
    // when
    Process process = start(out, "--for", "1s");
    // then
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(out)).isZero();
    assertThat(Files.readString(out)).contains("listens on http://127.0.0.1:", "nothing of it");
    assertNothingIsLeft();
  }

  @Test
  void shouldRefuseATimeThatIsNone() {
    StringWriter err = new StringWriter();
    int status =
        Main.commandLine().setErr(new PrintWriter(err)).execute("demo", "--for", "a while");
    assertThat(status).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("--for", "expected a duration such as");
  }

  /** The words of a command as a shell would see them. */
  private static List<String> words(String command) {
    return WORD.matcher(command)
        .results()
        .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
        .toList();
  }

  private static String run(String command) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(words(command).toArray(String[]::new));
    assertThat(status).as(command + ": " + err).isZero();
    return out.toString();
  }

  private static HttpResponse<String> curl(List<String> words)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(words.get(1)));
    if (words.contains("-d")) {
      request.POST(BodyPublishers.ofString(words.getLast()));
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }
}
