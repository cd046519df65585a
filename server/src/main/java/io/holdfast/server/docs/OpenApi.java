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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  private final JsonOut out = new JsonOut(CAPACITY);

  private OpenApi() {}

  static byte[] of(List<Route> routes) {
    return new OpenApi().document(routes);
  }

  private byte[] document(List<Route> routes) {
    out.beginObject().put("openapi", VERSION);
    out.beginObject("info")
        .put("title", "Holdfast")
        .put("summary", "A durable message queue.")
        .put(
            "description",
            "Unknown fields and parameters are refused, except where a description says that they"
                + " are ignored. A path that is not here is answered 404, a"
                + " method that a path does not have 405. x-access says what the caller must be"
                + " allowed to, x-roles which roles are; a server that was started without tokens"
                + " asks for none.")
        .put("version", "1")
        .beginObject("license")
        .put("name", "Apache License 2.0")
        .put("identifier", "Apache-2.0")
        .endObject()
        .endObject();
    out.beginArray("servers")
        .beginObject()
        .put("url", "/")
        .put("description", "The server that this document is from.")
        .endObject()
        .endArray();
    out.beginArray("tags");
    RouteNames.byTopic(routes)
        .keySet()
        .forEach(
            topic ->
                out.beginObject()
                    .put("name", topic)
                    .put("description", Topics.description(topic))
                    .endObject());
    out.endArray().beginObject("paths");
    byPath(routes).forEach(this::path);
    out.endObject();
    components();
    return out.endObject().done();
  }

  private static Map<String, List<Route>> byPath(List<Route> routes) {
    Map<String, List<Route>> paths = new LinkedHashMap<>();
    for (Route route : routes) {
      paths.computeIfAbsent(route.path(), path -> new ArrayList<>()).add(route);
    }
    return paths;
  }

  private void path(String path, List<Route> routes) {
    out.beginObject(path);
    routes.forEach(this::operation);
    out.endObject();
  }

  private void operation(Route route) {
    out.beginObject(route.method().name().toLowerCase(Locale.ROOT))
        .beginArray("tags")
        .add(route.topic())
        .endArray()
        .put("summary", route.summary())
        .put("operationId", RouteNames.operationId(route))
        .put("description", description(route))
        .put("x-access", RouteNames.access(route));
    security(route);
    parameters(route);
    Schema body = route.body();
    if (body != null) {
      out.beginObject("requestBody").put("required", !route.bodyOptional());
      content(List.of(body));
      out.endObject();
    }
    out.beginObject("responses");
    responses(route);
    out.endObject().endObject();
  }

  private static String description(Route route) {
    String access = "Access: " + RouteNames.accessAndRoles(route) + ".";
    return route.tolerant() ? access + " " + RouteNames.TOLERANT : access;
  }

  private void security(Route route) {
    boolean open = route.access() == Access.PUBLIC;
    out.beginArray("x-roles");
    if (!open) {
      Role.wordsWith(route.access()).forEach(out::add);
    }
    out.endArray().beginArray("security");
    if (!open) {
      out.beginObject().beginArray(SCHEME).endArray().endObject();
    }
    out.endArray();
  }

  private void parameters(Route route) {
    List<String> parts = RouteNames.parts(route.path());
    if (parts.isEmpty() && route.params().size() == 0 && route.onlyLooks()) {
      return;
    }
    out.beginArray("parameters");
    for (String part : parts) {
      out.beginObject()
          .put("name", part)
          .put("in", "path")
          .put("required", true)
          .beginObject("schema")
          .put("type", "string")
          .put("minLength", 1)
          .endObject()
          .endObject();
    }
    if (!route.onlyLooks()) {
      out.beginObject()
          .put("name", IdempotencyKeys.HEADER)
          .put("in", "header")
          .put("required", false)
          .beginObject("schema")
          .put("type", "string")
          .put("minLength", 1)
          .put("maxLength", IdempotencyKeys.KEY_CHARS_MAX)
          .endObject()
          .put("description", "Makes a repeat harmless: it is answered as the first request was.")
          .endObject();
    }
    for (Field<?> param : route.params().list()) {
      out.beginObject()
          .put("name", param.name())
          .put("in", "query")
          .put("required", param.required())
          .beginObject("schema");
      Schemas.write(out, param);
      out.endObject().put("description", param.explanation()).endObject();
    }
    out.endArray();
  }

  private void responses(Route route) {
    Map<Integer, List<Route.Outcome>> answers =
        route.answers().stream()
            .collect(
                Collectors.groupingBy(
                    Route.Outcome::status, TreeMap::new, Collectors.toUnmodifiableList()));
    answers.forEach(this::response);
    for (Trouble trouble : Trouble.of(route)) {
      reference(Integer.toString(trouble.status()), "responses", trouble.name());
    }
    if (route.upgrade() != null) {
      reference("default", "responses", "Problem400");
    }
  }

  private void response(int status, List<Route.Outcome> outcomes) {
    out.beginObject(Integer.toString(status))
        .put(
            "description",
            outcomes.stream().map(Route.Outcome::when).collect(Collectors.joining("; or ")));
    List<Schema> schemas = new ArrayList<>();
    for (Route.Outcome outcome : outcomes) {
      Schema schema = outcome.schema();
      if (schema != null && !schemas.contains(schema)) {
        schemas.add(schema);
      }
    }
    if (!schemas.isEmpty()) {
      content(schemas);
    }
    out.endObject();
  }

  /** The content of a body: JSON of one of some schemas, or a document of its own type. */
  private void content(List<Schema> schemas) {
    String type =
        schemas.getFirst() instanceof Schema.Document document
            ? document.contentType()
            : Answer.JSON;
    out.beginObject("content").beginObject(type).beginObject("schema");
    if (schemas.size() == 1) {
      Schemas.write(out, schemas.getFirst());
    } else {
      out.beginArray("anyOf");
      for (Schema schema : schemas) {
        out.beginObject();
        Schemas.write(out, schema);
        out.endObject();
      }
      out.endArray();
    }
    out.endObject().endObject().endObject();
  }

  private void components() {
    out.beginObject("components")
        .beginObject("securitySchemes")
        .beginObject(SCHEME)
        .put("type", "http")
        .put("scheme", "bearer")
        .put("description", "A token that holdfast token create made: hf_...")
        .endObject()
        .endObject()
        .beginObject("schemas")
        .beginObject("Problem");
    Schemas.write(out, PROBLEM);
    out.endObject().endObject().beginObject("responses");
    for (Trouble trouble : Trouble.ALL) {
      out.beginObject(trouble.name()).put("description", trouble.when());
      if (trouble.retry()) {
        out.beginObject("headers")
            .beginObject("Retry-After")
            .put("description", "Seconds to wait, if it helps to ask again.")
            .beginObject("schema")
            .put("type", "integer")
            .endObject()
            .endObject()
            .endObject();
      }
      out.beginObject("content");
      for (String type : List.of(Problem.MEDIA_TYPE, Answer.JSON)) {
        out.beginObject(type);
        reference("schema", "schemas", "Problem");
        out.endObject();
      }
      out.endObject().endObject();
    }
    out.endObject().endObject();
  }

  private void reference(String name, String kind, String target) {
    out.beginObject(name).put("$ref", "#/components/" + kind + "/" + target).endObject();
  }
}
