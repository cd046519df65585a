package io.holdfast.server.docs;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Compares a JSON value with a schema of the kind that the server writes. */
final class SchemaCheck {
  private SchemaCheck() {}

  /** What does not fit; a field that the schema does not name does not. */
  static List<String> faults(JsonNode schema, JsonNode value) {
    List<String> faults = new ArrayList<>();
    check(schema, value, "", faults);
    return faults;
  }

  private static void check(JsonNode schema, JsonNode value, String at, List<String> faults) {
    if (schema.has("anyOf")) {
      if (schema.get("anyOf").values().stream().noneMatch(each -> faults(each, value).isEmpty())) {
        faults.add(at + ": none of those it may be: " + value);
      }
      return;
    }
    String type = schema.path("type").asString("");
    boolean fits =
        switch (type) {
          case "" -> true;
          case "string" -> value.isString();
          case "integer" -> value.isIntegralNumber();
          case "number" -> value.isNumber();
          case "boolean" -> value.isBoolean();
          case "null" -> value.isNull();
          case "array" -> value.isArray();
          case "object" -> value.isObject();
          default -> false;
        };
    if (!fits) {
      faults.add(at + ": expected " + type + ", but got " + value);
    } else if (schema.has("enum")
        && schema.get("enum").values().stream().noneMatch(value::equals)) {
      faults.add(at + ": not one of the words: " + value);
    } else if (type.equals("array")) {
      for (int i = 0; i < value.size(); i++) {
        check(schema.get("items"), value.get(i), at + "[" + i + "]", faults);
      }
    } else if (schema.has("properties")) {
      fields(schema, value, at, faults);
    }
  }

  private static void fields(JsonNode schema, JsonNode value, String at, List<String> faults) {
    for (JsonNode name : schema.path("required").values()) {
      if (!value.has(name.asString())) {
        faults.add(at + "." + name.asString() + ": missing");
      }
    }
    if (schema.has("oneOf")
        && schema.get("oneOf").values().stream()
                .filter(each -> value.has(each.at("/required/0").asString()))
                .count()
            != 1) {
      faults.add(at + ": expected one of " + schema.get("oneOf"));
    }
    for (String name : value.propertyNames()) {
      JsonNode field = schema.get("properties").get(name);
      if (field == null) {
        faults.add(at + "." + name + ": not described");
      } else {
        check(field, value.get(name), at + "." + name, faults);
      }
    }
  }
}
