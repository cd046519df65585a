package io.holdfast.server.docs;

import io.holdfast.server.ServerConfig;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
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
    Shape body = route.body();
    boolean plain =
        route.method() == Route.Method.GET || (route.method() == Route.Method.POST && body != null);
    if (!plain) {
      curl.append("-X ").append(route.method()).append(' ');
    }
    curl.append("http://localhost:").append(ServerConfig.PORT).append(path(route.path()));
    if (body instanceof Shape.Document document) {
      curl.append(" \\\n  -H 'Content-Type: ")
          .append(document.contentType())
          .append("' --data-binary @body");
    } else if (body != null) {
      curl.append(" \\\n  -H 'Content-Type: application/json' \\\n  -d ")
          .append(quoted(json(body)));
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

  /** A value of a shape, with the fields that must be there, or else the first one. */
  static String json(Shape shape) {
    JsonOut out = new JsonOut().beginArray();
    value(out, shape, "text");
    String array = new String(out.endArray().done(), StandardCharsets.UTF_8);
    return array.substring(1, array.length() - 1);
  }

  private static void value(JsonOut out, Shape shape, String name) {
    switch (shape) {
      case Shape.Scalar scalar -> scalar(out, scalar, name);
      case Shape.OrNull orNull -> value(out, orNull.shape(), name);
      case Shape.Document document -> out.add(document.contentType());
      case Shape.Words words -> out.add(words.words().getFirst());
      case Shape.Array array -> {
        out.beginArray();
        value(out, array.element(), name);
        out.endArray();
      }
      case Shape.Fields fields -> {
        out.beginObject();
        for (Shape.Field field : shown(fields)) {
          out.name(field.name());
          value(out, field.shape(), field.name());
        }
        out.endObject();
      }
    }
  }

  private static List<Shape.Field> shown(Shape.Fields fields) {
    List<Shape.Field> required =
        fields.fields().stream()
            .filter(field -> field.required() || field.instead() != null)
            .toList();
    return required.isEmpty() ? fields.fields().stream().limit(1).toList() : required;
  }

  private static void scalar(JsonOut out, Shape.Scalar scalar, String name) {
    switch (scalar.type()) {
      case "string" -> out.add("date-time".equals(scalar.format()) ? TIME : text(name));
      case "integer", "number" -> out.add(1);
      case "boolean" -> out.add(true);
      case "object" -> out.beginObject().endObject();
      default -> out.beginObject().put("hello", "world").endObject();
    }
  }
}
