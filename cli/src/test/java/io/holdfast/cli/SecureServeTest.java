package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.TimeSource;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.access.Role;
import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokenWish;
import io.holdfast.testkit.SelfSigned;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} with tokens and TLS, as a process of its own. */
@Tag("slow")
class SecureServeTest {
  @TempDir static Path directory;
  private static SelfSigned keys;
  private static TokenFile tokens;
  private static TokenFile.Made admin;
  private static TokenFile.Made reader;
  private static ServedProcess served;
  private static HttpClient client;

  @BeforeAll
  static void start() throws IOException {
    keys = SelfSigned.of(directory, "server", "localhost");
    tokens = new TokenFile(directory.resolve("tokens"));
    admin = make("boss", Role.ADMIN);
    reader = make("dash", Role.READ_ONLY);
    served =
        ServedProcess.launch(
            directory,
            // The audit log does not depend on the level.
            Map.of("HOLDFAST_TOKENS", tokens.path().toString(), "HOLDFAST_LOG_LEVEL", "WARN"),
            "--port",
            "0",
            "--data",
            directory.resolve("data").toString(),
            "--tls-cert",
            keys.certificate().toString(),
            "--tls-key",
            keys.key().toString());
    client = HttpClient.newBuilder().sslContext(keys.trusting()).build();
    served.url();
  }

  @AfterAll
  static void stop() {
    served.close();
    client.close();
  }

  private static TokenFile.Made make(String name, Role role) {
    return tokens.create(
        new TokenWish(name, role, NamePatterns.ALL, 0), TimeSource.SYSTEM.wallMs());
  }

  private static HttpResponse<String> ask(
      String method, String path, @Nullable String body, String token) {
    try {
      return client.send(
          HttpRequest.newBuilder(URI.create(served.url() + path))
              .method(
                  method,
                  body == null
                      ? BodyPublishers.noBody()
                      : BodyPublishers.ofString(body.replace('\'', '"')))
              .header("Authorization", "Bearer " + token)
              .build(),
          BodyHandlers.ofString());
    } catch (IOException | InterruptedException failed) {
      throw new AssertionError(failed);
    }
  }

  private static List<String> audit() {
    return served.errors().lines().filter(line -> line.contains(" audit: ")).toList();
  }

  private static void expectAudited(String... parts) {
    await()
        .untilAsserted(
            () -> assertThat(audit()).anySatisfy(line -> assertThat(line).contains(parts)));
  }

  @Test
  void shouldSayHowItIsReachedAndWhoMay() {
    assertThat(served.output())
        .contains("Holdfast listens on https://127.0.0.1:", tokens.path().toString())
        .contains("curl -H \"Authorization: Bearer $HOLDFAST_TOKEN\" https://");
  }

