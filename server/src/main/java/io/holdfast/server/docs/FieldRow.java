package io.holdfast.server.docs;

import io.holdfast.json.Field;
import io.holdfast.json.Schema;
import io.holdfast.server.http.Route;
import java.util.ArrayList;
import java.util.List;

/**
 * One line of a table about a parameter or a field.
 *
 * @param name a field of a field is {@code outer.inner}, of an array's elements {@code array[].x}
 */
record FieldRow(String name, String type, String need, String explanation) {
  private static final String ELEMENT = "[]";

  /** The fields of what is sent, those of its fields behind them. */
  static List<FieldRow> ofBody(Schema schema) {
    List<FieldRow> rows = new ArrayList<>();
    collect(schema, "", "required", rows);
    return rows;
  }

  /** The fields of what is answered, those of its fields behind them. */
  static List<FieldRow> ofAnswer(Schema schema) {
    List<FieldRow> rows = new ArrayList<>();
    collect(schema, "", "always", rows);
    return rows;
  }

  private static void collect(Schema schema, String prefix, String need, List<FieldRow> rows) {
    switch (schema) {
      case Schema.Fields fields -> {
        for (Schema.Field field : fields.fields()) {
          String name = prefix.isEmpty() ? field.name() : prefix + '.' + field.name();
          rows.add(
              new FieldRow(name, type(field.schema()), need(field, need), field.explanation()));
          collect(field.schema(), name, need, rows);
        }
      }
      case Schema.Array array -> collect(array.element(), prefix + ELEMENT, need, rows);
      case Schema.OrNull orNull -> collect(orNull.schema(), prefix, need, rows);
      case Schema.OneOf oneOf -> oneOf.objects().forEach(one -> collect(one, prefix, need, rows));
      case Schema.MapOf map -> collect(map.value(), prefix + ".*", need, rows);
      case Schema.Scalar scalar -> {}
      case Schema.Words words -> {}
      case Schema.Document document -> {}
    }
  }

  private static String need(Schema.Field field, String need) {
    if (field.instead() != null) {
      return need + ", or " + field.instead();
    }
    return field.required() ? need : "";
  }

  /** What a value is, in a few words. */
  static String type(Schema schema) {
    return switch (schema) {
      case Schema.Scalar scalar -> scalar(scalar);
      case Schema.OrNull orNull -> type(orNull.schema()) + " or null";
      case Schema.Document document -> document.contentType();
      case Schema.Words words -> String.join(", ", words.words());
      case Schema.Array array -> "array of " + type(array.element());
      case Schema.Fields fields -> "object";
      case Schema.OneOf oneOf -> "object";
      case Schema.MapOf map -> "object of " + type(map.value());
    };
  }

  private static String scalar(Schema.Scalar scalar) {
    if ("date-time".equals(scalar.format())) {
      return "time";
    }
    return switch (scalar.type()) {
      case "" -> "any JSON";
      case "string" -> "text";
      case "integer" ->
          scalar.min() != null && scalar.max() != null
              ? scalar.min() + " to " + scalar.max()
              : "whole number";
      case "boolean" -> "true or false";
      default -> scalar.type();
    };
  }

  /** The parameters of a route's query. */
  static List<FieldRow> ofQuery(Route route) {
    return route.params().list().stream().map(FieldRow::of).toList();
  }

  private static FieldRow of(Field<?> param) {
    Object byDefault = param.byDefault();
    return new FieldRow(
        param.name(),
        type(param.type().schema()),
        byDefault != null ? byDefault.toString() : param.required() ? "required" : "",
        param.explanation());
  }
}
