package io.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.api.commit.RecordRequest;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.server.Routes;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.ServerFixture;
import io.holdfast.server.access.AimedRequests.Aimed;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import io.holdfast.workflow.admin.FlowAdmin;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every route there is, asked with every kind of token: what is answered follows from the access of
 * the route, the role of the token, and the queues it is for.
 */
@Tag("slow")
class RoleMatrixTest extends ServerFixture {
  private static final List<String> INSIDE = List.of("in.*", "flows*");
  private static final List<String> ELSEWHERE = List.of("in.*");
  private static final List<String> ALL = List.of("*");

  private final Map<List<String>, Map<Role, String>> tokens = new LinkedHashMap<>();
  private int aims;

  @Override
  protected EngineConfig engine() {
    return super.engine().durability(Durability.OS);
  }

  @Override
  protected ServerConfig config() {
    for (List<String> queues : List.of(ALL, INSIDE, ELSEWHERE)) {
      Map<Role, String> ofRole = new EnumMap<>(Role.class);
      for (Role role : Role.values()) {
        ofRole.put(role, token(role, queues, 0));
      }
      tokens.put(queues, ofRole);
    }
    return super.config().tokens(file().path());
  }

  private TokenFile file() {
    return new TokenFile(temp.resolve("tokens"));
  }

  private String token(Role role, List<String> queues, long expiresMs) {
    TokenWish wish = new TokenWish(role.word(), role, NamePatterns.of(queues), expiresMs);
    return "Bearer " + file().create(wish, clock.wallMs()).text();
  }

  private String token(List<String> queues, Role role) {
    return Objects.requireNonNull(Objects.requireNonNull(tokens.get(queues)).get(role));
  }

  private List<Route> routes() {
    return new Routes(broker, clock, new Traffic())
        .all().stream()
            // Whoever signs in shows a token there: it has tests of its own.
            .filter(route -> !name(route).equals("POST /api/v1/session"))
            .toList();
  }

  private static String name(Route route) {
    return route.method() + " " + route.path();
  }