  @Test
  void shouldBeAskedOverTlsWhetherItIsReady() throws Exception {
    assumeThat(new ProcessBuilder("bash", "-c", "command -v openssl").start().waitFor()).isZero();
    // given
    Path dist = Path.of("..", "dist");
    Path bin = Files.createDirectories(directory.resolve("package/bin"));
    Path lib = Files.createDirectories(directory.resolve("package/lib"));
    Path launcher = Files.copy(dist.resolve("holdfast"), bin.resolve("holdfast"));
    Files.copy(dist.resolve("launch.sh"), lib.resolve("launch.sh"));
    // then
    assertThat(isReady(launcher, URI.create(served.url()).getPort())).isZero();
    try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread hangsUp = Thread.ofVirtual().start(() -> hangUp(deaf));
      assertThat(isReady(launcher, deaf.getLocalPort())).as("somebody listens").isNotZero();
      hangsUp.join();
    }
  }

  private static int isReady(Path launcher, int port) throws Exception {
    ProcessBuilder asks = new ProcessBuilder("bash", launcher.toString(), "is-ready");
    asks.environment()
        .putAll(
            Map.of("HOLDFAST_PORT", "" + port, "HOLDFAST_TLS_CERT", keys.certificate().toString()));
    return asks.redirectErrorStream(true)
        .redirectOutput(directory.resolve("ready.txt").toFile())
        .start()
        .waitFor();
  }

  private static void hangUp(ServerSocket deaf) {
    try {
      deaf.accept().close();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  @Test
  void shouldWriteALineForEachActOfAnOperator() {
    String by = "by=" + admin.token().id() + " name=boss from=127.0.0.1";
    String push = "{'items':[{'queue':'acts','payload':'never-logged','transactionId':'t1'}]}";
    // when
    act("POST", "/api/v1/configure", "{'queue':'acts','options':{'leaseTime':30}}");
    act("POST", "/api/v1/push", push);
    act("POST", "/api/v1/resources/queues/acts/pause", null);
    act("POST", "/api/v1/resources/queues/acts/resume", null);
    String popped = act("GET", "/api/v1/pop/queue/acts?consumerGroup=g", null);
    act(
        "POST",
        "/api/v1/ack",
        "{'transactionId':'t1','partitionId':'%s','leaseId':'%s','status':'dlq','error':'x'}"
            .formatted(field(popped, "partitionId"), field(popped, "leaseId")));
    act("POST", "/api/v1/dlq/requeue", "{'queue':'acts'}");
    act("DELETE", "/api/v1/dlq?queue=acts", null);
    act("POST", "/api/v1/system/checkpoints", "{'name':'copy'}");
    act("POST", "/api/v1/consumer-groups/g/queues/acts/seek", "{'toEnd':true}");
    act("POST", "/api/v1/messages/" + field(popped, "id") + "/cancel", null);
    act("DELETE", "/api/v1/consumer-groups/g/queues/acts", null);
    act("POST", "/api/v1/resources/queues/acts/purge", null);
    act("DELETE", "/api/v1/resources/queues/acts", null);
    act("POST", "/api/v1/flows", "{'id':'f','name':'n'}");
    act("POST", "/api/v1/flows/f/terminate", null);
    act("DELETE", "/api/v1/flows/f?force=true", null);
    act("DELETE", "/api/v1/flows?status=failed", null);
    String made = act("POST", "/api/v1/tokens", "{'role':'read-only','name':'x'}");
    act("DELETE", "/api/v1/tokens/" + field(made, "id"), null);
    ask("DELETE", "/api/v1/resources/queues/acts", null, reader.text());
    // then
    expectAudited("act=configure " + by, "queue=acts", "LEASE_TIME=30", "result=OK");
    expectAudited("act=pause " + by, "queue=acts", "result=OK");
    expectAudited("act=resume " + by, "queue=acts", "result=OK");
    expectAudited("act=kill " + by, "queue=acts", "settles=1", "result=OK");
    expectAudited("act=requeue " + by, "queue=acts", "count=1", "result=OK");
    expectAudited("act=remove-dead-letters " + by, "queue=acts", "result=OK");
    expectAudited("act=checkpoint " + by, "checkpoint=copy", "result=OK");
    expectAudited("act=seek " + by, "queue=acts", "group=g", "to=end", "result=OK");
    expectAudited("act=cancel " + by, "message=" + field(popped, "id"), "result=");
    expectAudited("act=delete-group " + by, "queue=acts", "group=g", "result=OK");
    expectAudited("act=purge " + by, "queue=acts", "result=OK");
    expectAudited("act=delete-queue " + by, "queue=acts", "result=OK");
    expectAudited("act=flow-terminate " + by, "flow=f", "result=OK");
    expectAudited("act=flow-delete " + by, "flow=f", "result=");
    expectAudited("act=flow-purge " + by, "status=failed", "result=OK");
    expectAudited("act=create-token " + by, "tokenName=x", "role=read-only", "result=OK");
    expectAudited("act=revoke-token " + by, "token=" + field(made, "id"), "result=OK");
    expectAudited(
        "act=denied by=" + reader.token().id() + " name=dash",
        "route=\"DELETE /api/v1/resources/queues/{queue}\"",
        "result=FORBIDDEN");
    assertThat(served.errors()).doesNotContain("never-logged");
  }

  private static String act(String method, String path, @Nullable String body) {
    HttpResponse<String> answer = ask(method, path, body, admin.text());
    assertThat(answer.statusCode()).as(path + answer.body()).isNotIn(400, 401, 403, 500);
    return answer.body();
  }

  private static String field(String json, String name) {
    return json.replaceAll("(?s).*?\"" + name + "\":\"([^\"]*)\".*", "$1");
  }

  @Test
  void shouldLetNobodyForgeALineOfTheAuditLog() {
    String forged = "x%0d%0a2026-01-01T00:00:00.000Z%20INFO%20audit:%20act=forged%E2%80%AE";
    ask("POST", "/api/v1/flows/" + forged + "/terminate", null, admin.text());
    ask("DELETE", "/api/v1/resources/queues/" + forged, null, admin.text());
    expectAudited("act=flow-terminate", "x\\u000d\\u000a2026", "\\u202e");
    assertThat(audit()).noneMatch(line -> line.matches("\\S+ +\\S+ +audit: act=forged.*"));
    assertThat(served.errors().lines()).noneMatch(line -> line.startsWith("2026-01-01"));
  }

  @Test
  void shouldForgetATokenThatTheCommandLineRevokes() {
    // given
    TokenFile.Made brief = make("brief", Role.READ_WRITE);
    // Who asks ten times with a token that is not known yet is sent away for a minute.
    await()
        .pollInterval(Duration.ofMillis(200))
        .until(() -> ask("GET", "/api/v1/whoami", null, brief.text()).statusCode() == 200);
    // when
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(new StringWriter()))
            .execute("token", "revoke", brief.token().id(), "--tokens", tokens.path().toString());
    // then
    assertThat(status).isZero();
    // 401, or 429 if it was asked with too often before it was known.
    await()
        .pollInterval(Duration.ofMillis(20))
        .until(() -> ask("GET", "/api/v1/whoami", null, brief.text()).statusCode() >= 400);
  }

  @Test
  void shouldBeAskedByTheCommandLine() throws IOException {
    // given
    Path tokenFile = directory.resolve("admin.token");
    Files.writeString(tokenFile, admin.text() + "\n");
    String server = served.url().replace("127.0.0.1", "localhost");
    String ca = keys.certificate().toString();
    // then
    assertThat(flows(0, server, "--tls-ca", ca, "--token-file", tokenFile.toString()))
        .contains("flows");
    assertThat(flows(1, server, "--tls-ca", ca)).contains("Expected a token");
    assertThat(flows(3, server, "--token-file", tokenFile.toString()))
        .containsIgnoringCase("no server answers at " + server);
    assertThat(flows(2, server, "--tls-ca", ca, "--token-file", "missing"))
        .contains("--token-file: missing cannot be read");
    assertThat(flows(2, server, "--tls-ca", tokenFile.toString())).contains("certificates in PEM");
  }

  private static String flows(int status, String server, String... more) {
    StringWriter out = new StringWriter();
    PrintWriter printer = new PrintWriter(out);
    List<String> all = new ArrayList<>(List.of("flows", "list", "--server", server));
    all.addAll(List.of(more));
    int got =
        Main.commandLine().setOut(printer).setErr(printer).execute(all.toArray(String[]::new));
    assertThat(got).as(out.toString()).isEqualTo(status);
    return out.toString();
  }

  @Test
  void shouldLeaveNoTraceOfASecret() throws IOException {
    // given
    String bad = "hf_" + admin.token().id() + "_" + "b".repeat(43);
    String push = "{'items':[{'queue':'orders','payload':1}]}";
    // when
    assertThat(ask("POST", "/api/v1/push", push, admin.text()).statusCode()).isEqualTo(201);
    assertThat(ask("POST", "/api/v1/push", push, reader.text()).statusCode()).isEqualTo(403);
    assertThat(ask("GET", "/health", null, bad).statusCode()).isEqualTo(200);
    assertThat(ask("POST", "/api/v1/push", "{", admin.text()).statusCode()).isEqualTo(400);
    expectAudited("act=login", "from=127.0.0.1", "result=UNAUTHENTICATED");
    // then
    List<String> secrets =
        Stream.of(admin.text(), reader.text(), bad).map(text -> text.substring(14)).toList();
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> written =
          files
              .filter(Files::isRegularFile)
              .filter(file -> !file.endsWith("admin.token"))
              .filter(file -> !file.startsWith(directory.resolve("native")))
              .toList();
      assertThat(written).hasSizeGreaterThan(8);
      for (Path file : written) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(secrets);
      }
    }
  }
}
