package io.holdfast.server.docs;

import io.holdfast.server.http.Param;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
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
  static List<FieldRow> ofBody(Shape shape) {
    List<FieldRow> rows = new ArrayList<>();
    collect(shape, "", "required", rows);
    return rows;
  }

  /** The fields of what is answered, those of its fields behind them. */
  static List<FieldRow> ofAnswer(Shape shape) {
    List<FieldRow> rows = new ArrayList<>();
    collect(shape, "", "always", rows);
    return rows;
  }

  private static void collect(Shape shape, String prefix, String need, List<FieldRow> rows) {
    switch (shape) {
      case Shape.Fields fields -> {
        for (Shape.Field field : fields.fields()) {
          String name = prefix.isEmpty() ? field.name() : prefix + '.' + field.name();
          rows.add(new FieldRow(name, type(field.shape()), need(field, need), field.explanation()));
          collect(field.shape(), name, need, rows);
        }
      }
      case Shape.Array array -> collect(array.element(), prefix + ELEMENT, need, rows);
      case Shape.OrNull orNull -> collect(orNull.shape(), prefix, need, rows);
      case Shape.Scalar scalar -> {}
      case Shape.Words words -> {}
      case Shape.Document document -> {}
    }
  }

  private static String need(Shape.Field field, String need) {
    if (field.instead() != null) {
      return need + ", or " + field.instead();
    }
    return field.required() ? need : "";
  }

  /** What a value is, in a few words. */
  static String type(Shape shape) {
    return switch (shape) {
      case Shape.Scalar scalar -> scalar(scalar);
      case Shape.OrNull orNull -> type(orNull.shape()) + " or null";
      case Shape.Document document -> document.contentType();
      case Shape.Words words -> String.join(", ", words.words());
      case Shape.Array array -> "array of " + type(array.element());
      case Shape.Fields fields -> "object";
    };
  }

  private static String scalar(Shape.Scalar scalar) {
    if ("date-time".equals(scalar.format())) {
      return "time";
    }
    return switch (scalar.type()) {
      case "" -> "any JSON";
      case "string" -> "text";
      case "integer" -> "whole number";
      case "boolean" -> "true or false";
      default -> scalar.type();
    };
  }

  /** The parameters of a route's query. */
  static List<FieldRow> ofQuery(Route route) {
    return route.params().stream().map(FieldRow::of).toList();
  }

  private static FieldRow of(Param param) {
    String type =
        switch (param.kind()) {
          case TEXT -> "text";
          case NUMBER -> param.isBounded() ? param.min() + " to " + param.max() : "whole number";
          case FLAG -> "true or false";
          case TIME -> "time";
          case WORD -> String.join(", ", param.words());
        };
    Object byDefault = param.byDefault();
    return new FieldRow(
        param.name(), type, byDefault == null ? "" : byDefault.toString(), param.explanation());
  }
}
