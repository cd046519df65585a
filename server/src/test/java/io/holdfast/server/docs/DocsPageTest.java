package io.holdfast.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.json.Field;
import io.holdfast.json.Schema;
import io.holdfast.server.Routes;
import io.holdfast.server.ServerFixture;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page for people shows every route, and can be shown without harm. */
class DocsPageTest extends ServerFixture {
  private static final Pattern LOADED = Pattern.compile("(?:href|src)=\"([^\"]*)\"");

  @Test
  void shouldShowEveryRoute() {
    // when
    Reply page = get("/docs").expect(200);
    // then
    assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
    List<Route> routes = new Routes(broker, clock, new Traffic()).all();
    for (Route route : routes) {
      assertThat(page.http().body())
          .containsOnlyOnce("<article id=\"" + RouteNames.operationId(route) + "\">")
          .contains(">" + route.method() + "</b> " + route.path() + "</code></a></h3>")
          .contains("href=\"#" + RouteNames.operationId(route) + "\"");
    }
    assertThat(page.http().body().split("<article ", -1)).hasSize(routes.size() + 1);
    assertThat(page.http().body()).doesNotContain(Long.toString(Long.MAX_VALUE));
  }

  @Test
  void shouldNeedNoScriptAndNothingFromElsewhere() {
    // when
    Reply page = get("/docs").expect(200);
    // then
    assertThat(page.header("Content-Security-Policy"))
        .startsWith("default-src 'none'; style-src 'self';")
        .contains("frame-ancestors 'none'");
    assertThat(page.http().body()).doesNotContainPattern("(?i)<script|\\son\\w+=|\\sstyle=|<img");
    Matcher loaded = LOADED.matcher(page.http().body());
    assertThat(loaded.results().map(found -> found.group(1)))
        .contains("/docs/style.css")
        .allMatch(target -> target.startsWith("#") || target.matches("/[a-z].*"));
  }

  @Test
  void shouldServeAStyleForLightAndDarkAndNarrow() {
    Reply style = get("/docs/style.css").expect(200);
    assertThat(style.header("Content-Type")).isEqualTo("text/css; charset=utf-8");
    assertThat(style.http().body())
        .contains("prefers-color-scheme: dark", "max-width: 40rem")
        .doesNotContain("url(", "@import");
  }

  @Test
  void shouldShowTextAsText() {
    // given
    String bad = "<b onclick='x'>\"&amp;|";
    Route route =
        Route.post("/a/{b}", Access.READ, bad, bad, call -> Answer.nothing())
            .query(Field.text("p", bad, bad))
            .body(Schema.fields(Schema.required(bad, Schema.words(bad), bad)))
            .answers(200, bad, Schema.array(Schema.fields(Schema.optional(bad, Schema.ANY, bad))));
    // when
    String page = new String(DocsPage.of(List.of(route)), StandardCharsets.UTF_8);
    // then
    assertThat(page)
        .doesNotContain("<b onclick", "&amp;|")
        .contains("&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;amp;|");
  }

  @Test
  void shouldShowACallThatWorks() {
    // given
    Route push =
        new Routes(broker, clock, new Traffic())
            .all().stream()
                .filter(route -> route.path().equals("/api/v1/push"))
                .findFirst()
                .orElseThrow();
    // when
    String curl = Examples.curl(push);
    // then
    String body = "{\"items\":[{\"queue\":\"orders\",\"payload\":{\"hello\":\"world\"}}]}";
    assertThat(curl)
        .isEqualTo(
            "curl http://localhost:6632/api/v1/push \\\n"
                + "  -H 'Content-Type: application/json' \\\n"
                + "  -d '"
                + body
                + "'");
    post("/api/v1/push", body).expect(201);
  }
}
