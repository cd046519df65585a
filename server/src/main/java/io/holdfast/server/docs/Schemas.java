package io.holdfast.server.docs;

import io.holdfast.json.Field;
import io.holdfast.json.JsonOut;
import io.holdfast.json.Schema;

/** Writes schemas and parameters as JSON Schema. Each method fills an object that is begun. */
final class Schemas {
  private Schemas() {}

  static void write(JsonOut out, Schema schema) {
    switch (schema) {
      case Schema.Scalar scalar -> scalar(out, scalar);
      // Any JSON may be null.
      case Schema.OrNull(Schema.Scalar any) when any.type().isEmpty() -> {}
      case Schema.OrNull orNull -> {
        out.beginArray("anyOf").beginObject();
        write(out, orNull.schema());
        out.endObject().beginObject().put("type", "null").endObject().endArray();
      }
      case Schema.Document document -> out.put("type", "string");
      case Schema.Words words -> {
        out.put("type", "string").beginArray("enum");
        words.words().forEach(out::add);
        out.endArray();
      }
      case Schema.Array array -> {
        out.put("type", "array").beginObject("items");
        write(out, array.element());
        out.endObject();
      }
      case Schema.Fields fields -> fields(out, fields);
      case Schema.MapOf map -> {
        out.put("type", "object").beginObject("additionalProperties");
        write(out, map.value());
        out.endObject();
      }
      case Schema.OneOf oneOf -> {
        out.beginArray("oneOf");
        for (Schema object : oneOf.objects()) {
          out.beginObject();
          write(out, object);
          out.endObject();
        }
        out.endArray();
      }
    }
  }

  private static void scalar(JsonOut out, Schema.Scalar scalar) {
    if (!scalar.type().isEmpty()) {
      out.put("type", scalar.type());
    }
    if (scalar.format() != null) {
      out.put("format", scalar.format());
    }
    if (scalar.min() != null) {
      out.put("minimum", scalar.min());
    }
    if (scalar.max() != null) {
      out.put("maximum", scalar.max());
    }
  }

  private static void fields(JsonOut out, Schema.Fields fields) {
    out.put("type", "object").beginObject("properties");
    for (Schema.Field field : fields.fields()) {
      out.beginObject(field.name());
      write(out, field.schema());
      out.put("description", field.explanation()).endObject();
    }
    out.endObject();
    if (fields.fields().stream().anyMatch(Schema.Field::required)) {
      out.beginArray("required");
      for (Schema.Field field : fields.fields()) {
        if (field.required()) {
          out.add(field.name());
        }
      }
      out.endArray();
    }
    for (Schema.Field field : fields.fields()) {
      if (field.instead() != null) {
        out.beginArray("oneOf");
        requiring(out, field.name());
        requiring(out, field.instead());
        out.endArray();
      }
    }
  }

  private static void requiring(JsonOut out, String name) {
    out.beginObject()
        .beginObject("properties")
        .beginObject(name)
        .endObject()
        .endObject()
        .beginArray("required")
        .add(name)
        .endArray()
        .endObject();
  }

  static void write(JsonOut out, Field<?> param) {
    write(out, param.type().schema());
    Object byDefault = param.byDefault();
    if (byDefault != null) {
      out.putValue("default", byDefault);
    }
  }
}