  private Reply ask(Route route, Aimed aimed, @Nullable String authorization) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(aimed.path()))
            .method(
                route.method().name(),
                aimed.body() == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(aimed.body()))
            .header("Content-Type", aimed.type());
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return send(request.build());
  }

  private Aim aim(String world) {
    return Aim.at(broker, world + "." + aims++);
  }

  @TestFactory
  Stream<DynamicTest> shouldLetNobodyInWithoutAGoodToken() {
    // given
    String revoked = token(Role.ADMIN, ALL, 0);
    String expired = token(Role.ADMIN, ALL, clock.wallMs() + 1);
    clock.advance(Duration.ofMillis(1));
    file().revoke(revoked.substring(10, 20), clock.wallMs());
    String good = token(ALL, Role.ADMIN);
    Map<String, @Nullable String> bad = new LinkedHashMap<>();
    bad.put("none", null);
    bad.put("empty", "Bearer ");
    bad.put("malformed", "Bearer hf_x");
    bad.put("of another kind", "Basic YWRtaW46YWRtaW4=");
    bad.put("unknown", "Bearer " + TokenText.fresh().text());
    bad.put("revoked", revoked);
    bad.put("expired", expired);
    bad.put("with a wrong secret", good.substring(0, good.length() - 4) + "AAAA");
    Awaitility.await().until(() -> send(whoAmI(revoked)).status() >= 400);
    Aim aim = aim("in");
    String before = aim.state(broker);
    return routes().stream()
        .map(
            route ->
                dynamicTest(
                    name(route),
                    () -> {
                      bad.forEach((kind, token) -> refused(route, aim, kind, token));
                      assertThat(aim.state(broker)).isEqualTo(before);
                    }));
  }

  private HttpRequest whoAmI(String authorization) {
    return HttpRequest.newBuilder(uri("/api/v1/whoami"))
        .header("Authorization", authorization)
        .build();
  }

  private void refused(Route route, Aim aim, String kind, @Nullable String token) {
    Reply reply = ask(route, AimedRequests.of(route, aim).getFirst(), token);
    if (route.access() == Access.PUBLIC) {
      assertThat(reply.status()).as(kind).isNotIn(401, 403, 429);
      return;
    }
    assertThat(reply.status()).as(kind).isEqualTo(401);
    assertThat(reply.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"holdfast\"");
    assertThat(reply.text("/code")).isEqualTo("UNAUTHENTICATED");
    assertThat(reply.text("/error"))
        .isEqualTo(
            token == null
                ? reply.text("/error")
                : "the token is unknown, malformed, expired or revoked");
    assertThat(reply.http().body()).doesNotContain(aim.queue());
  }

  @TestFactory
  Stream<DynamicTest> shouldOpenToARoleWhatItsAccessesAreAndNothingElse() {
    Aim untouched = aim("in");
    String before = untouched.state(broker);
    return routes().stream()
        .map(
            route ->
                dynamicTest(
                    name(route),
                    () -> {
                      for (Role role : Role.values()) {
                        Aim aim = role.has(route.access()) ? aim("in") : untouched;
                        for (Aimed aimed : AimedRequests.of(route, aim)) {
                          check(route, role, ask(route, aimed, token(ALL, role)));
                        }
                      }
                      assertThat(untouched.state(broker)).isEqualTo(before);
                    }));
  }

  private static void check(Route route, Role role, Reply reply) {
    if (!role.has(route.access())) {
      assertThat(reply.status()).as(role.word()).isEqualTo(403);
      assertThat(reply.text("/code")).isEqualTo("FORBIDDEN");
      assertThat(reply.text("/error")).contains(role.word());
    } else if (route.access() == Access.CHANGE && reply.status() == 403) {
      // What it needs depends on what is in it: other tests look at that.
      assertThat(role)
          .isIn(
              reply.http().body().contains("needs the access admin")
                  ? List.of(Role.WRITE_ONLY, Role.READ_WRITE)
                  : List.of(Role.WRITE_ONLY));
    } else {
      assertThat(reply.status())
          .as(role.word() + ": " + reply.http().body())
          .isNotIn(401, 403)
          .isLessThan(500);
    }
  }

  @TestFactory
  Stream<DynamicTest> shouldLetALimitedTokenWorkInside() {
    flow();
    return routes().stream()
        .map(
            route ->
                dynamicTest(
                    name(route),
                    () -> {
                      for (Role role : Role.values()) {
                        for (Aimed aimed : AimedRequests.of(route, aim("in"))) {
                          Reply reply = ask(route, aimed, token(INSIDE, role));
                          if (role.has(route.access()) && route.whole()) {
                            assertThat(reply.status()).isEqualTo(403);
                            assertThat(reply.text("/error")).contains("a token for all queues");
                          } else if (isTagged(reply)) {
                            assertThat(aimed.names()).isFalse();
                          } else {
                            check(route, role, reply);
                          }
                        }
                      }
                    }));
  }

  /** A pop by namespace or task names no queue, and is for tokens for all of them. */
  private static boolean isTagged(Reply reply) {
    return reply.status() == 403 && reply.http().body().contains("pops by namespace or task");
  }

  private void flow() {
    new FlowAdmin(broker, "flows", clock)
        .start(
            "hidden-flow",
            null,
            AimedRequests.FLOW,
            "\"hidden-flow\"".getBytes(StandardCharsets.UTF_8));
  }

  private String flowState() {
    return broker
        .record(RecordRequest.of("flows/flow/" + AimedRequests.FLOW))
        .map(record -> record.version())
        .toString();
  }

  @TestFactory
  Stream<DynamicTest> shouldLetALimitedTokenTouchAndSeeNothingOutside() {
    flow();
    Aim aim = aim("out");
    String before = aim.state(broker) + flowState();
    return routes().stream()
        .map(
            route ->
                dynamicTest(
                    name(route),
                    () -> {
                      List<Aimed> variants = AimedRequests.of(route, aim);
                      for (int i = 0; i < variants.size(); i++) {
                        boolean valid = variants.get(i).names() && isTaken(route, i);
                        for (Role role : Role.values()) {
                          outside(route, role, aim, variants.get(i), valid);
                        }
                      }
                      assertThat(aim.state(broker) + flowState()).isEqualTo(before);
                    }));
  }

  /** Whether such a request is carried out for somebody who may do everything. */
  private boolean isTaken(Route route, int variant) {
    Aimed aimed = AimedRequests.of(route, aim("in")).get(variant);
    return ask(route, aimed, token(ALL, Role.ADMIN)).status() < 400;
  }

  private void outside(Route route, Role role, Aim aim, Aimed aimed, boolean valid) {
    Reply reply = ask(route, aimed, token(ELSEWHERE, role));
    String body = reply.http().body();
    assertThat(reply.status()).as(body).isNotEqualTo(401).isLessThan(500);
    assertThat(body).doesNotContain(aim.secret(), "hidden-flow");
    if (!role.has(route.access()) || route.whole()) {
      assertThat(reply.status()).isEqualTo(403);
    } else if (aimed.names()) {
      // One that is malformed may be refused for that first.
      assertThat(reply.status()).as(body).isBetween(valid ? 403 : 400, valid ? 403 : 499);
    } else {
      assertThat(body).doesNotContain(aim.queue());
    }
  }

  /** A matrix whose requests are all malformed would see nothing. */
  @Test
  void shouldAimRequestsThatMostRoutesTake() {
    flow();
    List<String> taken = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (Route route : routes()) {
      if (route.path().startsWith("/assets/") || route.path().startsWith("/vendor/")) {
        // Files that are there have names of their own.
        continue;
      }
      if (route.path().startsWith("/api/v1/cluster")) {
        // Only a node of a cluster takes them.
        continue;
      }
      boolean ok =
          AimedRequests.of(route, aim("in")).stream()
              .anyMatch(aimed -> ask(route, aimed, token(ALL, Role.ADMIN)).status() < 400);
      (ok ? taken : refused).add(name(route));
    }
    assertThat(taken.size()).as("refused: " + refused).isGreaterThan(refused.size() * 6);
  }

  /** They ask none of the brokers that look at names, so they have to ask for all names. */
  @Test
  void shouldKeepWhatIsAboutTheWholeServerFromLimitedTokens() {
    List<Route> about =
        routes().stream()
            .filter(
                route ->
                    route.path().startsWith("/api/v1/system")
                        || route.path().startsWith("/api/v1/tokens"))
            .toList();
    assertThat(about).hasSizeGreaterThan(8);
    for (Route route : about) {
      assertThat(route.whole()).as(name(route)).isTrue();
    }
  }

  @Test
  void shouldHaveNoRouteWithoutAnAccessThatSomeRoleHas() {
    for (Route route : routes()) {
      assertThat(Arrays.stream(Role.values()).filter(role -> role.has(route.access())))
          .as(name(route))
          .contains(Role.ADMIN);
    }
  }
}
