package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.bench.ChildJvm;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.testkit.WaitLimits;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands as processes of their own, the launcher, and what shells complete. */
@Tag("slow")
class ProcessTest {
  private final CliFixture cli = CliFixture.start();

  @TempDir private Path temp;

  @AfterEach
  void stop() {
    cli.close();
  }

  private record Ended(int exit, String out, String err) {}

  private Ended run(ProcessBuilder builder, String input) throws IOException, InterruptedException {
    Path out = Files.createTempFile(temp, "out", ".txt");
    Path err = Files.createTempFile(temp, "err", ".txt");
    builder.environment().put("HOLDFAST_SERVER", cli.url());
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(process.waitFor(WaitLimits.WORKLOAD.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  @Test
  void shouldLoadNothingOfAServerToAskOne() throws Exception {
    // given
    cli.ok("push", "orders", "1");
    Path loaded = temp.resolve("classes.txt");
    ProcessBuilder jvm =
        new ChildJvm(Main.class)
            .option("-Xlog:class+load:file=" + loaded)
            .command(List.of("queues"));
    // when
    Ended ended = run(jvm, "");
    // then
    assertThat(ended.exit()).as(ended.err()).isZero();
    assertThat(ended.out()).startsWith("QUEUE").contains("orders");
    assertThat(ended.err()).isEmpty();
    List<String> classes = Files.readAllLines(loaded);
    assertThat(classes).anyMatch(line -> line.contains(" io.holdfast.cli.queues.QueuesCommand "));
    for (String other :
        List.of(
            " io.holdfast.engine.",
            " io.netty.",
            " ch.qos.logback.",
            " org.rocksdb.",
            " tools.jackson.",
            " io.holdfast.cli.serve.",
            " io.holdfast.cli.messages.")) {
      assertThat(classes).as(other).noneMatch(line -> line.contains(other));
    }
  }

  /** A checkout with the launcher and a program that is built already. */
  private Path checkout() throws IOException {
    Path root = Files.createDirectories(temp.resolve("a checkout"));
    Path dist = Files.createDirectories(root.resolve("cli/target/dist"));
    Files.createDirectories(root.resolve("cli/src"));
    Files.createDirectories(root.resolve(".mvn"));
    Files.createFile(root.resolve("pom.xml"));
    Files.createFile(root.resolve("cli/pom.xml"));
    Files.copy(Path.of("..", "holdfast"), root.resolve("holdfast"));
    Files.createDirectories(root.resolve("dist"));
    Files.copy(Path.of("..", "dist", "launch.sh"), root.resolve("dist/launch.sh"));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Main.class.getName());
    StringBuilder classPath = new StringBuilder();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      classPath.append(Path.of(entry).toUri()).append(' ');
    }
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath.toString().strip());
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(dist.resolve("holdfast.jar")), manifest)) {
      jar.finish();
    }
    Files.createFile(dist.resolve(".built"));
    return root;
  }

  @Test
  void shouldRunByItsLauncher() throws Exception {
    // given
    String launcher = checkout().resolve("holdfast").toString();
    Map<String, String> plainLocale = Map.of("LC_ALL", "C");
    ProcessBuilder push = new ProcessBuilder(launcher, "push", "grüße", "{\"wer\":\"für alle\"}");
    push.environment().putAll(plainLocale);
    push.environment().put("JAVA_HOME", System.getProperty("java.home"));
    // when
    Ended pushed = run(push, "");
    Ended popped = run(new ProcessBuilder(launcher, "pop", "grüße", "--payload", "--auto-ack"), "");
    Ended lines = run(new ProcessBuilder(launcher, "push", "q", "--lines", "--json"), "1\n2\n");
    Ended wrong = run(new ProcessBuilder(launcher, "pop"), "");
    ProcessBuilder away = new ProcessBuilder(launcher, "queues", "--server", "http://127.0.0.1:1");
    // then
    assertThat(pushed.exit()).as(pushed.err()).isZero();
    assertThat(pushed.out()).contains("to grüße/Default");
    assertThat(popped.out()).isEqualTo("{\"wer\":\"für alle\"}\n");
    assertThat(lines.out().lines())
        .hasSize(2)
        .allMatch(line -> line.contains("\"status\":\"queued\""));
    assertThat(wrong.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(wrong.err())
        .isEqualTo("Expected <queue>, but there is none. Try 'holdfast pop --help'.\n");
    assertThat(run(away, "").exit()).isEqualTo(ExitCodes.UNREACHABLE);
  }

  @Test
  void shouldCompleteInBash() throws Exception {
    // given
    Path script = temp.resolve("completion");
    Files.writeString(script, CliFixture.plain(new FakeTerminal(), "completion", "bash").out());
    String complete =
        """
        compopt() { :; }
        source '%s'
        complete -p holdfast
        try() {
          COMP_WORDS=(holdfast "$@")
          COMP_CWORD=$#
          COMP_LINE="holdfast $*"
          COMP_POINT=${#COMP_LINE}
          COMPREPLY=()
          _complete_holdfast
          echo "$*: ${COMPREPLY[*]}"
        }
        try que
        try queue p
        try queues --so
        try queues --sort de
        """
            .formatted(script);
    // when
    Ended ended = run(new ProcessBuilder("bash", "--norc", "-c", complete), "");
    // then
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out())
        .contains("complete -o default -F _complete_holdfast holdfast")
        .contains("que: queues queue\n")
        .contains("queue p: pause purge\n")
        .contains("--so: --sort\n")
        .contains("--sort de: depth delayed dead\n");
    assertThat(CliFixture.plain(new FakeTerminal(), "completion", "zsh").out())
        .startsWith("autoload -U +X compinit && compinit")
        .contains("_complete_holdfast");
    assertThat(CliFixture.plain(new FakeTerminal(), "completion", "fish").exit())
        .isEqualTo(ExitCodes.USAGE);
    assertThat(CliFixture.plain(new FakeTerminal(), "completion", "--help").out())
        .contains("source <(holdfast completion bash)", "~/.bashrc");
  }
}
