package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.output.ExitCodes;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The {@code flows} commands, against a server over HTTP. */
@Tag("slow")
class FlowsCommandTest {
  private static final Duration SOON = WaitLimits.EVENT;

  private static final Activity<String, String> BROKEN =
      Activity.named(
          "broken",
          String.class,
          String.class,
          text -> {
            throw new IllegalStateException("no " + text);
          });
  private static final Orchestration<String, String> WAITS =
      Orchestration.named(
          "waits",
          String.class,
          String.class,
          (flow, text) -> text + flow.event("go", String.class).await());
  private static final Orchestration<String, String> FAILS =
      Orchestration.named(
          "fails", String.class, String.class, (flow, text) -> flow.call(BROKEN, text).await());

  @TempDir private Path temp;
  private EmbeddedBroker broker;
  private HoldfastServer server;
  private Flows flows;
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  @BeforeEach
  void start() {
    broker = EmbeddedBroker.open(EngineConfig.inMemory());
    server = HoldfastServer.start(ServerConfig.defaults().port(0), broker);
    flows = Flows.on(broker).register(BROKEN, WAITS, FAILS).serve();
  }

  @AfterEach
  void stop() {
    flows.close();
    server.close();
    broker.close();
  }

  /** Runs a command, and answers what it printed. */
  private String run(int status, String... arguments) {
    out = new StringWriter();
    err = new StringWriter();
    List<String> all = new ArrayList<>(List.of("flows"));
    all.addAll(Arrays.asList(arguments));
    all.addAll(List.of("--server", "http://127.0.0.1:" + server.port()));
    int exit =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
    assertThat(exit).as(out + " " + err).isEqualTo(status);
    return out.toString();
  }

  private void awaitStatus(String id, FlowStatus status) {
    await()
        .atMost(SOON)
        .until(() -> flows.find(id).map(flow -> flow.status() == status).orElse(false));
  }

  private void waiting(String id) {
    run(0, "start", "waits", id, "--input", "\"x\"");
    await()
        .atMost(SOON)
        .until(() -> flows.find(id).isPresent() && flows.admin().show(id).waitsInAll() == 1);
  }

  @Test
  void shouldStartRaiseAndShow() {
    // given
    waiting("w");
    // then
    assertThat(run(0, "show", "w"))
        .contains("flow         w")
        .contains("status       RUNNING since ")
        .contains("waiting for  event 'go' (event 1) since ");
    assertThat(run(0, "raise", "w", "go", "--data", "\"!\"")).contains("flow w event raised");
    awaitStatus("w", FlowStatus.COMPLETED);
    assertThat(run(0, "show", "w")).contains("output       \"x!\"");
    assertThat(run(0, "show", "w", "--json")).contains("\"output\":\"x!\"");
    assertThat(run(0, "history", "w"))
        .containsPattern("(?m)^ +0  ")
        .contains("started waits 1.0")
        .contains("event 'go' came")
        .contains("\"x!\"");
    assertThat(run(0, "history", "w", "--limit", "1")).contains("more: --from 1");
    assertThat(run(0, "history", "w", "--json")).contains("\"kind\":\"EventAwaited\"");
    assertThat(run(0, "show", "w", "--tree")).contains("w  waits  COMPLETED");
  }

  @Test
  void shouldTellWhatNoWorkerHasTakenAndWhyAFlowIsBlocked() {
    // given
    waiting("w");
    flows.close();
    // when
    run(0, "raise", "w", "go", "--data", "\"!\"");
    // then
    assertThat(run(0, "show", "w"))
        .contains("incoming     1 message since ")
        .contains(", not yet taken by a worker");
    assertThat(run(0, "show", "w", "--json"))
        .contains("\"arriving\":{\"messages\":1,\"since\":\"")
        .contains("\"taken\":false}");
    // when
    Orchestration<String, String> changed =
        WAITS.version("1.0", (flow, text) -> text + flow.event("come", String.class).await());
    flows = Flows.on(broker).register(changed).serve();
    awaitStatus("w", FlowStatus.BLOCKED);
    // then
    assertThat(run(0, "show", "w"))
        .contains("reason       The code does not fit the history.")
        .contains("\n               history: event 1 (wait for event 'go')")
        .contains("buffered     1 message\n")
        .doesNotContain("incoming");
  }

  @Test
  void shouldTakeOnlyJson() {
    run(2, "start", "waits", "w", "--input", "x");
    assertThat(err.toString()).contains("--input: expected JSON, such as 12").contains("but got x");
    waiting("w");
    run(2, "raise", "w", "go", "--data", "now");
    assertThat(err.toString()).contains("--data: expected JSON");
    run(2, "raise", "w", "go", "--data", "");
    assertThat(err.toString()).contains("but got nothing");
    assertThat(flows.admin().history("w", 0, 0, 10).length()).isEqualTo(2);
  }

  @Test
  void shouldList() {
    assertThat(run(0, "list")).contains("no flows");
    waiting("a");
    waiting("b");
    assertThat(run(0, "list")).startsWith("ID  NAME   VERSION  STATUS").contains("a   waits  1.0");
    assertThat(run(0, "list", "--limit", "1")).contains("more: --after '");
    assertThat(run(0, "list", "--status", "failed,completed")).contains("no flows");
    assertThat(run(0, "list", "--name", "waits", "--json")).contains("\"id\":\"b\"");
    run(2, "list", "--status", "nonsense");
    run(2, "list", "--limit", "0");
    assertThat(err.toString()).contains("limit: expected 1 to 1000");
  }

