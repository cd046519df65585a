package io.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which route a path finds. */
class RouterTest {
  private static Route get(String path) {
    return Route.get(path, Access.READ, "", "", call -> Answer.nothing());
  }

  private static Route post(String path) {
    return Route.post(path, Access.READ, "", "", call -> Answer.nothing());
  }

  private final Router router =
      new Router(
          List.of(
              get("/"),
              get("/pop"),
              post("/pop"),
              get("/pop/queue/{queue}"),
              get("/pop/queue/{queue}/partition/{partition}"),
              get("/messages/{partition}/{name}"),
              get("/messages/{id}/explain"),
              Route.get("/lease", Access.CONSUME, "", "", call -> Answer.nothing()),
              get("/groups/lagging"),
              get("/groups/{group}"),
              get("/groups/{group}/queues/{queue}"),
              Route.delete("/groups/{group}", Access.ADMIN, "", "", call -> Answer.nothing())));

  private String found(String method, String path) {
    Router.Found found = router.find(method, path);
    return found.route().path();
  }

  private Map<String, String> parts(String path) {
    return router.find("GET", path).parts();
  }

  @Test
  void shouldFindRoutesByTheirWords() {
    assertThat(found("GET", "/")).isEqualTo("/");
    assertThat(found("GET", "/pop")).isEqualTo("/pop");
    assertThat(router.find("POST", "/pop").route().method()).isEqualTo(Route.Method.POST);
    assertThat(found("HEAD", "/pop")).isEqualTo("/pop");
    assertThat(found("GET", "/groups/lagging")).isEqualTo("/groups/lagging");
    assertThat(found("GET", "/groups/others")).isEqualTo("/groups/{group}");
    assertThat(found("GET", "/groups/lagging/queues/q"))
        .isEqualTo("/groups/{group}/queues/{queue}");
    assertThat(found("GET", "/messages/1/explain")).isEqualTo("/messages/{id}/explain");
    assertThat(found("GET", "/messages/1/x")).isEqualTo("/messages/{partition}/{name}");
  }

  @Test
  void shouldGiveTheParts() {
    assertThat(parts("/pop/queue/q1")).containsExactly(Map.entry("queue", "q1"));
    assertThat(parts("/pop/queue/a%2Fb/partition/%C3%A4+%20"))
        .containsEntry("queue", "a/b")
        .containsEntry("partition", "ä+ ");
    assertThat(parts("/messages/7/explain")).containsEntry("id", "7");
    assertThat(parts("/messages/7/a")).containsEntry("partition", "7").containsEntry("name", "a");
    assertThat(parts("/pop/queue/%2e%2e%2f")).containsEntry("queue", "../");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/pop/queue/..",
        "/pop/queue/.",
        "/pop/queue/%2e%2E",
        "/pop/queue/%2e",
        "/pop/../pop/queue/q",
        "/../etc/passwd"
      })
  void shouldRefuseStepsInAPath(String path) {
    assertThatThrownBy(() -> parts(path))
        .isInstanceOfSatisfying(
            Problem.class, refused -> assertThat(refused.status()).isEqualTo(400));
  }

  @Test
  void shouldNotFindWhatIsNotThere() {
    for (String path :
        new String[] {
          "/nothing",
          "/pop/",
          "//pop",
          "/pop/queue",
          "/pop/queue/",
          "/pop/queue//partition/p",
          "/pop/queue/q/partition",
          "/POP",
          "/pop/queue/q/",
          "pop",
          "",
          "/a".repeat(13)
        }) {
      assertThatThrownBy(() -> router.find("GET", path))
          .as(path)
          .isInstanceOfSatisfying(
              Problem.class, problem -> assertThat(problem.status()).isEqualTo(404));
    }
  }

  @Test
  void shouldSayHowARouteIsAsked() {
    assertThatThrownBy(() -> router.find("DELETE", "/pop"))
        .isInstanceOfSatisfying(Problem.class, it -> assertThat(it.status()).isEqualTo(405))
        .hasMessageContaining("GET or POST");
    assertThatThrownBy(() -> router.find("get", "/pop")).hasMessageContaining("GET or POST");
    assertThatThrownBy(() -> router.find("GET", "/pop/queue/%zz"))
        .isInstanceOfSatisfying(Problem.class, it -> assertThat(it.status()).isEqualTo(400));
  }

  @Test
  void shouldNotChangeAnythingByHead() {
    assertThat(found("GET", "/lease")).isEqualTo("/lease");
    assertThatThrownBy(() -> router.find("HEAD", "/lease"))
        .isInstanceOfSatisfying(Problem.class, it -> assertThat(it.status()).isEqualTo(405))
        .hasMessageContaining("GET");
  }

  @Test
  void shouldNotTakeTwoRoutesForOnePath() {
    assertThatThrownBy(() -> new Router(List.of(get("/a/{b}"), get("/a/{c}"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/a/{c}");
  }
}
