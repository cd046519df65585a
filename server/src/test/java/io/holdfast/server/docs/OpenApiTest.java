package io.holdfast.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.Routes;
import io.holdfast.server.ServerFixture;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The OpenAPI document says what the routes are, all of them and nothing else. */
class OpenApiTest extends ServerFixture {
  private static final Pattern PART = Pattern.compile("\\{([^}]*)}");

  private JsonNode document() {
    Reply reply = get("/openapi.json").expect(200);
    assertThat(reply.header("Content-Type")).isEqualTo("application/json");
    return reply.json();
  }

  private static JsonNode operation(JsonNode document, String method, String path) {
    JsonNode operation = document.get("paths").path(path).path(method);
    assertThat(operation.isObject()).as(method + " " + path).isTrue();
    return operation;
  }

  private static JsonNode parameter(JsonNode operation, String name) {
    return operation.get("parameters").values().stream()
        .filter(parameter -> parameter.get("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode answer(JsonNode operation, int status) {
    return operation.at("/responses/" + status + "/content/application~1json/schema");
  }

  @Test
  void shouldHaveEveryRouteOnceAndNothingElse() {
    // given
    List<String> routes = new ArrayList<>();
    for (Route route : new Routes(broker, clock, new Traffic()).all()) {
      routes.add(route.method().name().toLowerCase(Locale.ROOT) + " " + route.path());
    }
    // when
    JsonNode document = document();
    List<String> described = new ArrayList<>();
    document
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .propertyNames()
                    .forEach(method -> described.add(method + " " + path.getKey())));
    // then
    assertThat(document.get("openapi").asString()).isEqualTo("3.1.0");
    assertThat(described).containsExactlyInAnyOrderElementsOf(routes).doesNotHaveDuplicates();
  }

  @Test
  void shouldDescribeEveryTopic() {
    assertThat(document().get("tags").values())
        .allSatisfy(
            tag ->
                assertThat(tag.get("description").asString())
                    .isNotEqualTo(tag.get("name").asString())
                    .endsWith("."));
  }

  @Test
  void shouldLetEveryRequestThatChangesSomethingHaveAnIdempotencyKey() {
    JsonNode document = document();
    for (Route route : new Routes(broker, clock, new Traffic()).all()) {
      String method = route.method().name().toLowerCase(Locale.ROOT);
      boolean has =
          operation(document, method, route.path()).path("parameters").values().stream()
              .anyMatch(parameter -> parameter.get("name").asString().equals("Idempotency-Key"));
      assertThat(has).as(route.toString()).isEqualTo(!route.onlyLooks());
    }
  }

  @Test
  void shouldHaveNoTwoPathsThatDifferOnlyInTheNamesOfTheirParts() {
    List<String> bare =
        document().get("paths").propertyNames().stream()
            .map(path -> PART.matcher(path).replaceAll("{}"))
            .toList();
    assertThat(bare).doesNotHaveDuplicates();
  }

  @Test
  void shouldDeclareEveryPartOfAPath() {
    document()
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .values()
                    .forEach(
                        operation ->
                            assertThat(declared(operation))
                                .as(path.getKey())
                                .containsExactlyElementsOf(parts(path.getKey()))));
  }

  private static List<String> parts(String path) {
    return PART.matcher(path).results().map((MatchResult part) -> part.group(1)).toList();
  }

  private static List<String> declared(JsonNode operation) {
    return operation.path("parameters").values().stream()
        .filter(parameter -> parameter.get("in").asString().equals("path"))
        .filter(parameter -> parameter.get("required").asBoolean())
        .map(parameter -> parameter.get("name").asString())
        .toList();
  }

  @Test
  void shouldGiveEveryOperationANameOfItsOwn() {
    List<String> names =
        document().get("paths").findValues("operationId").stream().map(JsonNode::asString).toList();
    assertThat(names)
        .hasSameSizeAs(new Routes(broker, clock, new Traffic()).all())
        .doesNotHaveDuplicates();
    assertThat(names).allMatch(name -> name.matches("[a-z][A-Za-z0-9]*"));
    assertThat(names).contains("getApiV1PopQueueByQueue");
  }

  @Test
  void shouldReferOnlyToWhatIsThere() {
    // given
    JsonNode document = document();
    Set<String> references = new HashSet<>();
    // when
    document.findValues("$ref").forEach(reference -> references.add(reference.asString()));
    // then
    assertThat(references).contains("#/components/responses/Problem429");
    assertThat(references)
        .allMatch(
            reference ->
                reference.startsWith("#/") && document.at(reference.substring(1)).isObject());
  }

  @Test
  void shouldGiveEveryOperationTagSummaryAccessAndAnswers() {
    JsonNode document = document();
    List<String> tags = new ArrayList<>();
    document.get("tags").values().forEach(tag -> tags.add(tag.get("name").asString()));
    for (JsonNode path : document.get("paths").values()) {
      for (JsonNode operation : path.values()) {
        assertThat(tags).contains(operation.at("/tags/0").asString());
        assertThat(operation.get("summary").asString()).isNotBlank();
        assertThat(operation.get("x-access").asString())
            .isIn("public", "known", "read", "push", "change", "consume", "admin");
        assertThat(operation.get("responses").propertyNames())
            .anyMatch(status -> status.startsWith("2") || status.equals("101"))
            .contains("400", "500");
      }
    }
  }