  @Test
  void shouldStopAndLetGoOn() {
    // given
    waiting("w");
    // then
    run(0, "suspend", "w", "--reason", "lunch");
    awaitStatus("w", FlowStatus.SUSPENDED);
    run(0, "resume", "w");
    awaitStatus("w", FlowStatus.RUNNING);
    run(1, "retry", "w");
    assertThat(err.toString()).contains("only [BLOCKED, FAILED] can be retried");
    run(0, "cancel", "w");
    awaitStatus("w", FlowStatus.CANCELLED);
    waiting("t");
    run(0, "terminate", "t");
    awaitStatus("t", FlowStatus.TERMINATED);
    run(0, "start", "fails", "f", "--input", "\"luck\"");
    awaitStatus("f", FlowStatus.FAILED);
    assertThat(run(0, "show", "f")).contains("IllegalStateException: no luck");
    assertThat(run(0, "history", "f")).contains("started fails 1.0").doesNotContain("void");
    assertThat(run(0, "retry", "f", "--json")).contains("{\"id\":\"f\"}");
    await().atMost(SOON).until(() -> run(0, "history", "f").contains("goes on from event 2"));
    awaitStatus("f", FlowStatus.FAILED);
    assertThat(run(0, "history", "f").lines())
        .anyMatch(
            line -> line.strip().startsWith("2 ") && line.contains("no luck (void since event 4)"))
        .anyMatch(line -> line.strip().startsWith("3 ") && line.contains("(void since event 4)"));
    assertThat(run(0, "history", "f", "--from", "2", "--limit", "1", "--json"))
        .contains("\"voidSince\":4");
  }

  @Test
  void shouldDeleteAndPurge() {
    // given
    waiting("w");
    run(0, "start", "fails", "f", "--input", "\"x\"");
    awaitStatus("f", FlowStatus.FAILED);
    // then
    run(2, "delete", "w");
    assertThat(err.toString()).contains("Expected --yes", "this deletes the flow w");
    run(1, "delete", "w", "--yes");
    assertThat(err.toString()).containsIgnoringCase("flow w is RUNNING");
    assertThat(run(0, "delete", "w", "--force", "--yes")).contains("1 flow deleted");
    run(1, "show", "w");
    assertThat(err.toString()).contains("There is no flow with the id w");
    run(2, "purge");
    assertThat(err.toString()).contains("Expected --ended-before");
    assertThat(run(0, "purge", "--all", "--dry-run")).contains("1 flow would be deleted");
    assertThat(run(0, "purge", "--status", "failed", "--json", "--yes")).contains("\"deleted\":1");
    run(2, "delete");
    run(2, "purge", "--status", "running");
  }

  /** A jar with a class acme.Name, whose flow waits for an event. */
  private String jar(String name, String event) throws IOException {
    Path source =
        Files.writeString(
            temp.resolve(name + ".java"),
            """
      package acme;
      import io.holdfast.workflow.*;
      import java.util.List;
      public final class %s implements java.util.function.Supplier<List<Definition>> {
        @Override public List<Definition> get() {
          return List.of(
              Orchestration.named("waits", String.class, String.class,
                  (flow, text) -> text + flow.event("%s", String.class).await()));
        }
      }
      """
                .formatted(name, event));
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-d",
                temp.toString(),
                "-cp",
                Path.of(
                        Orchestration.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .getPath())
                    .toString(),
                source.toString());
    assertThat(failed).isZero();
    Path jar = temp.resolve(name + ".jar");
    try (JarOutputStream packed = new JarOutputStream(Files.newOutputStream(jar))) {
      packed.putNextEntry(new JarEntry("acme/" + name + ".class"));
      packed.write(Files.readAllBytes(temp.resolve("acme").resolve(name + ".class")));
    }
    return jar.toString();
  }

  @Test
  void shouldVerifyCode() throws IOException {
    // given
    waiting("w");
    String good = jar("Good", "go");
    String bad = jar("Bad", "come");
    // then
    assertThat(run(0, "verify", "--jar", good, "--class", "acme.Good"))
        .contains("1 flow: 1 fine, 0 differs");
    assertThat(run(1, "verify", "--jar", bad, "--class", "acme.Bad"))
        .contains("w  waits  RUNNING  differs")
        .contains("history: event 1 (wait for event 'go')")
        .contains("code:    wait for event 'come'");
    assertThat(run(1, "verify", "--jar", bad, "--class", "acme.Bad", "--json"))
        .contains("\"fine\":false")
        .contains("\"differs\":1");
    run(2, "verify", "--jar", good, "--class", "com.acme.Nothing");
    assertThat(err.toString()).contains("--class: com.acme.Nothing cannot be created");
    run(2, "verify", "--jar", good, "--class", "java.util.ArrayList");
    run(2, "verify", "--jar", "no-such.jar", "--class", "acme.Good");
    assertThat(flows.admin().history("w", 0, 0, 10).length()).isEqualTo(2);
  }

  @Test
  void shouldSayThatNoServerAnswers() throws IOException {
    // given: a port that no server gets by chance
    int port = 1;
    // when
    StringWriter errors = new StringWriter();
    int exit =
        Main.commandLine()
            .setErr(new PrintWriter(errors))
            .execute("flows", "list", "--server", "http://127.0.0.1:" + port);
    // then
    assertThat(exit).isEqualTo(ExitCodes.UNREACHABLE);
    assertThat(errors.toString()).contains("No server answers at http://127.0.0.1:" + port);
  }

  @Test
  void shouldExplainItself() {
    StringWriter help = new StringWriter();
    assertThat(Main.commandLine().setOut(new PrintWriter(help)).execute("flows")).isZero();
    assertThat(help.toString()).contains("list", "show", "history", "verify");
  }
}
