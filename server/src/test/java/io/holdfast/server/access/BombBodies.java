package io.holdfast.server.access;

import io.holdfast.json.Schema;
import io.holdfast.server.http.Route;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * JSON bodies of a route that are as large as one likes: long arrays, texts and objects, and deep
 * nesting, at each place that the schema of the route has.
 */
final class BombBodies {
  private static final String DEEP = "[";

  private final Aim aim;
  private final Map<String, IntFunction<String>> manyElements = new LinkedHashMap<>();
  private final Map<String, IntFunction<String>> others = new LinkedHashMap<>();

  BombBodies(Route route, Aim aim) {
    this.aim = aim;
    Schema body = Objects.requireNonNull(route.body());
    visit(route.path(), body, "", "%s");
    others.put("distinct keys", n -> object(n, i -> "k" + i));
    if (body instanceof Schema.Fields fields && !fields.fields().isEmpty()) {
      String field = fields.fields().getFirst().name();
      others.put("the same key", n -> object(n, i -> field));
      others.put(
          "known keys, then many",
          n -> known(fields).replaceFirst("}$", ",") + object(n, i -> "k" + i).substring(1));
    }
  }

  /** Bodies with arrays of so many valid elements, by their names. */
  Map<String, IntFunction<byte[]>> manyElements() {
    return utf8(manyElements);
  }

  /** All other large bodies, by their names. */
  Map<String, IntFunction<byte[]>> others() {
    return utf8(others);
  }

  private static Map<String, IntFunction<byte[]>> utf8(Map<String, IntFunction<String>> texts) {
    Map<String, IntFunction<byte[]>> bodies = new LinkedHashMap<>();
    texts.forEach(
        (name, text) -> bodies.put(name, n -> text.apply(n).getBytes(StandardCharsets.UTF_8)));
    return bodies;
  }

  private static String object(int n, IntFunction<String> key) {
    return joined(n, i -> "\"" + key.apply(i) + "\":0", "{", "}");
  }

  private static String array(int n, IntFunction<String> element) {
    return joined(n, element, "[", "]");
  }

  private static String joined(int n, IntFunction<String> one, String begin, String end) {
    return IntStream.range(0, n).mapToObj(one).collect(Collectors.joining(",", begin, end));
  }

  /** An object with the fields that have to be there. */
  private static String known(Schema.Fields fields) {
    return fields.fields().stream()
        .filter(Schema.Field::required)
        .map(field -> "\"" + field.name() + "\":null")
        .collect(Collectors.joining(",", "{", "}"));
  }

  /**
   * Adds the bodies of a value.
   *
   * @param around the body with {@code %s} at the place of the value
   */
  private void visit(String route, Schema schema, String place, String around) {
    switch (schema) {
      case Schema.OrNull orNull -> visit(route, orNull.schema(), place, around);
      case Schema.Fields fields -> {
        for (Schema.Field field : fields.fields()) {
          visit(
              route,
              field.schema(),
              place.isEmpty() ? field.name() : place + "." + field.name(),
              around.formatted("{\"" + field.name() + "\":%s}"));
        }
      }
      case Schema.Array array -> {
        List<IntFunction<String>> valid = valid(route + " " + place);
        for (int i = 0; i < valid.size(); i++) {
          manyElements.put(place + " #" + i, valid.get(i));
        }
        for (String element : List.of("{}", "[]", "\"\"", "0", "null")) {
          others.put(place + " of " + element, n -> around.formatted(array(n, i -> element)));
        }
        visit(route, array.element(), place + "[]", around.formatted("[%s]"));
      }
      case Schema.Scalar scalar -> scalar(scalar, place, around);
      case Schema.OneOf oneOf -> oneOf.objects().forEach(one -> visit(route, one, place, around));
      case Schema.MapOf map ->
          visit(route, map.value(), place + ".*", around.formatted("{\"a\":%s}"));
      case Schema.Words words -> text(place, around);
      case Schema.Document document -> throw new IllegalArgumentException(document.contentType());
    }
  }

  private void scalar(Schema.Scalar scalar, String place, String around) {
    switch (scalar.type()) {
      case "string" -> text(place, around);
      case "integer", "number" ->
          others.put(place + " of many digits", n -> around.formatted("1".repeat(10 * n)));
      case "boolean" -> {}
      default -> {
        others.put(place + " nested", n -> around.formatted(DEEP.repeat(n) + "]".repeat(n)));
        others.put(place + " of many keys", n -> around.formatted(object(n, i -> "k" + i)));
        others.put(
            place + " of many names", n -> around.formatted(array(n, i -> "\"n" + i + "\"")));
      }
    }
  }

  private void text(String place, String around) {
    others.put(place + " long", n -> around.formatted("\"" + "x".repeat(10 * n) + "\""));
    others.put(place + " escaped", n -> around.formatted("\"" + "\\u0041".repeat(n) + "\""));
  }

