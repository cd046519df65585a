package io.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.server.RecordedLog;
import io.holdfast.server.Routes;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.ServerFixture;
import io.holdfast.server.access.AimedRequests.Aimed;
import io.holdfast.server.http.Auditing.Lines;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import io.holdfast.workflow.admin.FlowAdmin;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every route there is: the audit log has the acts that the route declares, and no others. */
@Tag("slow")
class AuditMatrixTest extends ServerFixture {
  private static final Pattern ACT = Pattern.compile("^INFO act=(\\S+) by=(\\S+) ");

  private static final Pattern DONE = Pattern.compile(" result=(OK|STARTED)$");

  private final RecordedLog log = RecordedLog.of("holdfast.audit");
  private String admin = "";
  private int aims;

  @AfterEach
  void closeLog() {
    log.close();
  }

  @Override
  protected EngineConfig engine() {
    return super.engine().durability(Durability.OS);
  }

  @Override
  protected ServerConfig config() {
    TokenFile file = new TokenFile(temp.resolve("tokens"));
    TokenWish wish = new TokenWish("ops", Role.ADMIN, NamePatterns.ALL, 0);
    admin = file.create(wish, clock.wallMs()).text();
    return super.config().tokens(file.path());
  }

  private List<Route> routes() {
    return new Routes(broker, clock, new Traffic()).all();
  }

  private static String name(Route route) {
    return route.method() + " " + route.path();
  }

  private Reply ask(Route route, Aimed aimed) {
    return send(
        HttpRequest.newBuilder(uri(aimed.path()))
            .method(
                route.method().name(),
                aimed.body() == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(aimed.body()))
            .header("Content-Type", aimed.type())
            .header("Authorization", "Bearer " + admin)
            .build());
  }

  private static List<String> acts(List<String> lines) {
    return lines.stream()
        .flatMap(line -> ACT.matcher(line).results())
        .map(found -> found.group(1))
        .toList();
  }

  @TestFactory
  Stream<DynamicTest> shouldWriteTheActsThatARouteDeclaresAndNoOthers() {
    new FlowAdmin(broker, "flows", clock)
        .start("audited", null, AimedRequests.FLOW, "1".getBytes(StandardCharsets.UTF_8));
    return routes().stream()
        // What is signed in with is a token, and not made up.
        .filter(route -> !name(route).equals("POST /api/v1/session"))
        .map(route -> dynamicTest(name(route), () -> check(route)));
  }

  private void check(Route route) {
    for (Aimed aimed : AimedRequests.of(route, Aim.at(broker, "in." + aims++))) {
      log.take();
      Reply reply = ask(route, aimed);
      List<String> lines = log.take();
      assertThat(route.audit().acts())
          .as(route.audit() + ": " + reply.http().body() + lines)
          .containsAll(acts(lines));
      boolean each = route.audit().lines() == Lines.EACH_CALL;
      boolean inside = route.audit().lines() == Lines.INSIDE && reply.status() < 300;
      if (each || inside) {
        assertThat(acts(lines)).as(reply.http().body()).isNotEmpty();
        assertThat(lines).allMatch(line -> line.contains(" result="));
        assertThat(DONE.matcher(lines.getLast()).find())
            .as(reply.status() + " " + reply.http().body() + lines)
            .isEqualTo(reply.status() < 300);
      }
    }
  }

  @Test
  void shouldDeclareForEachRouteThatChangesSomethingWhatIsAudited() {
    List<String> undeclared =
        routes().stream()
            .filter(route -> !route.onlyLooks() && route.audit().lines() == Lines.NONE)
            .map(AuditMatrixTest::name)
            .toList();
    assertThat(undeclared).isEmpty();
  }

  @Test
  void shouldDocumentEachAct() throws Exception {
    // given
    TreeSet<String> acts = new TreeSet<>();
    routes().forEach(route -> acts.addAll(route.audit().acts()));
    // when
    String page = Files.readString(Path.of("..", "docs", "security.md"));
    String table = page.substring(page.indexOf("| act |"));
    List<String> documented = new ArrayList<>();
    for (String row : table.lines().skip(2).takeWhile(line -> line.startsWith("|")).toList()) {
      Pattern.compile("`([a-z-]+)`")
          .matcher(row.substring(0, row.indexOf('|', 1)))
          .results()
          .map(MatchResult::group)
          .map(text -> text.replace("`", ""))
          .forEach(documented::add);
    }
    // then
    assertThat(documented).containsAll(acts);
    assertThat(documented).doesNotHaveDuplicates();
    acts.addAll(List.of("denied", "login"));
    assertThat(acts).containsAll(documented);
  }
}
