package io.holdfast.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.json.Schema;
import io.holdfast.server.Routes;
import io.holdfast.server.ServerFixture;
import io.holdfast.server.access.AimedRequests.Aimed;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The requests of the role matrix name what the schemas of the routes say. */
class AimedRequestsTest extends ServerFixture {
  private static final Pattern NAMING = Pattern.compile("(?i).*(queue|journal|^key$).*");

  @Test
  void shouldAimAtAQueueThatAFieldOfAnyNameNames() {
    // given
    Aim aim = Aim.at(broker, "in.1");
    Route route =
        Route.post("/new", Access.CONSUME, "Topic", "Move messages", call -> Answer.nothing())
            .body(
                Schema.fields(
                    Schema.optional("target", Schema.orNull(Schema.QUEUE), "Where to."),
                    Schema.optional("ledger", Schema.JOURNAL, "Where it is noted.")));
    // when
    Aimed aimed = AimedRequests.of(route, aim).getFirst();
    // then
    assertThat(aimed.names()).isTrue();
    assertThat(new String(Objects.requireNonNull(aimed.body()), UTF_8))
        .isEqualTo("{\"target\":\"in.1\",\"ledger\":\"in.1/kept\"}");
  }

  /** Else the matrix would not see that the field is not guarded. */
  @Test
  void shouldSayOfEachFieldThatNamesAQueueThatItDoes() {
    List<String> plain = new ArrayList<>();
    for (Route route : new Routes(broker, clock, new Traffic()).all()) {
      // About the whole broker, a limited token may ask nothing, whatever is named.
      if (route.body() != null && !route.whole()) {
        visit(route.path(), route.body(), plain);
      }
    }
    assertThat(plain).isEmpty();
  }

  private static void visit(String place, Schema schema, List<String> plain) {
    switch (schema) {
      case Schema.Fields fields ->
          fields
              .fields()
              .forEach(field -> visit(place + " " + field.name(), field.schema(), plain));
      case Schema.Array array -> visit(place, array.element(), plain);
      case Schema.OrNull orNull -> visit(place, orNull.schema(), plain);
      case Schema.Scalar scalar -> {
        String name = place.substring(place.lastIndexOf(' ') + 1);
        if (scalar.type().equals("string")
            && scalar.names() == null
            && place.contains(" ")
            && NAMING.matcher(name).matches()) {
          plain.add(place);
        }
      }
      case Schema.OneOf oneOf -> oneOf.objects().forEach(one -> visit(place, one, plain));
      case Schema.MapOf map -> visit(place, map.value(), plain);
      case Schema.Words words -> {}
      case Schema.Document document -> {}
    }
  }
}
