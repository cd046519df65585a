package io.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.sun.management.OperatingSystemMXBean;
import io.holdfast.api.wire.Verbs;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.json.Schema;
import io.holdfast.server.Routes;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.ServerFixture;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import java.lang.management.ManagementFactory;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Large bodies to every route that takes one: a body of twice the size costs about twice the
 * processor time, never four times.
 *
 * <p>The bodies are made from the schemas of the routes, see {@link BombBodies} and {@link
 * BombVerbs}.
 */
@Tag("slow")
class RouteBombTest extends ServerFixture {
  /** Elements, keys, levels or pieces of a text: more than any limit of a request. */
  private static final int MANY = 20_000;

  /** Fewer elements than the limit of a request, so that the broker works on all of them. */
  private static final int ALLOWED = 4_500;

  private static final int WARM_UP_DIVISOR = 10;
  private static final double RATIO_MAX = 3;

  /** Processor time that is cheap, whatever it is compared with. */
  private static final long CHEAP_MS = 150;

  /** A collection of garbage may fall into a measurement; into all of these it does not. */
  private static final int ATTEMPTS = 3;

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private String limited = "";
  private String unlimited = "";
  private int aims;

  @Override
  protected EngineConfig engine() {
    return super.engine().durability(Durability.OS);
  }

  /** A limited token makes the server check each name, lease and message. */
  @Override
  protected ServerConfig config() {
    limited = token(List.of("in*", "flows*"));
    unlimited = token(List.of("*"));
    return super.config().tokens(file().path());
  }

  private TokenFile file() {
    return new TokenFile(temp.resolve("tokens"));
  }

  private String token(List<String> queues) {
    TokenWish wish = new TokenWish("bomb", Role.ADMIN, NamePatterns.of(queues), 0);
    return "Bearer " + file().create(wish, clock.wallMs()).text();
  }

  private List<Route> routes() {
    return new Routes(broker, clock, new Traffic())
        .all().stream().filter(route -> route.body() != null).toList();
  }

  private List<Route> jsonRoutes() {
    return routes().stream().filter(route -> !isVerb(route)).toList();
  }

  private static boolean isVerb(Route route) {
    return route.body() instanceof Schema.Document;
  }

  private Aim aim() {
    return Aim.at(broker, "in." + aims++);
  }

  @TestFactory
  Stream<DynamicTest> shouldTakeTimeInProportionToTheBody() {
    return jsonRoutes().stream()
        .map(
            route ->
                dynamicTest(
                    route.method() + " " + route.path(),
                    () -> {
                      BombBodies bodies = new BombBodies(route, aim());
                      bodies
                          .manyElements()
                          .forEach((name, body) -> check(route, name, body, ALLOWED));
                      bodies.manyElements().forEach((name, body) -> check(route, name, body, MANY));
                      bodies.others().forEach((name, body) -> check(route, name, body, MANY));
                    }));
  }

  @TestFactory
  Stream<DynamicTest> shouldTakeTimeInProportionToTheBodyOfAVerb() {
    return routes().stream()
        .filter(RouteBombTest::isVerb)
        .map(
            route ->
                dynamicTest(
                    route.path(),
                    () -> {
                      BombVerbs bodies = new BombVerbs(route, aim());
                      bodies
                          .manyElements()
                          .forEach((name, body) -> check(route, name, body, ALLOWED));
                      bodies.others().forEach((name, body) -> check(route, name, body, MANY));
                    }));
  }

  private void check(Route route, String name, IntFunction<byte[]> body, int n) {
    String path = AimedRequests.of(route, aim()).getFirst().path();
    send(route, path, body.apply(n / WARM_UP_DIVISOR));
    StringBuilder figures = new StringBuilder(name + " of " + n + ":");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long once = cpuMs(route, path, body.apply(n));
      long twice = cpuMs(route, path, body.apply(2 * n));
      if (twice <= RATIO_MAX * once + CHEAP_MS) {
        return;
      }
      figures.append(" %d ms, and %d ms for twice as many;".formatted(once, twice));
    }
    throw new AssertionError(figures);
  }

  private long cpuMs(Route route, String path, byte[] body) {
    long before = SYSTEM.getProcessCpuTime();
    send(route, path, body);
    return (SYSTEM.getProcessCpuTime() - before) / 1_000_000;
  }

  private Reply send(Route route, String path, byte[] body) {
    Reply reply =
        send(
            HttpRequest.newBuilder(uri(path))
                .method(route.method().name(), BodyPublishers.ofByteArray(body))
                .header("Content-Type", isVerb(route) ? Verbs.CONTENT_TYPE : "application/json")
                .header("Authorization", route.whole() ? unlimited : limited)
                .build());
    // Whoever signs in has the token in the body.
    assertThat(reply.status() == 401 && route.access() != Access.PUBLIC).isFalse();
    assertThat(reply.status()).as(reply.http().body()).isLessThan(500);
    return reply;
  }

  /** Arrays whose elements are all malformed would be refused at the first of them. */
  @Test
  void shouldHaveElementsThatEachRouteTakes() {
    for (Route route : jsonRoutes()) {
      BombBodies bodies = new BombBodies(route, aim());
      String path = AimedRequests.of(route, aim()).getFirst().path();
      for (Map.Entry<String, IntFunction<byte[]>> many : bodies.manyElements().entrySet()) {
        Reply reply = send(route, path, many.getValue().apply(2));
        assertThat(reply.status())
            .as(route.path() + " " + many.getKey() + ": " + reply.http().body())
            .isLessThan(400);
      }
    }
  }
}