  /** Whole bodies whose array at a place has so many elements that the route takes. */
  private List<IntFunction<String>> valid(String place) {
    String queue = aim.queue();
    String partition = Long.toString(aim.position().partition());
    IntFunction<String> message = i -> "{\"queue\":\"%s\",\"payload\":%d}".formatted(queue, i);
    IntFunction<String> named =
        i -> "{\"queue\":\"%s\",\"payload\":1,\"transactionId\":\"t%d\"}".formatted(queue, i);
    IntFunction<String> lane =
        i -> "{\"queue\":\"%s\",\"payload\":1,\"partition\":\"p%d\"}".formatted(queue, i);
    IntFunction<String> ack =
        i -> "{\"transactionId\":\"a%d\",\"partitionId\":\"%s\"}".formatted(i, partition);
    IntFunction<String> leased =
        i ->
            "{\"transactionId\":\"a%d\",\"partitionId\":\"%s\",\"leaseId\":\"lease%d\"}"
                .formatted(i, partition, i);
    return switch (place) {
      case "/api/v1/push items" ->
          List.of(wrapped("items", message), wrapped("items", named), wrapped("items", lane));
      case "/queue/{id}/push items" -> List.of(wrapped("items", i -> "{\"item\":" + i + "}"));
      case "/api/v1/ack/batch acknowledgments" ->
          List.of(wrapped("acknowledgments", ack), wrapped("acknowledgments", leased));
      case "/api/v1/pop settles" ->
          List.of(
              n -> popped(queue, array(n, ack)),
              n -> popped(queue, array(n, leased)),
              n -> popped(queue, array(n, i -> "{\"leaseId\":\"lease" + i + "\"}")));
      case "/api/v1/tokens queues" ->
          List.of(
              n -> "{\"role\":\"read-only\",\"queues\":" + array(n, i -> "\"q" + i + "\"") + "}");
      default -> more(place, typed("push", named), typed("ack", ack), typed("ack", leased));
    };
  }

  private List<IntFunction<String>> more(
      String place, IntFunction<String> push, IntFunction<String> ack, IntFunction<String> leased) {
    return switch (place) {
      case "/api/v1/transaction operations" ->
          List.of(
              wrapped("operations", push),
              wrapped("operations", ack),
              wrapped("operations", leased));
      case "/api/v1/transaction operations[].items" ->
          List.of(
              n ->
                  "{\"operations\":[{\"type\":\"push\",\"items\":%s}]}"
                      .formatted(
                          array(n, i -> "{\"queue\":\"" + aim.queue() + "\",\"payload\":1}")));
      case "/api/v1/transaction requiredLeases" ->
          List.of(
              n ->
                  "{\"operations\":[%s],\"requiredLeases\":%s}"
                      .formatted(ack.apply(0), array(n, i -> "\"lease" + i + "\"")),
              n ->
                  "{\"operations\":%s,\"requiredLeases\":%s}"
                      .formatted(array(n, ack), array(n, i -> "\"lease" + i + "\"")));
      case "/api/v1/transaction kv",
          "/api/v1/transaction timers",
          "/api/v1/transaction positions" ->
          List.of();
      default -> commit(place, push);
    };
  }

  private List<IntFunction<String>> commit(String place, IntFunction<String> push) {
    return switch (place) {
      case "/api/v1/commit operations" -> {
        List<IntFunction<String>> bodies = new ArrayList<>();
        bodies.add(wrapped("operations", push));
        bodies.add(
            wrapped(
                "operations",
                i ->
                    "{\"type\":\"putRecord\",\"key\":\"%s/%d\",\"value\":1}"
                        .formatted(aim.queue(), i)));
        bodies.add(
            wrapped(
                "operations",
                i ->
                    "{\"type\":\"append\",\"journal\":\"%s/j%d\",\"expectedPosition\":0,\"events\":[1]}"
                        .formatted(aim.queue(), i)));
        yield bodies;
      }
      case "/api/v1/commit operations[].events" -> List.of(n -> append("events", n, "1"));
      case "/api/v1/commit operations[].eventsBase64" ->
          List.of(n -> append("eventsBase64", n, "\"MQ==\""));
      default -> throw new AssertionError("There are no valid elements here for: " + place);
    };
  }

  private String append(String field, int n, String event) {
    return "{\"operations\":[{\"type\":\"append\",\"journal\":\"%s\",\"expectedPosition\":0,\"%s\":%s}]}"
        .formatted(aim.queue() + "/" + field, field, array(n, i -> event));
  }

  private static IntFunction<String> typed(String type, IntFunction<String> item) {
    return i -> "{\"type\":\"" + type + "\"," + item.apply(i).substring(1);
  }

  private static IntFunction<String> wrapped(String field, IntFunction<String> element) {
    return n -> "{\"" + field + "\":" + array(n, element) + "}";
  }

  private static String popped(String queue, String settles) {
    return "{\"queue\":\"%s\",\"settles\":%s}".formatted(queue, settles);
  }
}
