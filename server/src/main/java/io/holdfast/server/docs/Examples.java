package io.holdfast.server.docs;

import io.holdfast.json.Field;
import io.holdfast.json.JsonOut;
import io.holdfast.json.Schema;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.http.Route;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Calls as one would type them in a shell, made of the parts and fields that must be there. */
final class Examples {
  private static final String TIME = "2026-11-15T18:26:18Z";
  private static final String UUID = "019a8a2f-7c00-7000-8000-000000000001";

  /** What texts of these names look like; any other is told by its name. */
  private static final Map<String, String> TEXTS =
      Map.ofEntries(
          Map.entry("queue", "orders"),
          Map.entry("queueName", "orders"),
          Map.entry("id", UUID),
          Map.entry("messageId", UUID),
          Map.entry("partition", "Default"),
          Map.entry("partitionId", "1"),
          Map.entry("group", "billing"),
          Map.entry("consumerGroup", "billing"),
          Map.entry("transactionId", "order-1"),
          Map.entry("leaseId", "b2xkIGxlYXM"),
          Map.entry("lock_id", "b2xkIGxlYXM"));

  private Examples() {}

  static String curl(Route route) {
    StringBuilder curl = new StringBuilder("curl ");
    Schema body = route.body();
    boolean plain =
        route.method() == Route.Method.GET || (route.method() == Route.Method.POST && body != null);
    if (!plain) {
      curl.append("-X ").append(route.method()).append(' ');
    }
    curl.append("http://localhost:").append(ServerConfig.PORT).append(path(route.path()));
    char before = '?';
    if (body == null && !route.example().isEmpty()) {
      curl.append('?').append(route.example());
    }
    for (Field<?> param : route.params().list()) {
      if (param.required()) {
        curl.append(before).append(param.name()).append('=').append(text(param.name()));
        before = '&';
      }
    }
    if (body instanceof Schema.Document document) {
      curl.append(" \\\n  -H 'Content-Type: ")
          .append(document.contentType())
          .append("' --data-binary @body");
    } else if (body != null) {
      curl.append(" \\\n  -H 'Content-Type: application/json' \\\n  -d ")
          .append(quoted(route.example().isEmpty() ? json(body) : route.example()));
    }
    return curl.toString();
  }

  private static String path(String path) {
    // Here the id is a name, which the user makes up.
    String filled = path.replace("/queue/{id}/", "/queue/jobs/");
    for (String part : RouteNames.parts(path)) {
      filled = filled.replace("{" + part + "}", text(part));
    }
    return filled;
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private static String text(String name) {
    return TEXTS.getOrDefault(name, name);
  }

  /** A value of a schema, with the fields that must be there, or else the first one. */
  static String json(Schema schema) {
    JsonOut out = new JsonOut().beginArray();
    value(out, schema, "text");
    String array = new String(out.endArray().done(), StandardCharsets.UTF_8);
    return array.substring(1, array.length() - 1);
  }

  private static void value(JsonOut out, Schema schema, String name) {
    switch (schema) {
      case Schema.Scalar scalar -> scalar(out, scalar, name);
      case Schema.OrNull orNull -> value(out, orNull.schema(), name);
      case Schema.Document document -> out.add(document.contentType());
      case Schema.Words words -> out.add(words.words().getFirst());
      case Schema.OneOf oneOf -> value(out, oneOf.objects().getFirst(), name);
      case Schema.MapOf map -> out.beginObject().endObject();
      case Schema.Array array -> {
        out.beginArray();
        value(out, array.element(), name);
        out.endArray();
      }
      case Schema.Fields fields -> {
        out.beginObject();
        for (Schema.Field field : shown(fields)) {
          out.name(field.name());
          value(out, field.schema(), field.name());
        }
        out.endObject();
      }
    }
  }

  private static List<Schema.Field> shown(Schema.Fields fields) {
    List<Schema.Field> required =
        fields.fields().stream()
            .filter(field -> field.required() || field.instead() != null)
            .toList();
    return required.isEmpty() ? fields.fields().stream().limit(1).toList() : required;
  }

  private static void scalar(JsonOut out, Schema.Scalar scalar, String name) {
    switch (scalar.type()) {
      case "string" -> out.add("date-time".equals(scalar.format()) ? TIME : text(name));
      case "integer", "number" -> out.add(1);
      case "boolean" -> out.add(true);
      case "object" -> out.beginObject().endObject();
      default -> out.beginObject().put("hello", "world").endObject();
    }
  }
}
