package io.holdfast.server.docs;

import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Shape;

/** Writes shapes and parameters as JSON Schema. Each method fills an object that is begun. */
final class Schemas {
  private Schemas() {}

  static void write(JsonOut out, Shape shape) {
    switch (shape) {
      case Shape.Scalar scalar -> scalar(out, scalar);
      case Shape.OrNull orNull -> {
        out.beginArray("anyOf").beginObject();
        write(out, orNull.shape());
        out.endObject().beginObject().put("type", "null").endObject().endArray();
      }
      case Shape.Document document -> out.put("type", "string");
      case Shape.Words words -> {
        out.put("type", "string").beginArray("enum");
        words.words().forEach(out::add);
        out.endArray();
      }
      case Shape.Array array -> {
        out.put("type", "array").beginObject("items");
        write(out, array.element());
        out.endObject();
      }
      case Shape.Fields fields -> fields(out, fields);
    }
  }

  private static void scalar(JsonOut out, Shape.Scalar scalar) {
    if (!scalar.type().isEmpty()) {
      out.put("type", scalar.type());
    }
    if (scalar.format() != null) {
      out.put("format", scalar.format());
    }
  }

  private static void fields(JsonOut out, Shape.Fields fields) {
    out.put("type", "object").beginObject("properties");
    for (Shape.Field field : fields.fields()) {
      out.beginObject(field.name());
      write(out, field.shape());
      out.put("description", field.explanation()).endObject();
    }
    out.endObject();
    if (fields.fields().stream().anyMatch(Shape.Field::required)) {
      out.beginArray("required");
      for (Shape.Field field : fields.fields()) {
        if (field.required()) {
          out.add(field.name());
        }
      }
      out.endArray();
    }
    for (Shape.Field field : fields.fields()) {
      if (field.instead() != null) {
        out.beginArray("oneOf");
        requiring(out, field.name());
        requiring(out, field.instead());
        out.endArray();
      }
    }
  }

  private static void requiring(JsonOut out, String name) {
    out.beginObject().beginArray("required").add(name).endArray().endObject();
  }

  static void write(JsonOut out, Param param) {
    switch (param.kind()) {
      case TEXT -> out.put("type", "string");
      case NUMBER -> {
        out.put("type", "integer");
        if (param.isBounded()) {
          out.put("minimum", param.min()).put("maximum", param.max());
        }
      }
      case FLAG -> out.put("type", "boolean");
      case TIME -> out.put("type", "string").put("format", "date-time");
      case WORD -> {
        out.put("type", "string").beginArray("enum");
        param.words().forEach(out::add);
        out.endArray();
      }
    }
    Object byDefault = param.byDefault();
    if (byDefault != null) {
      out.putValue("default", byDefault);
    }
  }
}
