package io.holdfast.server.access;

import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import io.holdfast.json.Field;
import io.holdfast.json.JsonOut;
import io.holdfast.json.Schema;
import io.holdfast.server.http.Route;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Requests to a route that are aimed at something: made from what the route says of itself, so that
 * a new one has some without anybody writing them down.
 */
final class AimedRequests {
  /** The id of the flow that is there. */
  static final String FLOW = "flow-1";

  /**
   * A request.
   *
   * @param names whether a queue, journal or record is named in it
   */
  record Aimed(String path, byte @Nullable [] body, String type, boolean names) {}

  private final Route route;
  private final Aim aim;
  private boolean names;

  private AimedRequests(Route route, Aim aim) {
    this.route = route;
    this.aim = aim;
  }

  static List<Aimed> of(Route route, Aim aim) {
    if (route.path().startsWith(Verbs.PATH)) {
      return ofVerb(route, aim);
    }
    List<Aimed> all = new ArrayList<>();
    all.add(new AimedRequests(route, aim).request(true));
    if (route.params().has("queue")) {
      all.add(new AimedRequests(route, aim).request(false));
    }
    return all;
  }

  private static List<Aimed> ofVerb(Route route, Aim aim) {
    String name = route.path().substring(Verbs.PATH.length());
    Verb<?, ?> verb =
        Verbs.ALL.stream().filter(one -> one.name().equals(name)).findAny().orElseThrow();
    return Samples.of(verb, aim).stream()
        .map(
            sample ->
                new Aimed(route.path(), bytes(verb, sample), Verbs.CONTENT_TYPE, sample.names()))
        .toList();
  }

  @SuppressWarnings("unchecked")
  private static <I> byte[] bytes(Verb<I, ?> verb, Samples.Sample sample) {
    return verb.requestBytes((I) Objects.requireNonNull(sample.value()));
  }

  private Aimed request(boolean queueInQuery) {
    StringBuilder path = new StringBuilder();
    for (String segment : route.path().substring(1).split("/", -1)) {
      path.append('/');
      path.append(
          segment.startsWith("{")
              ? encoded(part(segment.substring(1, segment.length() - 1)))
              : segment);
    }
    for (Field<?> param : route.params().list()) {
      if (param.name().equals("queue") && queueInQuery) {
        path.append("?queue=").append(encoded(text("queue")));
      }
    }
    Schema schema = route.body();
    byte[] body = null;
    if (schema != null) {
      JsonOut out = new JsonOut().beginArray();
      value(out, schema, "body");
      String array = new String(out.endArray().done(), StandardCharsets.UTF_8);
      body = array.substring(1, array.length() - 1).getBytes(StandardCharsets.UTF_8);
    }
    return new Aimed(path.toString(), body, "application/json", names);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private String part(String name) {
    if (!name.equals("id")) {
      return text(name);
    }
    if (route.path().startsWith("/queue/{id}")) {
      return text("queue");
    }
    if (route.path().startsWith("/api/v1/flows/")) {
      return FLOW;
    }
    return route.path().startsWith("/api/v1/dlq/") ? aim.dead().toString() : text("id");
  }

  private String text(String name) {
    return switch (name) {
      case "queue" -> naming(aim.queue());
      // The part of a path that is called key is that of a record.
      case "journal", "record", "key" -> naming(aim.kept());
      case "id", "messageId" -> aim.id().toString();
      case "leaseId", "lock_id" -> aim.lease();
      case "partitionId" -> Long.toString(aim.position().partition());
      case "partition" -> "Default";
      case "transactionId" -> aim.name();
      case "group", "consumerGroup" -> aim.group();
      default -> "x";
    };
  }

  /** The name of something that a token may be limited to. */
  private String naming(String name) {
    names = true;
    return name;
  }

  private void value(JsonOut out, Schema schema, String name) {
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
        for (Schema.Field field : fields.fields()) {
          if (field.required() || field.instead() != null || isNaming(field.schema())) {
            out.name(field.name());
            value(out, field.schema(), field.name());
          }
        }
        out.endObject();
      }
    }
  }

  /** Whether a value names something; fields that do are always in a request. */
  private static boolean isNaming(Schema schema) {
    return switch (schema) {
      case Schema.Scalar scalar -> scalar.names() != null;
      case Schema.OrNull orNull -> isNaming(orNull.schema());
      default -> false;
    };
  }

  private void scalar(JsonOut out, Schema.Scalar scalar, String name) {
    switch (scalar.type()) {
      case "string" ->
          out.add(
              "date-time".equals(scalar.format())
                  ? "2026-11-15T18:26:18Z"
                  : text(Objects.requireNonNullElse(scalar.names(), name)));
      case "integer", "number" -> out.add(1);
      case "boolean" -> out.add(true);
      default -> out.beginObject().endObject();
    }
  }
}
