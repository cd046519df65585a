package io.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.json.Json;
import org.junit.jupiter.api.Test;

/** Routes are declared completely, or not at all. */
class RouteTest {
  @Test
  void shouldNameTheTopicOnceForAllRoutes() {
    // given
    Route one = Route.get("/one").summary("One").answers("always", Json.TEXT, call -> "1");
    Route two = Route.post("/two", Access.PUSH).summary("Two").doing(call -> Answer.nothing());
    // when
    var routes = Route.about("Numbers", one, two);
    // then
    assertThat(routes).extracting(Route::topic).containsExactly("Numbers", "Numbers");
    assertThat(routes).extracting(Route::access).containsExactly(Access.READ, Access.PUSH);
    assertThat(routes.getFirst().answers())
        .containsExactly(new Route.Outcome(200, "always", Json.TEXT.schema()));
  }

  @Test
  void shouldRefuseARouteWithoutASummaryOrAnAction() {
    Route noSummary = Route.get("/one").doing(call -> Answer.nothing());
    Route noAction = Route.get("/two").summary("Two");
    assertThatThrownBy(() -> Route.about("Numbers", noSummary)).hasMessageContaining("GET /one");
    assertThatThrownBy(() -> Route.about("Numbers", noAction)).hasMessageContaining("GET /two");
  }
}
