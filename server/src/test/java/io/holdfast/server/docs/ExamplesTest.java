package io.holdfast.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.json.Schema;
import io.holdfast.server.Routes;
import io.holdfast.server.ServerFixture;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The example of each route, as it is in the documentation, is a request that the route takes. */
class ExamplesTest extends ServerFixture {
  private static final Pattern CURL =
      Pattern.compile(
          "curl (?:-X (?<method>\\w+) )?http://localhost:6632(?<path>\\S+)"
              + "(?: \\\\\n  -H 'Content-Type: (?<type>[^']*)'(?: \\\\\n  -d '(?<body>.*)')?)?");

  /** What an example may be answered if what it names is not there. */
  private static final List<Integer> ABSENT = List.of(404, 409, 410);

  @TestFactory
  List<DynamicTest> shouldTakeTheExampleOf() {
    return new Routes(broker, clock, new Traffic())
        .all().stream()
            .filter(route -> !(route.body() instanceof Schema.Document))
            .filter(route -> route.upgrade() == null)
            .map(
                route ->
                    DynamicTest.dynamicTest(
                        route.method() + " " + route.path(), () -> shouldTake(route)))
            .toList();
  }

  private void shouldTake(Route route) {
    // given
    Matcher curl = CURL.matcher(Examples.curl(route));
    assertThat(curl.matches()).as(Examples.curl(route)).isTrue();
    post("/api/v1/system/maintenance", "{'enabled':false}").expect(200);
    post("/api/v1/system/maintenance/pop", "{'enabled':false}").expect(200);
    post(
            "/api/v1/push",
            "{'items':[{'queue':'orders','payload':1,'transactionId':'order-1'},"
                + "{'queue':'jobs','payload':1}]}")
        .expect(201);
    post("/api/v1/configure", "{'queue':'queue'}").expect(200);
    String body = curl.group("body");
    String method = curl.group("method");
    // when
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(curl.group("path")))
            .method(
                method != null ? method : body == null ? "GET" : "POST",
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body.replace("'\\''", "'")));
    if (curl.group("type") != null) {
      request.header("Content-Type", curl.group("type"));
    }
    Reply reply = send(request.build());
    // then
    if (reply.status() >= 300 && !reply.text("/code").equals("UNSUPPORTED")) {
      assertThat(ABSENT)
          .as(route + " " + reply.status() + reply.http().body())
          .contains(reply.status());
      assertThat(reply.text("/code")).isNotEqualTo("NO_SUCH_ROUTE");
    }
  }
}
