package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.api.Stats;
import io.holdfast.json.Field;
import io.holdfast.json.Schema;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Malformed requests to every route there is: each gets a 4xx that says what was wrong, nothing
 * changes, and the server goes on.
 */
class BadInputTest extends ServerFixture {
  private static final String DEEP = "[".repeat(500) + "]".repeat(500);

  private static final String UNKNOWN_FIELD = "an unknown field";

  /** Bodies that no route accepts, by what is wrong with them. */
  private static Map<String, byte[]> badBodies() {
    Map<String, byte[]> bodies = new LinkedHashMap<>();
    bodies.put("no JSON", utf8("hello"));
    bodies.put("an array", utf8("[]"));
    bodies.put("a text", utf8("\"x\""));
    bodies.put("a number", utf8("1"));
    bodies.put("null", utf8("null"));
    bodies.put("truncated", utf8("{\"queue\":\"q\""));
    bodies.put("two values", utf8("{} {}"));
    bodies.put("too deep", utf8("{\"x\":" + DEEP + "}"));
    bodies.put("single quotes", utf8("{'queue':1}"));
    bodies.put("a trailing comma", utf8("{\"queue\":\"q\",}"));
    bodies.put("a comment", utf8("{/* */}"));
    bodies.put(UNKNOWN_FIELD, utf8("{\"noSuchField\":1}"));
    bodies.put("bad UTF-8", new byte[] {'{', '"', (byte) 0xC3, '"', ':', '1', '}'});
    bodies.put("UTF-16", "{\"queue\":1}".getBytes(StandardCharsets.UTF_16LE));
    bodies.put("a byte order mark", utf8("\uFEFF{}"));
    bodies.put("a control character", utf8("{\"a\nb\":1}"));
    bodies.put("not a number", utf8("{\"x\":NaN}"));
    return bodies;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String path(Route route) {
    return route.path().replaceAll("\\{[^}]*}", "x");
  }

  private List<Route> routes() {
    return new Routes(broker, clock, new Traffic()).all();
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseEveryBadBodyOnEveryRoute() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Route route : routes()) {
      if (route.body() instanceof Schema.Document) {
        // What is not JSON at all has tests of its own.
        tests.add(
            dynamicTest(
                name(route) + " with JSON",
                () -> refused(request(route, path(route), utf8("{}")))));
      } else if (route.body() != null) {
        Map<String, byte[]> bodies = badBodies();
        if (route.tolerant()) {
          bodies.remove(UNKNOWN_FIELD);
        }
        bodies.forEach(
            (what, body) ->
                tests.add(
                    dynamicTest(
                        name(route) + " with " + what,
                        () -> refused(request(route, path(route), body)))));
      } else {
        tests.add(
            dynamicTest(
                name(route) + " with a body it has no use for",
                () -> refused(request(route, path(route), utf8("{}")))));
      }
    }
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseEveryBadParameterOnEveryRoute() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Route route : routes()) {
      badQueries(route)
          .forEach(
              query ->
                  tests.add(
                      dynamicTest(
                          name(route) + "?" + query,
                          () -> refused(request(route, path(route) + "?" + query, null)))));
    }
    return tests.stream();
  }

  private static List<String> badQueries(Route route) {
    List<String> queries = new ArrayList<>(List.of("a=%C3%28"));
    if (!route.tolerant()) {
      queries.add("noSuchParameter=1");
    }
    for (Field<?> param : route.params().list()) {
      String name = param.name();
      queries.add(name + "x=1");
      queries.add(name + "=1&" + name + "=1");
      switch (param.type().schema()) {
        case Schema.Scalar scalar -> queries.addAll(badTexts(name, scalar));
        case Schema.Words words -> queries.add(name + "=noSuchWord");
        default -> throw new IllegalStateException(name + " is no parameter");
      }
    }
    return queries;
  }

  private static List<String> badTexts(String name, Schema.Scalar scalar) {
    if ("date-time".equals(scalar.format())) {
      return List.of(name + "=yesterday", name + "=2026-13-01");
    }
    return switch (scalar.type()) {
      case "integer" -> {
        List<String> bad = new ArrayList<>(List.of(name + "=abc", name + "=1.5"));
        // One without bounds of its own is brought within them.
        if (scalar.min() != null) {
          bad.add(name + "=" + (scalar.min() - 1));
          bad.add(name + "=99999999999999999999");
        }
        yield bad;
      }
      case "boolean" -> List.of(name + "=maybe", name + "=2", name + "=TRUE1");
      default -> List.of();
    };
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseOtherMethodsOnEveryRoute() {
    List<Route> routes = routes();
    return routes.stream()
        .map(Route::path)
        .distinct()
        .map(
            path ->
                dynamicTest(
                    "PATCH " + path,
                    () -> {
                      Reply reply = send("PATCH", path.replaceAll("\\{[^}]*}", "x"), null);
                      assertThat(reply.expect(405).text("/error")).contains("asked with");
                    }));
  }

  private static String name(Route route) {
    return route.method() + " " + route.path();
  }

  private HttpRequest request(Route route, String path, byte @Nullable [] body) {
    return HttpRequest.newBuilder(uri(path))
        .method(
            route.method().name(),
            body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
        .build();
  }

  private void refused(HttpRequest request) {
    Stats before = broker.stats().orThrow();
    Reply reply = send(request);
    assertThat(reply.status()).as(reply.http().body()).isBetween(400, 499).isNotEqualTo(404);
    assertThat(reply.text("/error")).as(reply.http().body()).isNotBlank();
    assertThat(reply.text("/code")).isNotBlank();
    Stats after = broker.stats().orThrow();
    assertThat(after.queues()).isEqualTo(before.queues());
    assertThat(after.totals()).isEqualTo(before.totals());
  }

  @Test
  void shouldRefuseAPayloadThatIsTooDeep() {
    Reply reply =
        post("/api/v1/push", "{'items':[{'queue':'q','payload':" + DEEP + "}]}").expect(400);
    assertThat(reply.text("/error")).startsWith("items[0].payload: expected JSON, but");
  }

  @Test
  void shouldAnswerUnknownRoutesInJson() {
    for (String path : List.of("/nope", "/api/v1", "/api/v1/", "/api/v2/push", "//", "/queue/x")) {
      Reply reply = get(path).expect(404);
      assertThat(reply.text("/code")).isEqualTo("NO_SUCH_ROUTE");
    }
  }
}
