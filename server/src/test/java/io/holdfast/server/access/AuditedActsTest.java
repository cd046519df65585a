package io.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.RecordedLog;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.ServerFixture;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Acts that are audited only under some conditions, or that go on after the call. */
class AuditedActsTest extends ServerFixture {
  private final RecordedLog log = RecordedLog.of("holdfast.audit");
  private final Map<String, TokenFile.Made> tokens = new HashMap<>();

  @AfterEach
  void closeLog() {
    log.close();
  }

  @Override
  protected ServerConfig config() {
    make("ops", Role.ADMIN);
    make("worker", Role.READ_WRITE);
    return super.config().tokens(file().path());
  }

  private TokenFile file() {
    return new TokenFile(temp.resolve("tokens"));
  }

  private void make(String name, Role role) {
    TokenWish wish = new TokenWish(name, role, NamePatterns.ALL, 0);
    tokens.put(name, file().create(wish, clock.wallMs()));
  }

  private TokenFile.Made token(String name) {
    return Objects.requireNonNull(tokens.get(name));
  }

  private Reply ask(TokenFile.Made token, String method, String path, String body) {
    return send(
        HttpRequest.newBuilder(uri(path))
            .method(
                method,
                body.isEmpty()
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body.replace('\'', '"')))
            .header("Authorization", "Bearer " + token.text())
            .build());
  }

  private String popped() {
    ask(token("worker"), "POST", "/api/v1/push", "{'items':[{'queue':'q','payload':1}]}")
        .expect(201);
    return ask(token("worker"), "GET", "/api/v1/pop/queue/q", "").expect(200).text("/leaseId");
  }

  private List<String> acts(String act) {
    return log.lines().stream().filter(line -> line.contains("act=" + act + " ")).toList();
  }

  @Test
  void shouldAuditTheSettleOfALeaseOfAnotherCaller() {
    // given
    String lease = popped();
    String path = "/api/v1/lease/" + lease + "/settle";
    // when
    ask(token("ops"), "POST", path, "{'status':'release'}").expect(200);
    // then
    assertThat(acts("settle-lease"))
        .singleElement()
        .asString()
        .contains("by=" + token("ops").token().id(), "queue=q", "lease=" + lease)
        .contains("heldBy=" + token("worker").token().id(), "outcome=RELEASE", "result=OK");
    // when
    ask(token("ops"), "POST", path, "{'status':'completed'}").expect(200);
    // then
    assertThat(acts("settle-lease")).last().asString().endsWith("result=STALE_LEASE");
  }

  @Test
  void shouldNotAuditTheSettleOfOnesOwnLease() {
    String lease = popped();
    ask(token("worker"), "POST", "/api/v1/lease/" + lease + "/settle", "{'status':'completed'}")
        .expect(200);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void shouldAuditWhatACommitCancelsUnlessItIsTheWorkOfFlows() {
    // given
    String push = "{'items':[{'queue':'%s','payload':1,'transactionId':'t','delaySeconds':60}]}";
    ask(token("worker"), "POST", "/api/v1/push", push.formatted("q")).expect(201);
    ask(token("worker"), "POST", "/api/v1/push", push.formatted("flows.turns")).expect(201);
    String cancel =
        "{'operations':[{'type':'cancel','queue':'%s','partition':'Default','transactionId':'t'}]}";
    // when
    ask(token("worker"), "POST", "/api/v1/commit", cancel.formatted("flows.turns")).expect(200);
    // then
    assertThat(log.lines()).isEmpty();
    // when
    ask(token("worker"), "POST", "/api/v1/commit", cancel.formatted("q")).expect(200);
    // then
    assertThat(acts("cancel"))
        .singleElement()
        .asString()
        .contains("by=" + token("worker").token().id(), "queue=q", "operations=1", "result=OK");
  }

  private void dead(int count) {
    for (int i = 0; i < count; i++) {
      String lease = popped();
      ask(token("worker"), "POST", "/api/v1/lease/" + lease + "/settle", "{'status':'dlq'}")
          .expect(200);
    }
  }

  @Test
  void shouldAuditTheStartOfAJobAndItsEnd() {
    // given
    dead(2);
    // when
    ask(token("ops"), "DELETE", "/api/v1/dlq?queue=q&background=true", "").expect(202);
    // then
    Awaitility.await().until(() -> acts("remove-job").size() == 2);
    assertThat(acts("remove-job").getFirst()).contains("queue=q", "total=2", "result=STARTED");
    assertThat(acts("remove-job").getLast())
        .contains("by=" + token("ops").token().id(), "queue=q", "count=2", "result=DONE");
  }

  @Test
  void shouldEndAJobWithTheTokenThatStartedIt() {
    // given
    dead(3);
    String job =
        ask(token("worker"), "POST", "/api/v1/dlq/requeue", "{'queue':'q','perSecond':1}")
            .expect(202)
            .text("/job/id");
    Awaitility.await().until(() -> job(job).number("/job/done") == 1);
    // when
    ask(token("ops"), "DELETE", "/api/v1/tokens/" + token("worker").token().id(), "").expect(200);
    // then
    Awaitility.await().until(() -> !job(job).text("/job/state").equals("running"));
    assertThat(job(job).text("/job/state")).isEqualTo("cancelled");
    assertThat(job(job).text("/job/error")).contains("token", "revoked");
    assertThat(job(job).number("/job/done")).isEqualTo(1);
    assertThat(acts("requeue-job")).last().asString().contains("count=1", "result=CANCELLED");
  }

  private Reply job(String id) {
    return ask(token("ops"), "GET", "/api/v1/jobs/" + id, "").expect(200);
  }
}
