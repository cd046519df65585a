package io.holdfast.server.http;

import io.holdfast.json.Fields;
import io.holdfast.json.IgnoredNames;
import io.holdfast.json.Values;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the query of a request: each parameter at most once, and only those of the route. */
final class Query {
  private Query() {}

  /**
   * Reads a query as it came, without its question mark.
   *
   * @param ignored takes the names of unknown parameters; null if they are refused
   * @throws Problem if it is not percent-encoded UTF-8, or has another parameter
   * @throws io.holdfast.json.JsonException if a parameter is not as declared
   */
  static Values read(String raw, Fields known, @Nullable IgnoredNames ignored) {
    List<String> names = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (String pair : raw.split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String name = Percent.decode(equals < 0 ? pair : pair.substring(0, equals), true);
      String text = equals < 0 ? "" : Percent.decode(pair.substring(equals + 1), true);
      if (name == null || text == null) {
        throw Problem.field(
            name == null ? "query" : name, "expected percent-encoded UTF-8, but it is not");
      }
      if (!known.has(name)) {
        if (ignored != null && ignored.take(name, known.names())) {
          continue;
        }
        throw unknown(name, known);
      }
      if (names.contains(name)) {
        throw Problem.field(name, "expected once, but it is there twice");
      }
      names.add(name);
      texts.add(text);
    }
    return Values.ofTexts(known, names, texts);
  }

  private static Problem unknown(String name, Fields known) {
    return Problem.field(
        name,
        known.size() == 0
            ? "this route has no parameters"
            : "there is no such parameter here; there are " + String.join(", ", known.names()));
  }
}
