package io.holdfast.server.docs;

import io.holdfast.json.Field;
import io.holdfast.json.Schema;
import java.util.List;
import java.util.stream.Stream;

/** Schemas and parameters as objects of JSON Schema. */
final class Schemas {
  private Schemas() {}

  static JsonMap of(Schema schema) {
    return switch (schema) {
      case Schema.Scalar scalar ->
          new JsonMap()
              .with("type", scalar.type().isEmpty() ? null : scalar.type())
              .with("format", scalar.format())
              .with("minimum", scalar.min())
              .with("maximum", scalar.max());
      // Any JSON may be null.
      case Schema.OrNull(Schema.Scalar any) when any.type().isEmpty() -> new JsonMap();
      case Schema.OrNull orNull ->
          JsonMap.of("anyOf", List.of(of(orNull.schema()), JsonMap.of("type", "null")));
      case Schema.Document document -> JsonMap.of("type", "string");
      case Schema.Words words -> JsonMap.of("type", "string").with("enum", words.words());
      case Schema.Array array -> JsonMap.of("type", "array").with("items", of(array.element()));
      case Schema.Fields fields -> fields(fields.fields());
      case Schema.MapOf map ->
          JsonMap.of("type", "object").with("additionalProperties", of(map.value()));
      case Schema.OneOf oneOf -> JsonMap.of("oneOf", all(oneOf.objects()));
    };
  }

  static List<JsonMap> all(List<Schema> schemas) {
    return schemas.stream().map(Schemas::of).toList();
  }

  private static JsonMap fields(List<Schema.Field> fields) {
    JsonMap properties = new JsonMap();
    for (Schema.Field field : fields) {
      properties.put(field.name(), of(field.schema()).with("description", field.explanation()));
    }
    List<String> required =
        fields.stream().filter(Schema.Field::required).map(Schema.Field::name).toList();
    JsonMap object =
        JsonMap.of("type", "object")
            .with("properties", properties)
            .with("required", required.isEmpty() ? null : required);
    for (Schema.Field field : fields) {
      if (field.instead() != null) {
        object.put("oneOf", Stream.of(field.name(), field.instead()).map(Schemas::with).toList());
      }
    }
    return object;
  }

  private static JsonMap with(String name) {
    return JsonMap.of("properties", JsonMap.of(name, new JsonMap()))
        .with("required", List.of(name));
  }

  static JsonMap of(Field<?> param) {
    return of(param.type().schema()).with("default", param.byDefault());
  }
}
