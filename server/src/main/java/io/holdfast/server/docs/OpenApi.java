package io.holdfast.server.docs;

import io.holdfast.json.Field;
import io.holdfast.json.JsonOut;
import io.holdfast.json.Schema;
import io.holdfast.server.access.Role;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.IdempotencyKeys;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The list of routes as an OpenAPI 3.1 document. */
final class OpenApi {
  private static final String VERSION = "3.1.0";
  private static final String SCHEME = "bearer";
  private static final int CAPACITY = 256 * 1024;

  static final Schema PROBLEM =
      Schema.fields(
          Schema.required("error", Schema.TEXT, "What is wrong, for people."),
          Schema.required("code", Schema.TEXT, "The same for programs."),
          Schema.optional("field", Schema.TEXT, "The field or parameter that is wrong."),
          Schema.required("type", Schema.TEXT, "about:blank: code tells more, see RFC 9457."),
          Schema.required("title", Schema.TEXT, "The status as a text."),
          Schema.required("status", Schema.WHOLE, "The status."),
          Schema.required("detail", Schema.TEXT, "The same as error."),
          Schema.required(
              "requestId",
              Schema.TEXT,
              "The header X-Request-Id of the request, or an id made for it; also in the log."));

  private OpenApi() {}

  static byte[] of(List<Route> routes) {
    JsonMap paths = new JsonMap();
    for (Route route : routes) {
      JsonMap path = (JsonMap) paths.computeIfAbsent(route.path(), any -> new JsonMap());
      path.put(route.method().name().toLowerCase(Locale.ROOT), operation(route));
    }
    JsonMap document =
        JsonMap.of("openapi", VERSION)
            .with("info", info())
            .with(
                "servers", List.of(described("url", "/", "The server that this document is from.")))
            .with(
                "tags",
                RouteNames.byTopic(routes).keySet().stream()
                    .map(topic -> described("name", topic, Topics.description(topic)))
                    .toList())
            .with("paths", paths)
            .with("components", components());
    return new JsonOut(CAPACITY).addValue(document).done();
  }

  private static JsonMap info() {
    return JsonMap.of("title", "Holdfast")
        .with("summary", "A durable message queue.")
        .with(
            "description",
            "Unknown fields and parameters are refused, except where a description says that they"
                + " are ignored. A path that is not here is answered 404, a"
                + " method that a path does not have 405. x-access says what the caller must be"
                + " allowed to, x-roles which roles are; a server that was started without tokens"
                + " asks for none.")
        .with("version", "1")
        .with("license", JsonMap.of("name", "Apache License 2.0").with("identifier", "Apache-2.0"));
  }

  private static JsonMap described(String name, Object value, String description) {
    return JsonMap.of(name, value).with("description", description);
  }

  private static JsonMap operation(Route route) {
    boolean open = route.access() == Access.PUBLIC;
    String access = "Access: " + RouteNames.accessAndRoles(route) + ".";
    List<JsonMap> parameters = parameters(route);
    Schema body = route.body();
    return JsonMap.of("tags", List.of(route.topic()))
        .with("summary", route.summary())
        .with("operationId", RouteNames.operationId(route))
        .with("description", route.tolerant() ? access + " " + RouteNames.TOLERANT : access)
        .with("x-access", RouteNames.access(route))
        .with("x-roles", open ? List.of() : Role.wordsWith(route.access()))
        .with("security", open ? List.of() : List.of(JsonMap.of(SCHEME, List.of())))
        .with("parameters", parameters.isEmpty() ? null : parameters)
        .with(
            "requestBody",
            body == null
                ? null
                : JsonMap.of("required", !route.bodyOptional()).with("content", content(body)))
        .with("responses", responses(route));
  }

  private static List<JsonMap> parameters(Route route) {
    List<JsonMap> parameters = new ArrayList<>();
    JsonMap text = JsonMap.of("type", "string").with("minLength", 1);
    for (String part : RouteNames.parts(route.path())) {
      parameters.add(parameter(part, "path", true, text));
    }
    if (!route.onlyLooks()) {
      JsonMap key =
          JsonMap.of("type", "string")
              .with("minLength", 1)
              .with("maxLength", IdempotencyKeys.KEY_CHARS_MAX);
      parameters.add(
          parameter(IdempotencyKeys.HEADER, "header", false, key)
              .with(
                  "description",
                  "Makes a repeat harmless: it is answered as the first request was."));
    }
    for (Field<?> field : route.params().list()) {
      parameters.add(
          parameter(field.name(), "query", field.required(), Schemas.of(field))
              .with("description", field.explanation()));
    }
    return parameters;
  }

  private static JsonMap parameter(String name, String in, boolean required, JsonMap schema) {
    return JsonMap.of("name", name)
        .with("in", in)
        .with("required", required)
        .with("schema", schema);
  }

  private static JsonMap responses(Route route) {
    JsonMap responses = new JsonMap();
    route.answers().stream()
        .collect(Collectors.groupingBy(Route.Outcome::status, TreeMap::new, Collectors.toList()))
        .forEach((status, outcomes) -> responses.put(status.toString(), response(outcomes)));
    for (Trouble trouble : Trouble.of(route)) {
      responses.put(Integer.toString(trouble.status()), reference("responses", trouble.name()));
    }
    return responses.with(
        "default", route.upgrade() == null ? null : reference("responses", "Problem400"));
  }

  private static JsonMap response(List<Route.Outcome> outcomes) {
    String when = outcomes.stream().map(Route.Outcome::when).collect(Collectors.joining("; or "));
    Schema[] schemas =
        outcomes.stream()
            .map(Route.Outcome::schema)
            .filter(Objects::nonNull)
            .distinct()
            .toArray(Schema[]::new);
    return JsonMap.of("description", when)
        .with("content", schemas.length == 0 ? null : content(schemas));
  }

  /** The content of a body: JSON of one of some schemas, or a document of its own type. */
  private static JsonMap content(Schema... schemas) {
    String type =
        schemas[0] instanceof Schema.Document document ? document.contentType() : Answer.JSON;
    JsonMap schema =
        schemas.length == 1
            ? Schemas.of(schemas[0])
            : JsonMap.of("anyOf", Schemas.all(List.of(schemas)));
    return JsonMap.of(type, JsonMap.of("schema", schema));
  }

  private static JsonMap components() {
    JsonMap token =
        JsonMap.of("type", "http")
            .with("scheme", "bearer")
            .with("description", "A token that holdfast token create made: hf_...");
    JsonMap responses = new JsonMap();
    for (Trouble trouble : Trouble.ALL) {
      responses.put(trouble.name(), problem(trouble));
    }
    return JsonMap.of("securitySchemes", JsonMap.of(SCHEME, token))
        .with("schemas", JsonMap.of("Problem", Schemas.of(PROBLEM)))
        .with("responses", responses);
  }

  private static JsonMap problem(Trouble trouble) {
    JsonMap retryAfter =
        JsonMap.of("description", "Seconds to wait, if it helps to ask again.")
            .with("schema", JsonMap.of("type", "integer"));
    JsonMap schema = JsonMap.of("schema", reference("schemas", "Problem"));
    return JsonMap.of("description", trouble.when())
        .with("headers", trouble.retry() ? JsonMap.of("Retry-After", retryAfter) : null)
        .with("content", JsonMap.of(Problem.MEDIA_TYPE, schema).with(Answer.JSON, schema));
  }

  private static JsonMap reference(String kind, String target) {
    return JsonMap.of("$ref", "#/components/" + kind + "/" + target);
  }
}
