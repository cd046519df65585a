package io.holdfast.bench.crash;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads the answers of a server, as far as the client of a crash run looks at them. */
final class AnswerJson {
  private static final JsonFactory JSON = new JsonFactory();

  private AnswerJson() {}

  /** The plain fields of the answer itself. */
  static Map<String, String> object(byte[] body) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
      return parser.nextToken() == JsonToken.START_OBJECT ? fields(parser) : Map.of();
    }
  }

  /** The plain fields of each object in the innermost array of an answer. */
  static List<Map<String, String>> objects(byte[] body) {
    List<Map<String, String>> objects = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
      boolean inArray = false;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.START_ARRAY) {
          inArray = true;
        } else if (token == JsonToken.START_OBJECT && inArray) {
          objects.add(fields(parser));
        }
      }
    }
    return objects;
  }

  private static Map<String, String> fields(JsonParser parser) {
    Map<String, String> fields = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (value.isScalarValue()) {
        fields.put(name, parser.getString());
      } else {
        parser.skipChildren();
      }
    }
    return fields;
  }
}