  @Test
  void shouldDescribeParametersWithTheirBoundsAndDefaults() {
    // when
    JsonNode pop = operation(document(), "get", "/api/v1/pop/queue/{queue}");
    // then
    JsonNode batch = parameter(pop, "batch");
    assertThat(batch.at("/schema/type").asString()).isEqualTo("integer");
    assertThat(batch.at("/schema/minimum").asLong()).isEqualTo(1);
    assertThat(batch.at("/schema/maximum").asLong()).isEqualTo(10_000);
    assertThat(batch.at("/schema/default").asLong()).isEqualTo(1);
    assertThat(batch.get("description").asString()).isEqualTo("Most messages of the answer.");
    assertThat(parameter(pop, "wait").at("/schema/default").asBoolean(true)).isFalse();
    JsonNode sort = parameter(operation(document(), "get", "/api/v1/status/queues"), "order");
    assertThat(sort.at("/schema/enum")).isEqualTo(JSON.readTree("[\"asc\",\"desc\"]"));
    assertThat(parameter(pop, "worker").get("schema").has("default")).isFalse();
    assertThat(pop.has("requestBody")).isFalse();
    assertThat(pop.at("/responses/204").has("content")).isFalse();
    assertThat(pop.get("x-access").asString()).isEqualTo("consume");
  }

  @Test
  void shouldDescribeBodies() {
    // when
    JsonNode push = operation(document(), "post", "/api/v1/push");
    // then
    JsonNode schema = push.at("/requestBody/content/application~1json/schema");
    assertThat(push.at("/requestBody/required").asBoolean()).isTrue();
    assertThat(schema.get("required")).isEqualTo(JSON.readTree("[\"items\"]"));
    assertThat(schema.at("/properties/items/items/required"))
        .isEqualTo(JSON.readTree("[\"queue\"]"));
    assertThat(schema.at("/properties/items/items/properties/visibleAt/format").asString())
        .isEqualTo("date-time");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          201 | {'queue':'q','payload':1}
          201 | {'queue':'q','payloadBase64':'AAE='}
          400 | {'queue':'q'}
          400 | {'queue':'q','payload':1,'payloadBase64':'AAE='}
          """,
      quoteCharacter = '`')
  void shouldDescribeThatAPayloadComesInOneOfTwoWays(int status, String item) {
    // given
    JsonNode schema =
        operation(document(), "post", "/api/v1/push")
            .at("/requestBody/content/application~1json/schema");
    String body = "{'items':[" + item + "]}";
    // when
    post("/api/v1/push", body).expect(status);
    // then
    assertThat(SchemaCheck.faults(schema, JSON.readTree(body.replace('\'', '"'))).isEmpty())
        .isEqualTo(status == 201);
  }

  @Test
  void shouldDescribeAnswersAsTheyAre() {
    // given
    JsonNode document = document();
    // when
    Reply pushed =
        post("/api/v1/push", "{'items':[{'queue':'q','payload':1},{'queue':'q','payload':{}}]}")
            .expect(201);
    Reply popped = get("/api/v1/pop/queue/q").expect(200);
    Reply taken = get("/api/v1/pop/queue/q?autoAck=true&consumerGroup=other").expect(200);
    String ack =
        "{'transactionId':'%s','partitionId':'%s','leaseId':'%s','status':'failed'}"
            .formatted(
                popped.text("/messages/0/transactionId"),
                popped.text("/messages/0/partitionId"),
                popped.text("/leaseId"));
    Reply nacked = post("/api/v1/ack", ack).expect(200);
    Reply repeated = post("/api/v1/ack/batch", "{'acknowledgments':[" + ack + "]}").expect(200);
    Reply wrong = post("/api/v1/push", "{'items':5}").expect(400);
    // then
    JsonNode pop = operation(document, "get", "/api/v1/pop/queue/{queue}");
    fits(answer(operation(document, "post", "/api/v1/push"), 201), pushed);
    fits(answer(pop, 200), popped);
    fits(answer(pop, 200), taken);
    fits(answer(operation(document, "post", "/api/v1/ack"), 200), nacked);
    fits(answer(operation(document, "post", "/api/v1/ack/batch"), 200), repeated);
    fits(document.at("/components/schemas/Problem"), wrong);
  }

  private static void fits(JsonNode schema, Reply reply) {
    assertThat(schema.isObject()).isTrue();
    assertThat(SchemaCheck.faults(schema, reply.json())).isEmpty();
  }

  @Test
  void shouldSayWhatMayBeNull() {
    JsonNode worker =
        operation(document(), "get", "/api/v1/resources/queues/{queue}/leases")
            .at("/responses/200/content/application~1json/schema/properties/leases/items")
            .at("/properties/worker");
    assertThat(worker.get("anyOf"))
        .isEqualTo(JSON.readTree("[{\"type\":\"string\"},{\"type\":\"null\"}]"));
  }

  @Test
  void shouldTellOperationsOfACommitApartByTheirType() {
    JsonNode operations =
        operation(document(), "post", "/api/v1/commit")
            .at("/requestBody/content/application~1json/schema/properties/operations/items/oneOf");
    Set<String> types = new HashSet<>();
    for (JsonNode each : operations.values()) {
      assertThat(each.get("required").values()).contains(JSON.readTree("\"type\""));
      assertThat(each.at("/properties/type/enum").size()).isEqualTo(1);
      assertThat(types.add(each.at("/properties/type/enum/0").asString())).isTrue();
    }
    assertThat(types).contains("push", "putRecord");
  }

  @Test
  void shouldSayWhichParametersMustBeGiven() {
    JsonNode tasks = operation(document(), "get", "/api/v1/tasks");
    assertThat(parameter(tasks, "queue").get("required").asBoolean()).isTrue();
    assertThat(parameter(tasks, "limit").get("required").asBoolean()).isFalse();
  }
}
