package io.holdfast.json;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Compares a JSON text with a schema. */
public final class SchemaCheck {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonParser parser;

  private SchemaCheck(JsonParser parser) {
    this.parser = parser;
  }

  /** The first difference between a text and all of some schemas; null if it matches one. */
  public static @Nullable String difference(List<Schema> schemas, byte[] json) {
    String first = null;
    for (Schema schema : schemas) {
      String difference = difference(schema, json);
      if (difference == null) {
        return null;
      }
      first = first == null ? difference : first;
    }
    return first;
  }

  private static @Nullable String difference(Schema schema, byte[] json) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      parser.nextToken();
      return new SchemaCheck(parser).value("body", schema);
    } catch (JacksonException notJson) {
      return "body: not JSON: " + notJson.getOriginalMessage();
    }
  }

  /** The difference of the value that the parser stands on, which is read to its end. */
  private @Nullable String value(String path, Schema schema) {
    JsonToken token = parser.currentToken();
    return switch (schema) {
      case Schema.OrNull orNull ->
          token == JsonToken.VALUE_NULL ? null : value(path, orNull.schema());
      case Schema.Scalar scalar -> scalar(path, scalar, token);
      case Schema.Words words ->
          token == JsonToken.VALUE_STRING && words.words().contains(parser.getString())
              ? null
              : path + ": expected one of " + words.words() + ", but got " + parser.getString();
      case Schema.Document document -> null;
      case Schema.Array array -> {
        if (token != JsonToken.START_ARRAY) {
          yield path + ": expected an array, but got " + token;
        }
        yield array(path, array.element());
      }
      case Schema.MapOf map -> {
        if (token != JsonToken.START_OBJECT) {
          yield path + ": expected an object, but got " + token;
        }
        yield map(path, map.value());
      }
      case Schema.Fields fields -> {
        if (token != JsonToken.START_OBJECT) {
          yield path + ": expected an object, but got " + token;
        }
        yield object(path, fields);
      }
      case Schema.OneOf oneOf -> {
        parser.skipChildren();
        yield null;
      }
    };
  }

  private @Nullable String scalar(String path, Schema.Scalar scalar, JsonToken token) {
    boolean matches =
        switch (scalar.type()) {
          case "string" -> token == JsonToken.VALUE_STRING;
          case "integer" -> token == JsonToken.VALUE_NUMBER_INT;
          case "number" ->
              token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT;
          case "boolean" -> token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE;
          case "object" -> token == JsonToken.START_OBJECT;
          default -> true;
        };
    if (!matches) {
      return path + ": expected " + scalar.type() + ", but got " + token;
    }
    parser.skipChildren();
    return null;
  }

  private @Nullable String array(String path, Schema element) {
    for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
      String difference = value(path + "[" + i + "]", element);
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  private @Nullable String map(String path, Schema value) {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      String difference = value(path + "." + name, value);
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  private @Nullable String object(String path, Schema.Fields fields) {
    Set<String> missing = new HashSet<>();
    fields.fields().stream()
        .filter(Schema.Field::required)
        .forEach(field -> missing.add(field.name()));
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      missing.remove(name);
      parser.nextToken();
      Schema schema = null;
      for (Schema.Field field : fields.fields()) {
        if (field.name().equals(name)) {
          schema = field.schema();
        }
      }
      if (schema == null) {
        return path + "." + name + ": no such field is declared";
      }
      String difference = value(path + "." + name, schema);
      if (difference != null) {
        return difference;
      }
    }
    return missing.isEmpty() ? null : path + ": missing " + missing;
  }
}
